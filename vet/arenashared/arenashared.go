package arenashared

import (
	_ "embed"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

//go:embed doc.go
var doc string

// Analyzer finds arenas that several goroutines allocate from.
var Analyzer = rule.New("arenashared", doc, false, run, summaries)

func run(pass *rule.Pass) error {
	w := pass.ResultOf[summaries].(*world)
	if w == nil {
		return nil
	}
	c := &check{world: w, pass: pass}
	for _, fn := range w.funcs {
		c.function(fn)
	}
	return nil
}

// A check looks for mistakes.
type check struct {
	*world
	pass *rule.Pass
}

// function looks at the goroutines that fn starts.
func (c *check) function(fn *ssa.Function) {
	starts := c.started(fn)
	for i, s := range starts {
		for _, u := range s.uses {
			if c.one(u.path, u.typ) && !c.locked(fn, u.path) && c.shared(fn, starts, i, u) {
				break
			}
		}
	}
}

// locked reports whether fn calls Share of the arena that p leads to: then each call takes
// a lock.
func (c *check) locked(fn *ssa.Function, p path) bool {
	for call := range ssautil.InstructionsOf[*ssa.Call](fn) {
		if catalog.Is(ssautil.Callee(call.Common()), "(*lessgc/arena.Arena).Share") && c.path(call.Call.Args[0]) == p {
			return true
		}
	}
	return false
}

// shared reports the goroutine i of fn if the arena is used outside of it too.
func (c *check) shared(fn *ssa.Function, starts []start, i int, u use) bool {
	s := starts[i]
	if c.repeated(fn, s, u) {
		c.report(s, u, "goroutines started in this loop allocate from one arena at the same time: two of them get the same memory", rule.Related(u.at, "each of them here"), c.child(s, u))
		return true
	}
	if u.told && signalled(s) {
		return false
	}
	for j, other := range starts {
		if j == i {
			continue
		}
		for _, v := range other.uses {
			if v.path == u.path && !(v.told && signalled(other)) && c.follows(s.instr, other.instr) {
				c.report(other, v, "this goroutine and one that was started before allocate from one arena at the same time: both get the same memory", rule.Related(s.instr.Pos(), "the other one is started here"), nil)
				return true
			}
		}
	}
	return c.starter(fn, s, u)
}

// signalled reports whether what a goroutine receives may be the word of its starter that it
// is its turn: nothing else is known to send on the channel.
func signalled(s start) bool {
	for _, p := range s.gets {
		if _, ok := p.root.(*ssa.MakeChan); ok || p.root == nil {
			return true
		}
		if c, ok := p.typ.Underlying().(*types.Chan); !ok || types.Identical(c.Elem(), types.NewStruct(nil, nil)) {
			return true
		}
	}
	return len(s.gets) == 0
}

// repeated reports whether a loop starts several goroutines that use one arena.
func (c *check) repeated(fn *ssa.Function, s start, u use) bool {
	b := s.instr.Block()
	if !ssautil.Reaches(b, b) || u.free || c.fresh(fn, b, u.path) || limited(fn) {
		return false
	}
	found := false
	after(s.instr, func(instr ssa.Instruction) bool { return c.stops(instr) || c.takesTurns(instr, s) }, func(instr ssa.Instruction) { found = found || instr == s.instr })
	return found
}

// takesTurns reports whether an instruction waits for room in a channel that the goroutine
// makes room in.
func (c *check) takesTurns(instr ssa.Instruction, s start) bool {
	send, ok := instr.(*ssa.Send)
	if !ok {
		return false
	}
	p := c.path(send.Chan)
	return p.root != nil && slices.ContainsFunc(s.gets, func(g channel) bool { return g.path == p }) && !roomy(p.root)
}

// fresh reports whether each turn of the loop that a block is in has an arena of its own.
func (c *check) fresh(fn *ssa.Function, b *ssa.BasicBlock, p path) bool {
	if instr, ok := p.root.(ssa.Instruction); ok && instr.Parent() == fn && (instr.Block() == b || ssautil.SameLoop(instr.Block(), b)) {
		return true
	}
	if p.fields == "" {
		return false
	}
	for _, block := range fn.Blocks {
		if block != b && !ssautil.SameLoop(block, b) {
			continue
		}
		for _, instr := range block.Instrs {
			if s, ok := instr.(*ssa.Store); ok {
				if a, ok := s.Addr.(*ssa.FieldAddr); ok && c.step(a.X, a.Field) == p {
					return true
				}
			}
		}
	}
	return false
}

// limited reports whether fn limits a group to one goroutine at a time.
func limited(fn *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		for call := range ssautil.InstructionsOf[*ssa.Call](fn) {
			if name := ssautil.CalleeName(call.Common()); name != "SetLimit" && name != "WithMaxGoroutines" {
				continue
			}
			if n, ok := call.Call.Args[len(call.Call.Args)-1].(*ssa.Const); ok && n.Int64() == 1 {
				return true
			}
		}
	}
	return false
}

