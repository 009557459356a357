package returned

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/template"
)

func badBytesDeferredPut(v any) ([]byte, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if err := json.NewEncoder(buf).Encode(v); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil // want "which is put back"
}

func goodCloneDeferredPut(v any) ([]byte, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if err := json.NewEncoder(buf).Encode(v); err != nil {
		return nil, err
	}
	return bytes.Clone(buf.Bytes()), nil
}

func goodStringDeferredPut(v any) (string, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if err := json.NewEncoder(buf).Encode(v); err != nil {
		return "", err
	}
	return buf.String(), nil
}

func goodAppendDeferredPut(dst []byte, v any) ([]byte, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if err := json.NewEncoder(buf).Encode(v); err != nil {
		return dst, err
	}
	return append(dst, buf.Bytes()...), nil
}

func badBytesThenPut(v any) []byte {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprint(buf, v)
	out := buf.Bytes()
	buffers.Put(buf)
	return out // want "which is put back"
}

func goodCopyThenPut(v any) []byte {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprint(buf, v)
	out := make([]byte, buf.Len())
	copy(out, buf.Bytes())
	buffers.Put(buf)
	return out
}

func badBytesPutInClosure(t *template.Template, data any) ([]byte, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer func() {
		buf.Reset()
		buffers.Put(buf)
	}()
	if err := t.Execute(buf, data); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil // want "which is put back"
}

func goodStringPutInClosure(t *template.Template, data any) (string, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer func() {
		buf.Reset()
		buffers.Put(buf)
	}()
	if err := t.Execute(buf, data); err != nil {
		return "", err
	}
	return buf.String(), nil
}

func badNamedResult(v any) (out []byte, err error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	_, err = fmt.Fprint(buf, v)
	out = buf.Bytes()
	return // want "which is put back"
}

func goodNamedResult(v any) (out []byte, err error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	_, err = fmt.Fprint(buf, v)
	out = bytes.Clone(buf.Bytes())
	return
}

// The result is copied last of all, in the deferred function.
func goodNamedResultCopiedLate(v any) (out []byte, err error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer func() {
		out = bytes.Clone(out)
		buffers.Put(buf)
	}()
	buf.Reset()
	_, err = fmt.Fprint(buf, v)
	return buf.Bytes(), err
}

// Trimming moves the ends of the slice, not the bytes.
func badTrimmed(v any) []byte {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprintln(buf, v)
	return bytes.TrimSpace(buf.Bytes()) // want "which is put back"
}

func goodTrimmedString(v any) string {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprintln(buf, v)
	return strings.TrimSpace(buf.String())
}

// ToUpper returns a slice of its own.
func goodUpper(v any) []byte {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprintln(buf, v)
	return bytes.ToUpper(buf.Bytes())
}

func badFields(r io.Reader) ([][]byte, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if _, err := buf.ReadFrom(r); err != nil {
		return nil, err
	}
	return bytes.Fields(buf.Bytes()), nil // want "which is put back"
}

func goodFields(r io.Reader) ([]string, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if _, err := buf.ReadFrom(r); err != nil {
		return nil, err
	}
	return strings.Fields(buf.String()), nil
}

func badNext(r io.Reader, n int) ([]byte, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	_, err := io.CopyN(buf, r, int64(n))
	return buf.Next(n), err // want "which is put back"
}

// Read copies.
func goodRead(r io.Reader, n int) ([]byte, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	_, err := io.CopyN(buf, r, int64(n))
	head := make([]byte, n)
	buf.Read(head)
	return head, err
}

func badRawMessage(v any) (json.RawMessage, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	err := json.NewEncoder(buf).Encode(v)
	return json.RawMessage(buf.Bytes()), err // want "which is put back"
}

func goodRawMessage(v any) (json.RawMessage, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	err := json.NewEncoder(buf).Encode(v)
	return json.RawMessage(buf.String()), err
}

