package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// bytesOfText are the functions whose twins make new bytes: of a short text, in one append or in the smallest room that there is.
var bytesOfText = map[string]bool{"strconv.Itoa": true, "strconv.FormatInt": true, "strconv.FormatUint": true, "fmt.Sprint": true, "fmt.Sprintf": true, "fmt.Sprintln": true}

// asBytes returns the call that makes new bytes of what another makes a string of that becomes bytes: "" if there is none, or the compiler
// does not copy the string.
func (p *Line) asBytes(c called, to twin, conversion *ast.CallExpr) string {
	if conversion == nil || !p.isBytes(conversion) || !bytesOfText[c.name] {
		return ""
	}
	switch parent := innermost(stackOf(p.file, conversion)).(type) {
	case *ast.ReturnStmt, *ast.KeyValueExpr, *ast.CompositeLit:
	case *ast.AssignStmt:
		if i := slices.Index(parent.Rhs, ast.Expr(conversion)); i < 0 || len(parent.Lhs) != len(parent.Rhs) || p.asksForRoom(parent.Lhs[i]) {
			return ""
		}
	case *ast.CallExpr:
		if _, builtin := p.object(parent.Fun).(*types.Builtin); builtin || p.pkg.TypesInfo.Types[parent.Fun].IsType() {
			return ""
		}
		if fn := p.callee(parent); strings.HasPrefix(c.name, "strconv.") && (fn == nil || fn.Signature().Recv() == nil || !types.IsInterface(fn.Signature().Recv().Type())) {
			return "" // what keeps no bytes gets those of a short number on the stack
		}
	default:
		return ""
	}
	return p.appendCall(c, to, "nil")
}

// asksForRoom reports whether bytes are in a local variable whose capacity matters: those of a short text on the stack have more.
func (p *Line) asksForRoom(e ast.Expr) bool {
	v := p.local(e)
	return v != nil && slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool { return p.useOf(m, v) == seesRoom })
}

// neverEmpty reports whether a function makes a text of at least one byte: appended to nil, no bytes are nil.
func (p *Line) neverEmpty(c called) bool {
	switch c.name {
	case "fmt.Sprintf":
		format, ok := p.stringOf(c.call.Args[0])
		return ok && format != "" && (format[0] != '%' || strings.ContainsFunc(format, func(r rune) bool {
			return !strings.ContainsRune("%abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .+-#*[]", r) // it is text, or a bad verb
		}))
	case "fmt.Sprint":
		return slices.ContainsFunc(c.call.Args, func(e ast.Expr) bool {
			text, ok := p.stringOf(e)
			b, basic := types.Unalias(types.Default(p.typeOf(e))).(*types.Basic)
			return ok && basic && text != "" || basic && b.Info()&types.IsNumeric != 0
		})
	}
	return true
}

// ownMemory reports whether what a call appends to is a local slice, which alone refers to its memory at all times, and stays in the
// function: it is made there, appended to and cut, and its bytes are read and written where nothing keeps them.
func (p *Line) ownMemory(appends *ast.CallExpr) bool {
	v := p.local(appends.Args[0])
	if v == nil {
		return false
	}
	d, ok := p.define(p.unit, v)
	return ok && !d.param && !p.isNamedResult(v) && (d.value == nil || p.makesBytes(d.value)) && !slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		return within(m.stack, v.Pos()) != nil || slices.ContainsFunc(m.stack, runsLater) || !p.keepsToItself(m, v)
	})
}

// makesBytes reports whether an expression has new memory, or none.
func (p *Line) makesBytes(e ast.Expr) bool {
	if _, literal := ast.Unparen(e).(*ast.CompositeLit); literal || p.isNil(e) {
		return true
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && (p.builtin(call, "make") != nil || p.copiesText(call))
}

// keepsToItself reports whether a mention of a slice makes nothing else refer to its memory.
func (p *Line) keepsToItself(m mention, v *types.Var) bool {
	if value, set := m.assigned(); set {
		switch value := ast.Unparen(value).(type) {
		case *ast.SliceExpr:
			return p.local(value.X) == v && value.Max == nil && p.cutsEnd(value.High, v)
		case *ast.CallExpr:
			return len(value.Args) > 0 && p.local(value.Args[0]) == v && p.extends(value) || p.makesBytes(value)
		}
		return false
	}
	switch parent := m.parent().(type) {
	case *ast.CallExpr:
		if ast.Unparen(parent.Args[0]) == m.id && p.extends(parent) {
			return p.setsAlone(parent, m.stack, v)
		}
		if fn := p.callee(parent); fn != nil && bytesWriters[fn.FullName()] {
			return true
		}
	case *ast.SliceExpr:
		if parent.X == m.id && p.setsAlone(parent, m.stack, v) {
			return true
		}
	case *ast.IndexExpr:
		return parent.X == m.id && !p.elementTaken(parent, m.stack[:slices.Index(m.stack, ast.Node(parent))])
	}
	return !p.goneOver(m) && p.onlyReadBytes(m.id, m.stack, true)
}

// cutsEnd reports whether an end of a slice is not behind the one it has: what is there, appended texts have been longer for a while.
func (p *Line) cutsEnd(high ast.Expr, v *types.Var) bool {
	if high == nil || p.isZero(high) {
		return true
	}
	less, ok := ast.Unparen(high).(*ast.BinaryExpr)
	if !ok || less.Op != token.SUB || p.constantInt(less.Y) < 0 {
		return false
	}
	call := p.builtin(ast.Unparen(less.X), "len")
	return call != nil && p.local(call.Args[0]) == v
}

// goneOver reports whether a mention of a slice, or of its end, gets another name, or is gone over while it may change.
func (p *Line) goneOver(m mention) bool {
	for _, n := range slices.Backward(m.stack) {
		switch n.(type) {
		case *ast.ParenExpr, *ast.SliceExpr:
			continue
		case *ast.AssignStmt, *ast.RangeStmt, *ast.ValueSpec:
			return true
		}
		return false
	}
	return false
}

// bytesWriters are the methods that copy bytes at once, to where no type of the program is behind.
var bytesWriters = map[string]bool{"(*bytes.Buffer).Write": true, "(*strings.Builder).Write": true, "(*os.File).Write": true}

// extends reports whether a call returns its first argument, and has appended to it.
func (p *Line) extends(call *ast.CallExpr) bool {
	fn := p.callee(call)
	return p.builtin(call, "append") != nil || fn != nil && fn.Signature().Recv() == nil && p.isStandard(fn) && appends(fn.FullName())
}

// setsAlone reports whether what an expression makes of a slice is only set as that slice.
func (p *Line) setsAlone(e ast.Expr, stack []ast.Node, v *types.Var) bool {
	assign, ok := innermost(stack[:slices.Index(stack, ast.Node(e))]).(*ast.AssignStmt)
	return ok && assign.Tok == token.ASSIGN && len(assign.Lhs) == 1 && p.local(assign.Lhs[0]) == v
}