// follows reports whether b can come after a without a wait between them.
func (c *check) follows(a, b ssa.Instruction) bool {
	found := false
	after(a, c.stops, func(instr ssa.Instruction) { found = found || instr == b })
	return found
}

// starter reports a goroutine if the function that starts it goes on using its arena.
func (c *check) starter(fn *ssa.Function, s start, u use) bool {
	var found *use
	look := func(call ssa.CallInstruction) {
		for _, v := range c.used(call) {
			if found == nil && v.path == u.path {
				found = &v
			}
		}
	}
	after(s.instr, c.stops, func(instr ssa.Instruction) {
		switch instr := instr.(type) {
		case *ssa.Call:
			if instr != s.instr {
				look(instr)
			}
		case *ssa.RunDefers:
			if c.waits(fn, s.instr) {
				return
			}
			for d := range ssautil.InstructionsOf[*ssa.Defer](fn) {
				look(d)
			}
		}
	})
	if found == nil {
		return false
	}
	message := "the goroutine allocates from an arena that its parent uses at the same time: both get the same memory"
	if found.free {
		message = "the goroutine allocates from an arena that is freed without waiting for it: it writes to memory already reused"
	}
	c.report(s, u, message, rule.Related(found.at, "the parent uses it here"), nil)
	return true
}

func (c *check) report(s start, u use, message string, related analysis.RelatedInformation, fixes []analysis.SuggestedFix) {
	list := []analysis.RelatedInformation{related}
	if u.at.IsValid() && u.at != related.Pos {
		list = append(list, rule.Related(u.at, "the goroutine uses it here"))
	}
	c.pass.Report(rule.Finding{Pos: s.instr.Pos(), Category: rule.Corruption, Message: message, Related: list, Fixes: fixes})
}

// child fixes a goroutine in a loop that captures an arena of lessgc: it gets a child of
// the arena. There is none if the rest of the loop's body uses the arena as well.
func (c *check) child(s start, u use) []analysis.SuggestedFix {
	if ssautil.TypeName(u.typ) != "lessgc/arena.Arena" || u.path.fields != "" || s.call {
		return nil
	}
	stmt, list := c.statement(s.instr.Pos())
	if stmt == nil {
		return nil
	}
	name := c.mentioned(stmt, u)
	if name == "" {
		return nil
	}
	for _, other := range list {
		if other.Pos() > stmt.Pos() && c.mentions(other, name) {
			return nil
		}
	}
	text := name + " := " + name + ".Child()\n"
	return []analysis.SuggestedFix{{
		Message:   "give each goroutine a child of the arena",
		TextEdits: []analysis.TextEdit{{Pos: stmt.Pos(), End: stmt.Pos(), NewText: []byte(text)}},
	}}
}

// statement is the statement that starts a goroutine at pos, and the list it is in.
func (c *check) statement(pos token.Pos) (stmt ast.Stmt, list []ast.Stmt) {
	for _, file := range c.pass.Files {
		if pos < file.FileStart || pos >= file.FileEnd {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil || pos < n.Pos() || pos >= n.End() {
				return false
			}
			in := statements(n)
			if i := slices.IndexFunc(in, func(s ast.Stmt) bool { return startsAt(s, pos) }); i >= 0 {
				stmt, list = in[i], in
			}
			return true
		})
	}
	return stmt, list
}

// statements returns the list of statements that n is.
func statements(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// startsAt reports whether s is a go statement at pos, or one whose call is at pos, or such a call itself.
func startsAt(s ast.Stmt, pos token.Pos) bool {
	switch s := s.(type) {
	case *ast.GoStmt:
		return s.Pos() == pos || s.Call.Lparen == pos
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return ok && call.Lparen == pos
	}
	return false
}

// mentioned is the name of the one variable of type *Arena in a statement, empty if there
// are several or none.
func (c *check) mentioned(stmt ast.Stmt, u use) string {
	var found types.Object
	several := false
	ast.Inspect(stmt, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := c.pass.TypesInfo.Uses[id].(*types.Var)
		if !ok || v.IsField() || !types.Identical(v.Type(), u.typ) || v.Pos() > stmt.Pos() && v.Pos() < stmt.End() {
			return true
		}
		several = several || found != nil && found != v
		found = v
		return true
	})
	if found == nil || several {
		return ""
	}
	return found.Name()
}

func (c *check) mentions(stmt ast.Stmt, name string) bool {
	found := false
	ast.Inspect(stmt, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			found = true
		}
		return !found
	})
	return found
}
