// Gen writes the ops of package arenas: one file for each allocator, from
// op.tmpl and the expressions in allocators.go. It runs in the folder of the
// package, by go generate.
package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/format"
	"os"
	"strings"
	"text/template"
)

//go:embed op.tmpl
var text string

var op = template.Must(template.New("op").Parse(text))

func main() {
	for _, a := range allocators {
		source, err := generate(a)
		if err == nil {
			err = os.WriteFile(strings.ToLower(a.Name)+"_gen_test.go", source, 0o666)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "gen: %s: %v\n", a.Name, err)
			os.Exit(1)
		}
	}
}

func generate(a allocator) ([]byte, error) {
	var b bytes.Buffer
	if err := op.Execute(&b, a); err != nil {
		return nil, err
	}
	return format.Source(b.Bytes())
}

// An allocator holds the parameters of op.tmpl. In its expressions, a is the
// region of the op, $T is the type, $s the variable with the slab of that type,
// $n a capacity, $x a string, bytes or a slice, and $v the value to append.
type allocator struct {
	Name      string   // of the file and of its functions
	Tag       string   // build constraint
	Std       []string // imports of the standard library besides testing
	Imports   []string
	BytesOnly bool // no objects: only the op with copies of a payload

	// Setup is run once for an op that needs $n; Open and Close, in each op.
	Setup, Open, Close string

	Slab       string // makes $s; without it, there are no such variables
	Param      string // what a function needs to make a $T, for example "a *R"
	NewExpr    string // a zeroed *$T
	MakeExpr   string // a []$T of length 0 and capacity $n
	AppendExpr string // $x with $v appended
	BytesExpr  string // a copy of the bytes $x
	StringExpr string // a copy of the string $x
	NameExpr   string // a copy of the string $x of at most 16 bytes, if there is a better one
}

func (a allocator) Prepare(need string) string {
	return strings.ReplaceAll(a.Setup, "$n", need)
}

// Source declares the slabs of the types.
func (a allocator) Source(types ...string) string {
	if a.Slab == "" {
		return ""
	}
	var b strings.Builder
	for _, t := range types {
		fmt.Fprintln(&b, expand(a.Slab, t))
	}
	return b.String()
}

func (a allocator) TreeParam() string {
	if a.Param == "" {
		return ""
	}
	return expand(a.Param, "tree") + ", "
}

func (a allocator) TreeArg() string {
	name, _, ok := strings.Cut(a.TreeParam(), " ")
	if !ok {
		return ""
	}
	return name + ", "
}

func (a allocator) New(t string) string     { return expand(a.NewExpr, t) }
func (a allocator) Make(t, n string) string { return expand(a.MakeExpr, t, "$n", n) }
func (a allocator) Append(t, x, v string) string {
	return expand(a.AppendExpr, t, "$x", x, "$v", v)
}
func (a allocator) Bytes(x string) string  { return expand(a.BytesExpr, "byte", "$x", x) }
func (a allocator) String(x string) string { return expand(a.StringExpr, "byte", "$x", x) }

func (a allocator) Name16(x string) string {
	if a.NameExpr == "" {
		return a.String(x)
	}
	return expand(a.NameExpr, "byte", "$x", x)
}

// expand fills in the type, the name of its slab and the pairs.
func expand(expr, t string, pairs ...string) string {
	name := strings.TrimPrefix(t, "*") + "Slab"
	if t[0] == '*' {
		name = t[1:] + "PointerSlab"
	}
	return strings.NewReplacer(append(pairs, "$T", t, "$s", name)...).Replace(expr)
}
