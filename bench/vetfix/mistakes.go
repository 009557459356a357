package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A mistake is code that a rule should find when it stands in a function.
type mistake struct {
	rule string
	name string // of the variant

	// What the function gets: at its beginning or somewhere behind it, then before one of the
	// statements that follow. # stands for a number, X for a result of type []byte that result
	// replaces, _v for the name of the value, _sync and so on for imported packages.
	first, then, result string
	last                bool   // then stands at the end
	global              string // what the file gets

	// What becomes of a release that the function has: a call of this method is removed, or comes
	// twice.
	removed, doubled string

	original []byte // the file without it
}

const (
	buffers = "var pool# = _sync.Pool{New: func() any { return new(_bytes.Buffer) }}"
	get     = "_v := pool#.Get().(*_bytes.Buffer)"
)

// mistakes has variants of each rule that has a fix, and of some that have none.
var mistakes = []mistake{
	{rule: "poolalias", name: "deferred", global: buffers,
		result: get + "\ndefer pool#.Put(_v)\n_v.Reset()\n_v.Write(X)\nreturn _v.Bytes()"},
	{rule: "poolalias", name: "deferred in a function", global: buffers,
		result: get + "\ndefer func() {\n_v.Reset()\npool#.Put(_v)\n}()\n_v.Write(X)\nreturn _v.Bytes()"},
	{rule: "poolalias", name: "a slice", global: "var pool# = _sync.Pool{New: func() any { return new([]byte) }}",
		result: "_v := pool#.Get().(*[]byte)\ndefer pool#.Put(_v)\n*_v = append((*_v)[:0], X...)\nreturn *_v"},
	{rule: "poolalias", name: "put before", global: buffers,
		result: get + "\n_v.Reset()\n_v.Write(X)\ndata# := _v.Bytes()\npool#.Put(_v)\nreturn data#"},
	{rule: "poolmissingput", name: "never", global: buffers, first: get + "\n_v.Reset()\n_v.WriteString(\"#\")", then: "_ = _v.Len()"},
	{rule: "poolmissingput", name: "on a path", global: buffers, first: get + "\n_v.Reset()\n_v.WriteString(\"#\")\nif _v.Len() > 1<<20 {\npanic(_v.String())\n}", then: "_ = _v.Len()\npool#.Put(_v)"},
	{rule: "poolmissingput", name: "never, in a block", global: buffers, first: "{\n" + get + "\n_v.Reset()\n_ = _v.Len()\n}"},
	{rule: "poolmissingput", name: "never, by a getter", global: buffers + "\n\nfunc take#() *_bytes.Buffer { return pool#.Get().(*_bytes.Buffer) }", first: "_v := take#()\n_v.Reset()", then: "_ = _v.Len()"},
	{rule: "pooldoubleput", name: "deferred and put", global: buffers, first: get + "\ndefer pool#.Put(_v)\n_v.Reset()", then: "pool#.Put(_v)"},
	{rule: "pooldoubleput", name: "twice", global: buffers, first: get + "\n_v.Reset()", then: "pool#.Put(_v)\npool#.Put(_v)"},
	{rule: "pooluseafterput", name: "written", global: buffers, first: get + "\n_v.Reset()\npool#.Put(_v)", then: "_v.WriteByte('x')"},
	{rule: "poolmismatch", name: "value for pointer", global: "var pool# = _sync.Pool{New: func() any { return new([]byte) }}",
		first: "_v := pool#.Get().(*[]byte)", then: "*_v = (*_v)[:0]\npool#.Put(*_v)"},
	{rule: "poolmismatch", name: "pointer to a local", global: buffers, first: get, then: "_v.Reset()\npool#.Put(&_v)"},
	{rule: "poolmismatch", name: "another pool", global: buffers + "\n\nvar other# = _sync.Pool{New: func() any { return new(_bytes.Reader) }}\n\nfunc read#() int {\nr := other#.Get().(*_bytes.Reader)\ndefer other#.Put(r)\nr.Reset(nil)\nreturn r.Len()\n}",
		first: get, then: "_v.Reset()\nother#.Put(_v)"},
	{rule: "poolmismatch", name: "New for Get", global: buffers, first: "_v := pool#.New().(*_bytes.Buffer)\n_v.WriteString(\"#\")", then: "_v.Reset()\npool#.Put(_v)"},
	{rule: "poolnonpointer", name: "slices", global: "var pool# = _sync.Pool{New: func() any { return make([]byte, 0, 64) }}",
		first: "_v := pool#.Get().([]byte)[:0]", then: "pool#.Put(_v[:0])"},
	{rule: "poolnoreset", name: "buffer", global: buffers, first: get + "\n_v.WriteString(\"#\")", then: "_ = _v.Len()\npool#.Put(_v)"},
	{rule: "poolnoreset", name: "buffer, deferred", global: buffers, first: get + "\ndefer pool#.Put(_v)", then: "_v.WriteString(\"#\")\n_ = _v.Len()"},
	{rule: "poolunbounded", name: "buffer", global: buffers, first: get + "\n_v.Reset()\nfor _, x := range _os.Args {\n_v.WriteString(x)\n}", then: "_ = _v.Len()\npool#.Put(_v)"},
	{rule: "poolunbounded", name: "slice", global: "var pool# = _sync.Pool{New: func() any { return new([]string) }}",
		first: "_v := pool#.Get().(*[]string)\n*_v = append((*_v)[:0], _os.Args...)", then: "_ = len(*_v)\npool#.Put(_v)"},
	{rule: "poollocal", name: "variable", first: "var pool# _sync.Pool\n_v, _ := pool#.Get().(*_bytes.Buffer)\nif _v == nil {\n_v = new(_bytes.Buffer)\n}\n_v.Reset()", then: "pool#.Put(_v)"},
	{rule: "poollocal", name: "with New", first: "pool# := _sync.Pool{New: func() any { return new(_bytes.Buffer) }}\n" + get + "\n_v.Reset()", then: "pool#.Put(_v)"},

	{rule: "arenamissingfree", name: "never", first: "_v := _arena.NewArena()\nn# := _arena.New[int](_v)", then: "*n#++"},
	{rule: "arenamissingfree", name: "of a pool", global: "var pool# _arena.Pool", first: "_v := pool#.Get()\nn# := _arena.New[int](_v)", then: "*n#++"},
	{rule: "arenamissingfree", name: "on a path", global: "var pool# _arena.Pool", first: "_v := pool#.Get()\nif *_arena.New[int](_v) > 0 {\npanic(\"#\")\n}", then: "_v.Free()"},
	{rule: "arenadoublefree", name: "twice", first: "_v := _arena.NewArena()\n_ = _arena.New[int](_v)", then: "_v.Free()\n_v.Free()"},
	{rule: "arenauseafterfree", name: "read", global: "var pool# = &_arena.Pool{Policy: _arena.RecycleTyped}", first: "_v := pool#.Get()\nn# := _arena.New[int](_v)\n_v.Free()", then: "*n#++"},
	{rule: "arenaescape", name: "stored", global: "var kept# *int\n\nvar pool# = &_arena.Pool{Policy: _arena.RecycleAll}", first: "_v := pool#.Get()\ndefer _v.Free()", then: "kept# = _arena.New[int](_v)"},
	{rule: "arenaappend", name: "elements", first: "_v := _arena.NewArena()\ndefer _v.Free()\ns# := _arena.MakeSlice[string](_v, 1, 1)", then: "s# = append(s#, \"#\")\n_ = len(s#)"},
	{rule: "arenaappend", name: "a slice", first: "_v := _arena.NewArena()\ndefer _v.Free()\ns# := _arena.MakeSlice[string](_v, 2, 2)", then: "s# = append(s#, []string{\"#\", \"\"}...)\n_ = len(s#)"},
	{rule: "arenashared", name: "in a loop", first: "_v := _arena.NewArena()\ndefer _v.Free()\nvar wg# _sync.WaitGroup\nfor range 2 {\nwg#.Add(1)\ngo func() {\ndefer wg#.Done()\n*_arena.New[int](_v) = #\n}()\n}", then: "wg#.Wait()"},
	{rule: "freenotdeferred", name: "at the end", last: true, first: "_v := _arena.NewArena()\nn# := _arena.New[int](_v)\n*n# = len(_os.Getenv(\"#\"))", then: "_v.Free()"},

	{rule: "poolmissingput", name: "a Put removed", removed: "Put"},
	{rule: "pooldoubleput", name: "a Put twice", doubled: "Put"},
	{rule: "arenamissingfree", name: "a Free removed", removed: "Free"},
	{rule: "arenadoublefree", name: "a Free twice", doubled: "Free"},

	{rule: "lessgcdirective", name: "a line", first: "//lessgc:ignore poolalias nothing is pooled here\n_ = #"},
	{rule: "lessgcdirective", name: "behind code", first: "_ = # //lessgc:ignore poolalias,pooldoubleput nothing is pooled here"},
	{rule: "lessgcdirective", name: "one of two rules", global: buffers, first: "//lessgc:ignore poolalias,poolmissingput it is needed once\n" + get + "\n_v.Reset()"},

	{rule: "lessgcrenamed", name: "AppendSlice", first: "_v := _arena.NewArena()\ndefer _v.Free()\ns# := _arena.AppendSlice(_v, nil, []int{#})", then: "_ = len(s#)"},
	{rule: "lessgcrenamed", name: "Sprintf", first: "_v := _arena.NewArena()\ndefer _v.Free()\ns# := _v.Sprintf(\"%d\", #)", then: "_ = len(s#)"},
	{rule: "lessgcrenamed", name: "KeepAll", first: "_v := _arena.NewArena()\n_v.KeepAll()"},
	{rule: "lessgcrenamed", name: "NewBuilder", first: "_v := _arena.NewArena()\ndefer _v.Free()\ns# := _arena.NewBuilder(_v)", then: "_ = s#"},
	{rule: "lessgcrenamed", name: "DeepClone", first: "s# := _arena.DeepClone([]int{#})", then: "_ = s#"},
}

