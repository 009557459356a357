package lever

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var keepText = &Lever{
	Name:    "keep-text",
	Title:   "hand on the string as it is, without a copy as bytes",
	Subject: "avoid copying to []byte",
	way:     fewerCopies,
	Looks:   "[]byte(s) that is kept in a field or given to a function, where nothing of the program that gets the bytes writes to them.",
	Wrong:   "when who gets the bytes changes or appends to them.",
	Before: `type node struct{ text []byte }
n := &node{text: []byte(s)}
…
w.Write(n.text)`,
	After: `type node struct{ text string }
n := &node{text: s}
…
io.WriteString(w, n.text)
// or a parameter of type T, for T ~string | ~[]byte, where both come`,
	Model:   "The copy goes whole, and the time to make it; so do copies of its parts on other lines, where the rewrite leaves these out.",
	Risk:    API,
	Asks:    "Are the bytes only read by those who get them? Where such a function is not yours, unsafe.Slice(unsafe.StringData(s), len(s)) gives them without a copy.",
	Saves:   Saves{Alloc: Range{0.9, 1}, Collect: Range{0.9, 1}, Work: Range{0.8, 1}},
	Rewrite: "The copy is the value of a new variable of type []byte, and it and the variables that get parts of it are local, no function literal has them, and each use is known: its length, elements that are read, loops, functions that have a twin in package strings or unicode/utf8, append and copy from it, and writes to a bytes.Buffer or strings.Builder. None is compared with nil, has its room used, or is sliced beyond its length, where bytes do not panic and a string does. A string that is made of a part is the part itself where it is compared, looked up or parsed, and stays a copy elsewhere, so that it keeps no more alive; what a parser returns may share the memory of the text.",
	find:    findKeepText,
}

func findKeepText(p *Line) (f Finding) {
	if f = p.keptWhole(); f.Evidence != nil {
		return f
	}
	var at []Evidence
	made, others := 0, 0
	for _, in := range p.allocators() {
		v, ok := in.(*ssa.Convert)
		if !ok || !isString(v.X.Type()) || !isBytes(v.Type()) || isConst(v.X) {
			others++
			continue
		}
		k := &keeper{p: p, seen: map[ssa.Value]bool{}}
		if !k.reads(v, 0) || k.to == "" {
			others++
			continue
		}
		made++
		at = append(at, p.at(k.at, k.to))
	}
	if made == 0 {
		return f
	}
	f.Share, f.Calls = p.direct()*float64(made)/float64(made+others), textCopies
	copied := Evidence{fmt.Sprintf("strings of %.0f bytes on average are copied to []byte%s", p.objectSize(), p.inEach()), p.site.File, p.site.Line}
	f.Evidence = append([]Evidence{copied}, at[:min(len(at), 2)]...)
	return f
}

// A keeper follows bytes to where they are kept or given, as long as nothing writes to them.
type keeper struct {
	p    *Line
	seen map[ssa.Value]bool
	at   token.Pos
	to   string // what gets them
}

func (k *keeper) goes(at token.Pos, to string) bool {
	if k.to == "" && at.IsValid() {
		k.at, k.to = at, to
	}
	return true
}

func (k *keeper) reads(v ssa.Value, depth int) bool {
	if v == nil || v.Referrers() == nil || depth > 4 || len(k.seen) > longest {
		return false
	}
	if k.seen[v] {
		return true
	}
	k.seen[v] = true
	for _, r := range *v.Referrers() {
		if !k.use(v, r, depth) {
			return false
		}
	}
	return true
}

func (k *keeper) use(v ssa.Value, in ssa.Instruction, depth int) bool {
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.BinOp, *ssa.Index, *ssa.Lookup, *ssa.Range, *ssa.Convert, *ssa.If:
		return true
	case *ssa.Slice, *ssa.Phi, *ssa.ChangeType:
		return k.reads(in.(ssa.Value), depth)
	case *ssa.IndexAddr:
		return !stored(in)
	case *ssa.UnOp:
		return in.Op == token.MUL
	case *ssa.Store:
		field, ok := in.Addr.(*ssa.FieldAddr)
		return ok && in.Val == v && k.kept(field, in.Pos())
	case *ssa.Call:
		return k.given(v, in, depth)
	}
	return false
}

// kept reports whether a field that gets the bytes is only read.
func (k *keeper) kept(field *ssa.FieldAddr, at token.Pos) bool {
	name := fieldOf(field)
	if name == nil || k.p.loads[name] == nil {
		return false
	}
	if !at.IsValid() {
		at = field.Pos()
	}
	for _, load := range k.p.loads[name] {
		if !k.looked(load, 0) {
			return false
		}
	}
	return k.goes(at, fmt.Sprintf("the bytes are kept in field %s of a %s, and only read there", name.Name(), typeName(field.X.Type())))
}

// looked reports whether what is loaded from a field is read, or compared or sliced or handed on, and not written to. What is
// behind the next call is for a person to say.
func (k *keeper) looked(v ssa.Value, depth int) bool {
	if v.Referrers() == nil || k.seen[v] {
		return true
	}
	k.seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.IndexAddr:
			if stored(r) {
				return false
			}
		case *ssa.Slice, *ssa.Phi, *ssa.ChangeType:
			if !k.looked(r.(ssa.Value), depth) {
				return false
			}
		case *ssa.Call:
			if writesFirst(r, v) {
				return false
			}
		}
	}
	return true
}

// writesFirst reports whether a call appends or copies to bytes.
func writesFirst(c *ssa.Call, v ssa.Value) bool {
	return (callsBuiltin(c, "append") || callsBuiltin(c, "copy")) && c.Call.Args[0] == v
}

// given reports whether a call only reads the bytes, as far as the program shows.
func (k *keeper) given(v ssa.Value, in *ssa.Call, depth int) bool {
	if b, ok := in.Call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "len", "cap":
			return true
		case "append", "copy":
			return in.Call.Args[0] != v
		}
		return false
	}
	fn, static := callee(in.Common())
	if fn == nil {
		return false
	}
	name := fn.Origin().FullName()
	called := in.Common().StaticCallee()
	if static && len(called.Blocks) > 0 && k.p.decls[fn.Origin()] != nil {
		for i, arg := range in.Call.Args {
			if arg == v && (i >= len(called.Params) || !k.reads(called.Params[i], depth+1)) {
				return false
			}
		}
		return k.goes(in.Pos(), "the bytes are given to "+fn.Name()+", which only reads them")
	}
	if fn.Pkg() == nil || !standard(fn.Pkg().Path()) || strings.Contains(fn.Name(), "Read") || strings.HasPrefix(fn.Name(), "Append") || strings.HasPrefix(fn.Name(), "New") {
		return false
	}
	if returnsPart(fn.Signature()) && len(in.Call.Args) == 1 {
		return false
	}
	if fn.Pkg().Path() == "bytes" && returnsPart(fn.Signature()) {
		return k.reads(in, depth)
	}
	return k.goes(in.Pos(), "the bytes are given to "+strings.TrimPrefix(name, "*")+", which only reads them")
}

// returnsPart reports whether a function returns bytes.
func returnsPart(sig *types.Signature) bool {
	return sig.Results().Len() > 0 && isBytes(sig.Results().At(0).Type())
}
