package harness

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"reflect"
	"regexp"
	"sort"
	"strings"
	"time"
)

// stock sets a variable of a type of the standard library whose fields cannot be made up.
func (g *generator) stock(v reflect.Value) bool {
	if v.Kind() == reflect.Ptr && depthless[v.Type()] && (g.plain == 1 || g.absent(20)) {
		return true // nil
	}
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		*p = time.Unix(int64(g.below(1<<30)), int64(g.below(1e9))).UTC()
	case **time.Location:
		*p = time.UTC
	case **bytes.Buffer:
		*p = bytes.NewBuffer([]byte(g.text()))
	case *bytes.Buffer:
		p.WriteString(g.text())
	case **strings.Builder:
		*p = &strings.Builder{}
		(*p).WriteString(g.text())
	case *strings.Builder: // one that was written to must not be copied
	case **bytes.Reader:
		*p = bytes.NewReader([]byte(g.text()))
	case **strings.Reader:
		*p = strings.NewReader(g.text())
	case **bufio.Reader:
		*p = bufio.NewReaderSize(strings.NewReader(g.text()), 16+g.below(32))
	case **bufio.Writer:
		*p = bufio.NewWriterSize(&bytes.Buffer{}, 16+g.below(32))
	case **bufio.Scanner:
		*p = bufio.NewScanner(strings.NewReader(g.text()))
	case **big.Int:
		*p = big.NewInt(g.integer(64))
	case *big.Int:
		p.SetInt64(g.integer(64))
	case **regexp.Regexp:
		*p = regexp.MustCompile([]string{"a", "[a-c]+", `(\w)(\d)?`, "^$", `\s*,\s*`}[g.below(5)])
	case *context.Context:
		*p = context.Background()
	case **failingReader:
		*p = &failingReader{rest: []byte(g.text()), chunk: 1 + g.below(7), fail: g.once(2)}
	case **failingWriter:
		*p = &failingWriter{room: g.below(12)}
	default:
		return false
	}
	return true
}

var depthless = map[reflect.Type]bool{
	reflect.TypeOf((*bytes.Buffer)(nil)): true, reflect.TypeOf((*strings.Builder)(nil)): true, reflect.TypeOf((*big.Int)(nil)): true,
}

// stockKinds are types that stand in for interfaces, besides those of the package.
var stockKinds = []reflect.Type{
	reflect.TypeOf((*bytes.Buffer)(nil)), reflect.TypeOf((*bytes.Reader)(nil)), reflect.TypeOf((*strings.Reader)(nil)),
	reflect.TypeOf((*failingReader)(nil)), reflect.TypeOf((*failingWriter)(nil)), reflect.TypeOf((*bufio.Reader)(nil)),
	reflect.TypeOf(phrase("")), reflect.TypeOf(sort.IntSlice(nil)), reflect.TypeOf(time.Duration(0)),
}

// failingReader reads a text in pieces, and ends with an error.
type failingReader struct {
	rest  []byte
	chunk int
	fail  bool
}

func (r *failingReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.fail {
			return 0, errors.New("the reader fails")
		}
		return 0, io.EOF
	}
	n := len(r.rest)
	if n > r.chunk {
		n = r.chunk
	}
	n = copy(p, r.rest[:n])
	r.rest = r.rest[n:]
	return n, nil
}

// failingWriter takes some bytes, and fails from then on.
type failingWriter struct {
	taken []byte
	room  int
}

func (w *failingWriter) Write(p []byte) (int, error) {
	n := len(p)
	if n > w.room {
		n = w.room
	}
	w.taken = append(w.taken, p[:n]...)
	w.room -= n
	if n < len(p) {
		return n, errors.New("the writer fails")
	}
	return n, nil
}

// phrase is a fmt.Stringer.
type phrase string

func (p phrase) String() string { return "<" + string(p) + ">" }

// dynamic sets a variable of an interface type.
func (g *generator) dynamic(v reflect.Value, depth int) {
	t := v.Type()
	switch {
	case t == errorType:
		if err := g.failure(); err != nil {
			v.Set(reflect.ValueOf(err))
		}
		return
	case g.plain == 1 || g.absent(20) || g.deep(depth-2):
		return
	case t.NumMethod() == 0:
		g.anything(v, depth)
		return
	}
	var kinds []reflect.Type
	for _, list := range [][]reflect.Type{stockKinds, g.target.Kinds} {
		for _, k := range list {
			if k.Implements(t) && (!g.keys || k.Comparable()) {
				kinds = append(kinds, k)
			}
		}
	}
	for _, m := range g.target.Makers {
		if f := reflect.ValueOf(m); f.Type().Out(0) == t {
			if made, ok := g.call(f, depth); ok {
				v.Set(made)
				return
			}
		}
	}
	if len(kinds) == 0 {
		panic(cannot("no type that is " + t.String() + " is known"))
	}
	value := reflect.New(kinds[g.below(len(kinds))]).Elem()
	g.fill(value, depth+1)
	if value.Kind() == reflect.Ptr && value.IsNil() {
		return
	}
	v.Set(value)
}

func (g *generator) failure() error {
	if n := len(g.target.Errors); n > 0 && g.once(3) {
		return g.target.Errors[g.below(n)]
	}
	switch g.below(8) {
	case 0:
		return io.EOF
	case 1:
		return fmt.Errorf("read %s: %w", g.text(), io.ErrUnexpectedEOF)
	case 2:
		return &fs.PathError{Op: "open", Path: g.text(), Err: fs.ErrNotExist}
	case 3, 4:
		return nil
	}
	return errors.New(g.text())
}

// anything sets a variable of type any.
func (g *generator) anything(v reflect.Value, depth int) {
	kinds := []reflect.Type{
		reflect.TypeOf(0), reflect.TypeOf(""), reflect.TypeOf(0.0), reflect.TypeOf(false), reflect.TypeOf(int64(0)),
		reflect.TypeOf(phrase("")), reflect.TypeOf(uint8(0)), reflect.TypeOf(struct{ A, B int }{}),
		reflect.TypeOf((*struct{ A, B int })(nil)), // printed by what it leads to, not by an address that differs each time
	}
	if !g.keys {
		kinds = append(kinds, reflect.TypeOf([]byte(nil)), reflect.TypeOf([]string(nil)), reflect.TypeOf([]interface{}(nil)), reflect.TypeOf(map[string]interface{}(nil)))
		kinds = append(kinds, g.target.Kinds...)
	}
	i := g.below(len(kinds) + 1)
	if i == len(kinds) {
		if err := g.failure(); err != nil && !g.keys {
			v.Set(reflect.ValueOf(err))
		}
		return
	}
	value := reflect.New(kinds[i]).Elem()
	g.fill(value, depth+1)
	v.Set(value)
}