// imports are the packages that the text of a mistake names by an underscore.
var imports = []string{"bytes", "sync", "os", "lessgc/arena"}

// variables are the names that a value may have. One that the file knows is not taken.
var variables = []string{"b", "buf", "v", "a", "scratch", "data", "tmp", "value"}

// A host is a function whose body can take a mistake.
type host struct {
	fset *token.FileSet
	file *ast.File
	fn   *ast.FuncDecl
	src  []byte
}

// hosts returns the functions of a file with a body of their own.
func hosts(src []byte) []host {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments)
	if err != nil {
		return nil
	}
	var all []host
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && len(fn.Body.List) > 0 && fn.Name.Name != "init" {
			all = append(all, host{fset, file, fn, src})
		}
	}
	return all
}

// bytesResult returns a return statement of the function whose results have one of type
// []byte that is not a constant, and the index of it.
func (p host) bytesResult(r *rand.Rand) (*ast.ReturnStmt, int) {
	if p.fn.Type.Results == nil {
		return nil, 0
	}
	at, n := -1, 0
	for _, f := range p.fn.Type.Results.List {
		if t, ok := f.Type.(*ast.ArrayType); ok && t.Len == nil {
			if id, ok := t.Elt.(*ast.Ident); ok && id.Name == "byte" && at < 0 {
				at = n
			}
		}
		n += max(1, len(f.Names))
	}
	var all []*ast.ReturnStmt
	ast.Inspect(p.fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.SwitchStmt, *ast.SelectStmt, *ast.TypeSwitchStmt: // no block of their own
			return false
		case *ast.ReturnStmt:
			if at < len(n.Results) && at >= 0 {
				if id, ok := n.Results[at].(*ast.Ident); !ok || id.Name != "nil" {
					all = append(all, n)
				}
			}
		}
		return true
	})
	if at < 0 || len(all) == 0 {
		return nil, 0
	}
	return all[r.IntN(len(all))], at
}

