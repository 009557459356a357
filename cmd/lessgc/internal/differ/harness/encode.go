package harness

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"time"
)

// mostNodes bounds what is compared of a value, and longest the text that is written out.
const (
	mostNodes = 1 << 15
	longest   = 200
)

// An encoder writes values in a form that is the same for the same values: nil is told from empty, a NaN is a NaN,
// the entries of maps are sorted, and capacities are left out.
type encoder struct {
	target *Target
	out    []byte
	nodes  int
	path   map[visit]int
}

type visit struct {
	at  uintptr
	len int
	typ reflect.Type
}

// encode writes values, separated by commas.
func encode(t *Target, values []reflect.Value) string {
	e := &encoder{target: t, path: map[visit]int{}}
	for i, v := range values {
		if i > 0 {
			e.put(", ")
		}
		e.value(addressable(v))
	}
	return string(e.out)
}

// addressable returns a variable that holds a value.
func addressable(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type()).Elem()
	p.Set(v)
	return p
}

// oldPrefix is what the names of copied declarations begin with.
const oldPrefix = "lessgcOld"

func (e *encoder) put(s string) { e.out = append(e.out, s...) }

func (e *encoder) typ(t reflect.Type) {
	text := shortened(t.String())
	if e.target.Flat {
		text = strings.ReplaceAll(text, "*", "")
	}
	e.put(text)
}

// shortened is a text without the names of copied declarations.
func shortened(s string) string { return strings.ReplaceAll(s, oldPrefix, "") }

