package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// hashAtOnce replaces a hash by the function that hashes at once: nil where that would differ.
func (p *Line) hashAtOnce(h *hashing) []Edit {
	writes := p.ignored(h)
	pkg, more, ok := p.importing(p.callee(h.call).Pkg().Path())
	if writes == nil || !ok || len(more) > 0 || !p.inSteps(h, writes) || !p.takesSum(h) || p.jumps(h.call.Pos()) {
		return nil
	}
	if sel, ok := ast.Unparen(h.call.Fun).(*ast.SelectorExpr); !ok || p.text(sel.X) != pkg {
		return nil // the file has the package by two names
	}
	data := h.write.Args[len(h.write.Args)-1]
	arg := p.text(data)
	if p.callee(h.write).Name() == "WriteString" {
		if arg = "[]byte(" + arg + ")"; p.shadows("byte", data.Pos()) {
			return nil
		}
	}
	if len(h.call.Args) == 1 {
		if !p.sameTable(h, data) {
			return nil
		}
		arg += ", " + p.text(h.call.Args[0])
	}
	n := p.hashesBefore(h.call)
	name := p.freeName(numbered("sum", n), numbered("digest", n), numbered("checksum", n))
	if name == "" {
		return nil
	}
	texts := map[ast.Node]string{writes: name + " := " + pkg + "." + h.name + "(" + arg + ")", h.sum: name}
	if h.size > 0 && !p.cutOrIndexed(h) {
		texts[h.sum] += "[:]"
	}
	edits, replaced := p.instead(texts)
	gone, ok := p.withoutStatement(h.made)
	if !ok || !replaced {
		return nil
	}
	return append([]Edit{gone}, edits...)
}

// hashesBefore is the number of a constructor among those that the declared function around it calls: each sum has a name of its own.
func (p *Line) hashesBefore(call *ast.CallExpr) int {
	n := 1
	ast.Inspect(p.top(p.unit, call.Pos()).node, func(node ast.Node) bool {
		if other, ok := node.(*ast.CallExpr); ok && other.Pos() < call.Pos() {
			if fn := p.callee(other); fn != nil && oneShots[fn.FullName()].name != "" {
				n++
			}
		}
		return true
	})
	return n
}

// ignored is the statement that writes to a hash, whose results nothing takes, or only one that returns for an error; nil if it is part of
// another one.
func (p *Line) ignored(h *hashing) ast.Stmt {
	stack := stackOf(p.file, h.write)
	switch n := innermost(stack).(type) {
	case *ast.ExprStmt:
		return n
	case *ast.AssignStmt:
		if p.unheard(h.write) && len(n.Rhs) == 1 {
			return n
		}
		if check, ok := innermost(stack[:slices.Index(stack, ast.Node(n))]).(*ast.IfStmt); ok && check.Init == n && p.checksError(check, n) && !fipsFails[p.callee(h.call).Pkg().Path()] {
			return check
		}
	}
	return nil
}

// fipsFails are the packages of hashes whose Write fails where only FIPS 140 is allowed. Others never do, as package hash says.
var fipsFails = map[string]bool{"crypto/md5": true, "crypto/sha1": true}

// checksError reports whether a statement returns if a write has failed, and is the only use of nothing that has to be used.
func (p *Line) checksError(check *ast.IfStmt, write *ast.AssignStmt) bool {
	cond, ok := ast.Unparen(check.Cond).(*ast.BinaryExpr)
	if !ok || cond.Op != token.NEQ || !p.isNil(cond.Y) || check.Else != nil || len(check.Body.List) != 1 || write.Tok != token.DEFINE || !isBlank(write.Lhs[0]) {
		return false
	}
	err := p.local(write.Lhs[1])
	_, returns := check.Body.List[0].(*ast.ReturnStmt)
	top := p.top(p.unit, check.Pos())
	if err == nil || p.local(cond.X) != err || !returns || top == nil {
		return false
	}
	return !below(check.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		v := (*types.Var)(nil)
		if ok {
			v = p.local(id)
		}
		return v != nil && v != err && v.Pos() > top.body.Pos()
	})
}