// release returns a statement of the function that calls a method with the name, or defers
// that, and the text of the call; nil if there is none.
func (p host) release(method string, r *rand.Rand) (ast.Stmt, string) {
	var all []ast.Stmt
	var texts []string
	ast.Inspect(p.fn.Body, func(n ast.Node) bool {
		var call *ast.CallExpr
		switch n := n.(type) {
		case *ast.ExprStmt:
			call, _ = n.X.(*ast.CallExpr)
		case *ast.DeferStmt:
			call = n.Call
		}
		if call == nil {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == method && len(call.Args) < 2 {
			all = append(all, n.(ast.Stmt))
			texts = append(texts, string(p.src[p.fset.Position(call.Pos()).Offset:p.fset.Position(call.End()).Offset]))
		}
		return true
	})
	if len(all) == 0 {
		return nil, ""
	}
	i := r.IntN(len(all))
	return all[i], texts[i]
}

// rare reports whether a mistake fits few functions.
func (m *mistake) rare() bool { return m.result+m.removed+m.doubled != "" }

// fits reports whether the function has what a rare mistake needs.
func (p host) fits(m mistake, r *rand.Rand) bool {
	stmt, _ := p.release(m.removed+m.doubled, r)
	ret, _ := p.bytesResult(r)
	return m.result != "" && ret != nil || m.removed+m.doubled != "" && stmt != nil
}

// inject returns the file with a mistake in the function, or nil if it does not fit. The
// file stays formatted if it was, but for one in eight; one in sixteen gets the line ends of Windows.
func (p host) inject(m mistake, n int, r *rand.Rand) []byte {
	name := p.variable(r)
	if name == "" {
		return nil
	}
	names, added := p.packages(m)
	expand := func(text string) string {
		for path, name := range names {
			text = strings.ReplaceAll(text, "_"+base(path)+".", name+".")
		}
		text = strings.ReplaceAll(text, "_v", name)
		return strings.ReplaceAll(text, "#", strconv.Itoa(n))
	}
	edits := map[int]string{}
	list := p.fn.Body.List
	offset := func(pos token.Pos) int { return p.fset.Position(pos).Offset }
	before := func(k int) int { return offset(list[k].Pos()) }
	if method := m.removed + m.doubled; method != "" {
		stmt, call := p.release(method, r)
		if stmt == nil {
			return nil
		}
		from, to := offset(stmt.Pos()), offset(stmt.End())
		_, deferred := stmt.(*ast.DeferStmt)
		switch {
		case m.removed != "":
			edits[from] = "_ = #\n"
		case deferred: // and once more at the end
			edits[before(len(list)-1)] = call + "\n"
			to = from
		default:
			edits[from] = call + "\n" + call
		}
		if m.removed != "" {
			edits[from] = expand(edits[from])
		}
		return p.apply(m, r, edits, map[int]int{from: to}, added, expand)
	}
	if m.result != "" {
		ret, at := p.bytesResult(r)
		if ret == nil {
			return nil
		}
		var results []string
		for _, e := range ret.Results {
			results = append(results, string(p.src[offset(e.Pos()):offset(e.End())]))
		}
		text := result.ReplaceAllLiteralString(expand(m.result), results[at])
		lines := strings.Split(text, "\n")
		last := len(lines) - 1
		results[at] = strings.TrimPrefix(lines[last], "return ")
		lines[last] = "return " + strings.Join(results, ", ")
		edits[offset(ret.Pos())] = strings.Join(lines, "\n")
		return p.apply(m, r, edits, map[int]int{offset(ret.Pos()): offset(ret.End())}, added, expand)
	}
	i := r.IntN(len(list))
	j := i + r.IntN(len(list)-i)
	if m.last {
		j = len(list) - 1
	}
	edits[before(i)] = expand(m.first) + "\n"
	if m.then != "" {
		edits[before(j)] += expand(m.then) + "\n"
	}
	return p.apply(m, r, edits, nil, added, expand)
}

// apply puts texts at offsets, in place of what reaches to the ends, and adds imports and
// declarations.
func (p host) apply(m mistake, r *rand.Rand, edits map[int]string, ends map[int]int, added []string, expand func(string) string) []byte {
	if len(added) > 0 {
		at := p.fset.Position(p.file.Name.End()).Offset
		if n := len(p.file.Imports); n > 0 {
			for _, d := range p.file.Decls {
				if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
					at = p.fset.Position(g.End()).Offset
				}
			}
		}
		text := "\n"
		for _, path := range added {
			text += fmt.Sprintf("\nimport %q", path)
		}
		edits[at] = text + "\n"
	}
	offsets := make([]int, 0, len(edits))
	for at := range edits {
		offsets = append(offsets, at)
	}
	slices.Sort(offsets)
	var out bytes.Buffer
	from := 0
	for _, at := range offsets {
		out.Write(p.src[from:at])
		out.WriteString(edits[at])
		from = max(at, ends[at])
	}
	out.Write(p.src[from:])
	if m.global != "" {
		out.WriteString("\n" + expand(m.global) + "\n")
	}
	clean, err := format.Source(out.Bytes())
	if err != nil {
		return nil
	}
	if was, err := format.Source(p.src); err != nil || !bytes.Equal(was, p.src) || r.IntN(8) == 0 {
		clean = out.Bytes()
	}
	if r.IntN(16) == 0 {
		clean = bytes.ReplaceAll(clean, []byte("\n"), []byte("\r\n"))
	}
	return clean
}

// result stands for what is returned, in the text of a mistake.
var result = regexp.MustCompile(`\bX\b`)

// variable is a name that the file does not know.
func (p host) variable(r *rand.Rand) string {
	known := map[string]bool{}
	ast.Inspect(p.file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			known[id.Name] = true
		}
		return true
	})
	for _, i := range r.Perm(len(variables)) {
		if !known[variables[i]] {
			return variables[i]
		}
	}
	return ""
}

// packages returns the names of the packages that a mistake needs, by path, and which the
// file has to import.
func (p host) packages(m mistake) (names map[string]string, added []string) {
	names = map[string]string{}
	text := m.first + m.then + m.result + m.global
	for _, path := range imports {
		if !strings.Contains(text, "_"+base(path)+".") {
			continue
		}
		names[path] = base(path)
		known := false
		for _, spec := range p.file.Imports {
			if value, err := strconv.Unquote(spec.Path.Value); err == nil && value == path {
				known = true
				if spec.Name != nil {
					names[path] = spec.Name.Name
				}
			}
		}
		if !known {
			added = append(added, path)
		}
	}
	return names, added
}

// base is the name of a package by its path.
func base(p string) string { return path.Base(p) }