// value writes the value of a variable.
func (e *encoder) value(v reflect.Value) {
	e.nodes++
	if e.nodes > mostNodes {
		return
	}
	if e.known(v) || e.failure(v) {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		e.out = strconv.AppendBool(e.out, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.out = strconv.AppendInt(e.out, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		e.out = strconv.AppendUint(e.out, v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		e.float(v.Float())
	case reflect.Complex64, reflect.Complex128:
		e.float(real(v.Complex()))
		e.put("+i*")
		e.float(imag(v.Complex()))
	case reflect.String:
		e.text(v.String())
	case reflect.Array:
		e.typ(v.Type())
		e.elements(v)
	case reflect.Slice, reflect.Map, reflect.Ptr:
		e.reference(v)
	case reflect.Struct:
		e.fields(v)
	case reflect.Interface:
		if v.IsNil() {
			e.put("nil")
			return
		}
		in := addressable(v.Elem())
		if k := in.Kind(); k < reflect.Array || k == reflect.String {
			e.typ(in.Type())
			e.put("(")
			e.value(in)
			e.put(")")
			return
		}
		e.value(in)
	case reflect.Func:
		e.function(v)
	default: // channels and unsafe pointers
		e.isNil(v)
	}
}

func (e *encoder) isNil(v reflect.Value) {
	e.typ(v.Type())
	if v.IsNil() {
		e.put("(nil)")
	}
}

func (e *encoder) float(f float64) {
	if math.IsNaN(f) {
		e.put("NaN")
		return
	}
	e.out = strconv.AppendFloat(e.out, f, 'g', -1, 64)
}

func (e *encoder) text(s string) {
	if len(s) <= longest {
		e.out = strconv.AppendQuote(e.out, s)
		return
	}
	h := fnv.New64a()
	h.Write([]byte(s))
	e.out = strconv.AppendQuote(e.out, s[:longest/4])
	e.put(fmt.Sprintf("... (%d bytes, hash %x)", len(s), h.Sum64()))
}

// reference writes what a slice, map or pointer leads to, and ends where it leads back.
func (e *encoder) reference(v reflect.Value) {
	if v.IsNil() {
		e.isNil(v)
		return
	}
	at := visit{v.Pointer(), -1, v.Type()}
	if v.Kind() == reflect.Slice {
		at.len = v.Len()
	}
	if depth, ok := e.path[at]; ok && at.len != 0 {
		e.put(fmt.Sprintf("(%d up)", len(e.path)-depth))
		return
	}
	e.path[at] = len(e.path)
	defer delete(e.path, at)
	switch {
	case v.Kind() == reflect.Ptr:
		if !e.target.Flat {
			e.put("&")
		}
		e.value(v.Elem())
	case v.Kind() == reflect.Map:
		e.typ(v.Type())
		e.entries(v)
	case v.Type().Elem().Kind() == reflect.Uint8:
		e.typ(v.Type())
		e.put("(")
		e.text(string(v.Bytes()))
		e.put(")")
	default:
		e.typ(v.Type())
		e.elements(v)
	}
}

func (e *encoder) elements(v reflect.Value) {
	e.put("{")
	for i := 0; i < v.Len() && e.nodes <= mostNodes; i++ {
		if i > 0 {
			e.put(", ")
		}
		e.value(v.Index(i))
	}
	e.put("}")
}

func (e *encoder) entries(v reflect.Value) {
	var all []string
	for r := v.MapRange(); r.Next(); {
		one := &encoder{target: e.target, path: e.path, nodes: e.nodes}
		one.value(addressable(r.Key()))
		one.put(": ")
		one.value(addressable(r.Value()))
		e.nodes += (one.nodes - e.nodes) // what the entry took
		all = append(all, string(one.out))
	}
	sort.Strings(all)
	e.put("{" + strings.Join(all, ", ") + "}")
}

func (e *encoder) fields(v reflect.Value) {
	t := v.Type()
	e.typ(t)
	e.put("{")
	for i := 0; i < v.NumField(); i++ {
		f := t.Field(i)
		if e.target.has(e.target.Added, t, f.Name) || passive[typeName(f.Type)] {
			continue
		}
		e.put(f.Name + ": ")
		e.value(open(v.Field(i)))
		e.put(", ")
	}
	e.put("}")
}

// known writes values whose fields do not say what they mean.
func (e *encoder) known(v reflect.Value) bool {
	switch p := v.Addr().Interface().(type) {
	case *bytes.Buffer:
		e.put("bytes.Buffer(")
		e.text(p.String())
		e.put(")")
	case *strings.Builder:
		e.put("strings.Builder(")
		e.text(p.String())
		e.put(")")
	case *time.Time:
		e.put("time.Time(" + p.Format(time.RFC3339Nano) + " " + p.Location().String() + ")")
	case *big.Int:
		e.put("big.Int(" + p.String() + ")")
	case *regexp.Regexp:
		e.put("regexp.Regexp(" + strconv.Quote(p.String()) + ")")
	case *time.Location:
		e.put("time.Location(" + p.String() + ")")
	case *reflect.Value:
		e.put("reflect.Value")
	case *reflect.Type:
		if *p == nil {
			return false
		}
		e.typ(*p)
	default:
		return passive[typeName(v.Type())] || typeName(v.Type()) == "os.File"
	}
	return true
}

// failure writes errors by their type and text, those of the package with their fields, too.
func (e *encoder) failure(v reflect.Value) bool {
	if v.Kind() == reflect.Interface || !v.Type().Implements(errorType) {
		return false
	}
	if k := v.Kind(); (k == reflect.Ptr || k == reflect.Map || k == reflect.Slice || k == reflect.Func) && v.IsNil() {
		e.isNil(v)
		return true
	}
	e.typ(v.Type())
	e.put("(")
	e.text(errorText(v.Interface().(error)))
	e.put(")")
	base := v.Type()
	if base.Kind() == reflect.Ptr {
		base = base.Elem()
	}
	return base.PkgPath() != own || base.Kind() != reflect.Struct
}

func errorText(err error) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = "Error panics: " + panicText(r)
		}
	}()
	return shortened(err.Error())
}

func panicText(r interface{}) string {
	if err, ok := r.(error); ok {
		return fmt.Sprintf("%s: %s", shortened(reflect.TypeOf(r).String()), errorText(err))
	}
	return shortened(encode(&Target{}, []reflect.Value{reflect.ValueOf(&r).Elem()}))
}

// function writes what an iterator yields, twice and from the beginning, and of other functions whether they are nil.
func (e *encoder) function(v reflect.Value) {
	if v.IsNil() || !isSequence(v.Type()) {
		e.isNil(v)
		return
	}
	e.put("yields(")
	for _, most := range []int{mostYielded, 1, mostYielded} {
		all, failed := collect(v, most)
		for _, values := range all {
			for _, one := range values {
				e.value(addressable(one))
				e.put(" ")
			}
			e.put(", ")
		}
		if failed != nil {
			e.put("panic: " + panicText(failed))
		}
		e.put("; ")
	}
	e.put(")")
}
