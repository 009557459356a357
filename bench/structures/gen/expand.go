package main

import (
	"fmt"
	"strings"
)

// An allocator is the set of expressions that a template asks for. In them, a is
// the region of the op, in its input, $s and $S the name of the structure, $f a
// field, $T the type of its elements, $len and $cap those of a slice, $x a
// string or a slice and $v the value to append.
type allocator struct {
	Name string
	Type string // of the region, or "" if each structure has one of its own

	// Setup is run once for an op; Open and Close, in each op.
	Setup, Open, Close string

	NewExpr    string // a zeroed *$T
	MakeExpr   string // a zeroed []$T
	RawExpr    string // the same if all of it will be overwritten, MakeExpr if ""
	AppendExpr string // $x with $v appended
	TextExpr   string // a copy of the string $x

	Field string // type of a field of the region, if Type is ""
	Text  string // field for strings and the rest, if Type is ""
}

// A structure names what its template allocates.
type structure struct {
	Name   string
	Heap   string // name of the op on the heap, if another one is called heap
	Skip   string // an allocator that cannot do it
	Texts  string // count and capacity of the strings that a slab has for n
	Fields []field
}

func (s structure) file() string { return s.Name + "_gen_test.go" }

// A field is a type of which a structure has many. Count is how many objects or
// slices of capacity Cap a slab has for input of size n; Cap is "" for objects.
type field struct{ Name, Type, Count, Cap string }

// An op is a structure in memory of an allocator.
type op struct {
	a allocator
	s structure
}

// N is the name of the op, and the prefix of those that it calls.
func (o op) N() string { return o.a.Name + title(o.s.Name) }

// Type is the type of a, the region.
func (o op) Type() string {
	if o.a.Type != "" {
		return o.a.Type
	}
	return "*" + o.s.Name + title(o.a.Name)
}

func (o op) Setup() string { return o.expand(o.a.Setup) }
func (o op) Open() string  { return o.expand(o.a.Open, "$handle", o.handle()) }
func (o op) Close() string { return o.expand(o.a.Close) }

// Bind declares a in a method of a parser p.
func (o op) Bind() string {
	if o.a.Type == "onHeap" {
		return ""
	}
	return "a := p.a"
}

func (o op) New(f string) string            { return o.in(f, o.a.NewExpr) }
func (o op) Make(f, len, cap string) string { return o.in(f, o.a.MakeExpr, "$len", len, "$cap", cap) }
func (o op) Append(f, x, v string) string   { return o.in(f, o.a.AppendExpr, "$x", x, "$v", v) }
func (o op) Copy(x string) string           { return o.expand(o.a.TextExpr, "$x", x) }

// Raw is Make for a slice that will be overwritten.
func (o op) Raw(f, len, cap string) string {
	if o.a.RawExpr == "" {
		return o.Make(f, len, cap)
	}
	return o.in(f, o.a.RawExpr, "$len", len, "$cap", cap)
}

// in expands an expression for field f.
func (o op) in(f, expr string, pairs ...string) string {
	for _, field := range o.s.Fields {
		if field.Name == f {
			return o.expand(expr, append(pairs, "$f", f, "$T", field.Type)...)
		}
	}
	panic("gen: " + o.s.Name + " has no field " + f)
}

func (o op) expand(expr string, pairs ...string) string {
	return strings.NewReplacer(append(pairs, "$s", o.s.Name, "$S", title(o.s.Name))...).Replace(expr)
}

// region declares the type of a region that is the structure's own.
func (o op) region() string {
	if o.a.Type != "" {
		return ""
	}
	name := o.s.Name + title(o.a.Name)
	var b, reset strings.Builder
	fmt.Fprintf(&b, "\ntype %s struct {\n", name)
	for _, f := range o.s.Fields {
		typ := strings.ReplaceAll(o.a.Field, "$T", f.Type)
		switch {
		case o.a.Name == "slab" && f.Cap == "":
			typ = "slab.Slab[" + f.Type + "]"
		case o.a.Name == "slab":
			typ = "slab.SliceSlab[" + f.Type + "]"
		}
		fmt.Fprintf(&b, "%s %s\n", f.Name, typ)
		reset.WriteString("a." + f.Name + ".reset()\n")
	}
	fmt.Fprintf(&b, "%s\n}\n", o.a.Text)
	switch o.a.Name {
	case "slab":
		b.WriteString(o.slab(name))
	case "floor":
		fmt.Fprintf(&b, "\nfunc (a *%s) reset() {\n%sa.text.reset()\n}\n", name, reset.String())
	}
	return b.String()
}

// handle is a region with a slab for each type of arena r.
func (o op) handle() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s{\n", strings.TrimPrefix(o.Type(), "*"))
	for _, f := range o.s.Fields {
		fmt.Fprintf(&b, "%s: arena.Of[%s](r),\n", f.Name, f.Type)
	}
	b.WriteString("arena: r,\n}")
	return b.String()
}

// slab declares the functions that make and empty the slabs of one op.
func (o op) slab(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nfunc new%s(n int) *%s {\nreturn &%s{\n", title(name), name, name)
	for _, f := range o.s.Fields {
		if f.Cap == "" {
			fmt.Fprintf(&b, "%s: slab.NewSlab[%s](%s, nil),\n", f.Name, f.Type, f.Count)
		} else {
			fmt.Fprintf(&b, "%s: slab.NewSliceSlab[%s](%s, %s),\n", f.Name, f.Type, f.Count, f.Cap)
		}
	}
	if o.s.Texts != "" {
		fmt.Fprintf(&b, "text: slab.NewSliceSlab[byte](%s),\n", o.s.Texts)
	}
	fmt.Fprintf(&b, "}\n}\n\nfunc (a *%s) reset() {\n", name)
	for _, f := range o.s.Fields {
		fmt.Fprintf(&b, "a.%s.Reset()\n", f.Name)
	}
	b.WriteString("a.text.Reset()\n}\n")
	return b.String()
}

// title returns s as it begins in the middle of a name.
func title(s string) string {
	if rest, ok := strings.CutPrefix(s, "json"); ok {
		return "JSON" + rest
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