// Unmarshal copies what it keeps.
func goodUnmarshal(r io.Reader) (u map[string]json.RawMessage, err error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if _, err = buf.ReadFrom(r); err != nil {
		return nil, err
	}
	err = json.Unmarshal(buf.Bytes(), &u)
	return u, err
}

type document struct {
	title string
	body  []byte
}

func badInStruct(title string, r io.Reader) (document, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	_, err := buf.ReadFrom(r)
	return document{title, buf.Bytes()}, err // want "which is put back"
}

func goodInStruct(title string, r io.Reader) (document, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	_, err := buf.ReadFrom(r)
	return document{title, slices.Clone(buf.Bytes())}, err
}

func badInPointer(title string, r io.Reader) (*document, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	_, err := buf.ReadFrom(r)
	d := &document{title: title}
	d.body = buf.Bytes()
	return d, err // want "which is put back"
}

func goodInPointer(title string, r io.Reader) (*document, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	_, err := buf.ReadFrom(r)
	d := &document{title: title}
	d.body = append(d.body, buf.Bytes()...)
	return d, err
}

// The body is only there while the title is made.
func goodOtherField(r io.Reader) (string, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	_, err := buf.ReadFrom(r)
	d := document{body: buf.Bytes()}
	d.title = string(d.body[:min(len(d.body), 10)])
	return d.title, err
}

func badReader(v any) io.Reader {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	return bytes.NewReader(buf.Bytes()) // want "which is put back"
}

func goodReader(v any) io.Reader {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	return strings.NewReader(buf.String())
}

func badItemAsReader(v any) io.Reader {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	return buf // want "which is put back"
}

// The caller gets the buffer, and nobody puts it.
func goodItemAsReader(v any) io.Reader {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	if _, err := fmt.Fprint(buf, v); err != nil {
		buffers.Put(buf)
		return nil
	}
	return buf
}

func badInList(lines []string) (out [][]byte) {
	for _, l := range lines {
		buf := buffers.Get().(*bytes.Buffer)
		buf.Reset()
		buf.WriteString(strings.ToLower(l))
		out = append(out, buf.Bytes())
		buffers.Put(buf)
	}
	return out // want "which is put back"
}

func goodInList(lines []string) (out [][]byte) {
	for _, l := range lines {
		buf := buffers.Get().(*bytes.Buffer)
		buf.Reset()
		buf.WriteString(strings.ToLower(l))
		out = append(out, bytes.Clone(buf.Bytes()))
		buffers.Put(buf)
	}
	return out
}

// The list is only a local one.
func goodLocalList(w io.Writer, lines []string) (int, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	for _, l := range lines {
		buf.WriteString(l)
	}
	list := [][]byte{buf.Bytes(), []byte("\n")}
	return w.Write(bytes.Join(list, nil))
}

func badInMap(v any) map[string][]byte {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	m := map[string][]byte{}
	m["text"] = buf.Bytes()
	return m // want "which is put back"
}

func goodInMap(v any) map[string]string {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	m := map[string]string{}
	m["text"] = string(buf.Bytes())
	return m
}

func badFunction(v any) func() []byte {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	return func() []byte { return buf.Bytes() } // want "which is put back"
}

func goodFunction(v any) func() []byte {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	text := buf.String()
	return func() []byte { return []byte(text) }
}

// The bytes come with the function that puts them.
func goodWithRelease(v any) ([]byte, func()) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprint(buf, v)
	return buf.Bytes(), func() { buffers.Put(buf) }
}

// What is too large for the pool is the caller's, without a copy.
func goodLargeIsGivenAway(v any) []byte {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprint(buf, v)
	if buf.Cap() > 64<<10 {
		return buf.Bytes()
	}
	out := bytes.Clone(buf.Bytes())
	buffers.Put(buf)
	return out
}