// following is where the statement behind one begins, which is in a list.
func (p *Line) following(stmt ast.Stmt) token.Pos {
	stack := stackOf(p.file, stmt)
	list := statements(stack[len(stack)-1])
	return list[slices.Index(list, stmt)+1].Pos()
}

// inSteps reports whether a hash is made, written to and asked for its sum in statements of one list, the last two one after the
// other, and where the sum is asked for at most once.
func (p *Line) inSteps(h *hashing, writes ast.Stmt) bool {
	stack := stackOf(p.file, h.made)
	if len(stack) == 0 {
		return false
	}
	list := statements(stack[len(stack)-1])
	first, second := slices.Index(list, ast.Stmt(h.made)), slices.Index(list, writes)
	if first < 0 || second <= first || second+1 >= len(list) {
		return false
	}
	asks := list[second+1]
	if h.sum.Pos() < asks.Pos() || asks.End() < h.sum.End() {
		return false
	}
	fails := fipsFails[p.callee(h.call).Pkg().Path()]
	for _, n := range stackOf(p.file, h.sum) {
		if n.Pos() < asks.Pos() {
			continue
		}
		if _, simple := n.(ast.Expr); fails && !simple && n != ast.Node(asks) || fails && mayNotRun(n) {
			return false // it would fail where no sum is asked for
		}
		switch n := n.(type) {
		case *ast.ForStmt, *ast.FuncLit:
			return false
		case *ast.RangeStmt:
			if n.Body.Pos() <= h.sum.Pos() {
				return false
			}
		}
	}
	return true
}

// mayNotRun reports whether what is below a node may not run.
func mayNotRun(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		return n.Op == token.LAND || n.Op == token.LOR
	case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.RangeStmt:
		return true
	}
	return false
}

// takesSum reports whether an array takes the place of the slice that Sum returns: it is used, and its capacity is that of the slice, or
// nothing sees it.
func (p *Line) takesSum(h *hashing) bool {
	stack := stackOf(p.file, h.sum)
	return hasUse(innermost(stack)) && (h.size == 0 || h.roomExact() || p.onlyReadBytes(h.sum, stack, true))
}

// cutOrIndexed reports whether a sum is cut or indexed at once, as an array may be, which panics in other words where a bound is no constant.
func (p *Line) cutOrIndexed(h *hashing) bool {
	switch n := innermost(stackOf(p.file, h.sum)).(type) {
	case *ast.SliceExpr:
		return n.X == h.sum && !slices.ContainsFunc([]ast.Expr{n.Low, n.High, n.Max}, func(e ast.Expr) bool {
			return e != nil && (p.constantInt(e) < 0 || p.constantInt(e) > int64(h.size))
		})
	case *ast.IndexExpr:
		return n.X == h.sum && p.constantInt(n.Index) < int64(h.size)
	}
	return false
}

// sameTable reports whether the table of a checksum is the same where the bytes are written, in the next statement.
func (p *Line) sameTable(h *hashing, data ast.Expr) bool {
	if p.following(h.made) != p.ignored(h).Pos() {
		return false
	}
	switch table := ast.Unparen(h.call.Args[0]).(type) {
	case *ast.SelectorExpr:
		v, ok := p.pkg.TypesInfo.Uses[table.Sel].(*types.Var)
		return ok && !v.IsField() && v.Pkg() != nil && v.Pkg().Path() == "hash/crc32"
	case *ast.CallExpr:
		fn := p.callee(table)
		return fn != nil && strings.HasSuffix(fn.FullName(), ".MakeTable") && p.isStandard(fn) && len(table.Args) == 1 && p.constant(table.Args[0])
	case *ast.Ident:
		_, variable := p.object(table).(*types.Var)
		return variable && !below(data, p.isCall)
	}
	return false
}
