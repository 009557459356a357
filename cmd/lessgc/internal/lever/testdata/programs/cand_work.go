package programs

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"
	"net/http"
	"net/mail"
	"path"
	"reflect"
	"sort"
	"strconv"
	"strings"
)

type workItem struct{ Name string }

// The body is one value.
func workBody(body io.Reader) (item workItem, err error) {
	err = json.NewDecoder(body).Decode(&item) // want costly-call
	return item, err
}

// There are many values in the stream.
func workStream(body io.Reader) (all []workItem, err error) {
	d := json.NewDecoder(body) // no costly-call
	for d.More() {
		var item workItem
		if err := d.Decode(&item); err != nil { // no costly-call
			return nil, err
		}
		all = append(all, item)
	}
	return all, nil
}

// Unmarshal has no such setting.
func workStrict(body io.Reader) (item workItem, err error) {
	d := json.NewDecoder(body) // no costly-call
	d.DisallowUnknownFields()
	err = d.Decode(&item) // no costly-call
	return item, err
}

func workHeaders(h http.Header, id int) {
	h.Set("Vary", "Accept-Encoding") // want costly-call
	workType(h, "text/plain")
	text := strconv.Itoa(id + 1000)
	h.Set("X-Id", text) // no costly-call
}

// Callers give constants.
func workType(h http.Header, value string) {
	h.Set("Content-Type", value) // want costly-call
}

// The encoder's buffer could be written.
func workEncode(w io.Writer, item *workItem) error {
	data, err := json.Marshal(item) // want costly-call
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// The bytes are kept.
func workMarshal(item *workItem) []byte {
	data, _ := json.Marshal(item) // no costly-call
	return data
}

func workAddress(s string) string {
	a, err := mail.ParseAddress(s) // want costly-call
	if err != nil {
		return ""
	}
	return a.Address
}

func workPath(dir, name string) string {
	return path.Join(dir, name) // want costly-call
}

func workPadded(n int) []byte {
	return bytes.Repeat([]byte(" "), n) // want costly-call
}

// A text of letters is no blank.
func workLetters(n int) string {
	return strings.Repeat("word ", n) // no costly-call
}

func workRead(s string, p []byte) (int, error) {
	return bytes.NewBufferString(s).Read(p) // want costly-call
}

// Something is written behind it.
func workExtended(s string, n int) *bytes.Buffer {
	b := bytes.NewBufferString(s) // no costly-call
	b.WriteString(strconv.Itoa(n))
	return b
}

type workLarge struct {
	Name string
	rest [20]uint64
}

type workItems []workLarge

func (w workItems) Len() int           { return len(w) }
func (w workItems) Less(i, j int) bool { return w[i].Name < w[j].Name }
func (w workItems) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }

// The slice becomes an interface; its elements are too large to be handed to a comparison.
func workSorted(all workItems) {
	sort.Sort(all) // want costly-call
}

// What is boxed is kept in a field.
func workKept(all workItems) any {
	return all // no costly-call
}

// The writer has no ReadFrom, and the reader no WriteTo.
func workCopied(w io.Writer, r io.Reader) error {
	_, err := io.Copy(struct{ io.Writer }{w}, struct{ io.Reader }{r}) // want costly-call
	return err
}

// A list of any.
func workAny(data []byte) (any, error) {
	var v any
	err := json.Unmarshal(data, &v) // want costly-call
	return v, err
}

// It is a struct.
func workItemOf(data []byte) (item workItem, err error) {
	err = json.Unmarshal(data, &item) // no costly-call
	return item, err
}

// The decoder is given by a value.
func workBy(decode func([]byte, any) error, data []byte) (v any, err error) {
	err = decode(data, &v) // want costly-call
	return v, err
}

var workDecode = json.Unmarshal

type workPart struct {
	name  string
	index int
}

// The result is the same for the same type and path.
func workParts(t reflect.Type, path string) (parts []workPart) {
	for _, name := range strings.Split(path, ".") {
		field, ok := t.FieldByName(name)
		if !ok {
			return nil
		}
		name = strings.Repeat(name, 2)                        // want cache-by-type
		parts = append(parts, workPart{name, field.Index[0]}) // want cache-by-type
		t = field.Type
	}
	return parts
}

// A value is data.
func workValues(t reflect.Type, v reflect.Value) (all []string) {
	for i := range t.NumField() {
		all = append(all, t.Field(i).Name+v.Field(i).String()) // no cache-by-type
	}
	return all
}

// Nothing of the type is asked.
func workMade(t reflect.Type) reflect.Value {
	for range 2 {
		reflect.New(t).Elem() // no cache-by-type
	}
	return reflect.New(t).Elem() // no cache-by-type
}

// There is a list besides.
func workSet(t reflect.Type, names []string) (all []workPart) {
	for i := range names {
		all = append(all, workPart{t.Field(0).Name, i}) // no cache-by-type
	}
	return all
}

var workTypes = map[reflect.Type][]string{}

// It is made once.
func workFields(t reflect.Type) (all []string) {
	if all, ok := workTypes[t]; ok {
		return all
	}
	for i := range t.NumField() {
		all = append(all, t.Field(i).Name) // no cache-by-type
	}
	workTypes[t] = all
	return all
}

// The map grows; made with a size, it does not.
func workMap(t reflect.Type, n int) reflect.Value {
	m := reflect.MakeMap(t)
	for i := range n {
		m.SetMapIndex(reflect.ValueOf(i), reflect.ValueOf("x")) // want costly-call
	}
	return m
}

// The map is not made here.
func workEntries(m reflect.Value, n int) {
	for i := range n {
		m.SetMapIndex(reflect.ValueOf(i), reflect.ValueOf("x")) // no costly-call
	}
}

func workMore(v reflect.Value, n int) reflect.Value {
	return reflect.AppendSlice(v, reflect.MakeSlice(v.Type(), n, n)) // want costly-call
}

// The elements are there.
func workJoined(v, more reflect.Value) reflect.Value {
	return reflect.AppendSlice(v, more) // no costly-call
}

func workSum(h hash.Hash, b []byte) string {
	h.Reset()
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil)) // want costly-call
}

func workSumOf(h hash.Hash, b, to []byte) []byte {
	h.Reset()
	h.Write(b)
	return h.Sum(to) // no costly-call
}