// It goes back only if there is nothing to return.
func goodPutOfError(v any) (out *bytes.Buffer, err error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer func() {
		if err != nil {
			buffers.Put(buf)
		}
	}()
	buf.Reset()
	if err = json.NewEncoder(buf).Encode(v); err != nil {
		return nil, err
	}
	return buf, nil
}

func badPutWithoutError(v any) (out *bytes.Buffer, err error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer func() {
		buffers.Put(buf)
	}()
	buf.Reset()
	if err = json.NewEncoder(buf).Encode(v); err != nil {
		return nil, err
	}
	return buf, nil // want "which is put back"
}

func goodPutUnlessDone(r io.Reader) (*bytes.Buffer, error) {
	buf := buffers.Get().(*bytes.Buffer)
	done := false
	defer func() {
		if !done {
			buffers.Put(buf)
		}
	}()
	buf.Reset()
	if _, err := buf.ReadFrom(r); err != nil {
		return nil, err
	}
	done = true
	return buf, nil
}

// Numbers, errors and what is computed from the bytes is not the bytes.
func goodSize(w io.Writer, v any) (int64, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	return buf.WriteTo(w)
}

func goodCopied(w io.Writer, v any) (int64, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	return io.Copy(w, buf)
}

func goodSum(v any) []byte {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	sum := sha256.Sum256(buf.Bytes())
	return sum[:]
}

func goodHash(data []byte) []byte {
	h := hashes.Get().(hash.Hash)
	defer hashes.Put(h)
	h.Reset()
	h.Write(data)
	return h.Sum(nil)
}

func goodText(v any) (string, string) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	return hex.EncodeToString(buf.Bytes()), base64.StdEncoding.EncodeToString(buf.Bytes())
}

func goodError(r io.Reader) error {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if _, err := buf.ReadFrom(r); err != nil {
		return fmt.Errorf("reading: %w", err)
	}
	if bytes.HasPrefix(buf.Bytes(), []byte("error")) {
		return errors.New(buf.String())
	}
	return nil
}

// A string of a strings.Builder is never written again.
func goodBuilder(parts []string) string {
	sb := builders.Get().(*strings.Builder)
	defer builders.Put(sb)
	sb.Reset()
	for _, p := range parts {
		sb.WriteString(p)
	}
	return sb.String()
}

// The compressed bytes are those of a buffer that no pool has.
func goodGzip(data []byte) ([]byte, error) {
	var out bytes.Buffer
	zw := gzips.Get().(*gzip.Writer)
	defer gzips.Put(zw)
	zw.Reset(&out)
	if _, err := zw.Write(data); err != nil {
		return nil, err
	}
	if err := zw.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func badGzip(data []byte) ([]byte, error) {
	out := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(out)
	out.Reset()
	zw := gzips.Get().(*gzip.Writer)
	defer gzips.Put(zw)
	zw.Reset(out)
	if _, err := zw.Write(data); err != nil {
		return nil, err
	}
	if err := zw.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil // want "which is put back"
}

// One of two buffers goes back, the other one is returned.
func goodOtherBuffer(v any) []byte {
	tmp := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(tmp)
	tmp.Reset()
	fmt.Fprint(tmp, v)
	out := new(bytes.Buffer)
	json.Compact(out, tmp.Bytes())
	return out.Bytes()
}

func badNumber(n int64) []byte {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	buf.Grow(20)
	return strconv.AppendInt(buf.AvailableBuffer(), n, 10) // want "which is put back"
}

func goodNumber(dst []byte, n int64) []byte {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	buf.Write(strconv.AppendInt(buf.AvailableBuffer(), n, 10))
	return append(dst, buf.Bytes()...)
}

func goodIgnored() []byte {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	//lessgc:ignore poolalias the tests that call this run one after the other
	return buf.Bytes()
}

// A function of a package-level variable is one like any other.
var badVariable = func(v any) []byte {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	return buf.Bytes() // want "which is put back"
}

var goodVariable = func(v any) []byte {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	return []byte(buf.String())
}
