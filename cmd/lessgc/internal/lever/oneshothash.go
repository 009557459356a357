package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

var oneShotHash = &Lever{
	Name:    "one-shot-hash",
	Title:   "hash the bytes with the function that returns the sum as an array",
	Subject: "hash bytes in one call",
	Looks:   "a hash of the standard library that is made, written to once, and asked for its sum: sha256.New, Write and Sum(nil), for which there is sha256.Sum256.",
	Wrong:   "when the sum is kept: then its memory stays, and only that of the hash goes, unless the compiler has it on the stack already.",
	Before: `h := md5.New()
io.WriteString(h, name)
return hex.EncodeToString(h.Sum(nil))`,
	After: `sum := md5.Sum([]byte(name))
return hex.EncodeToString(sum[:])`,
	Model: "The hash goes, and what an interface copies of a text that is written to it; the sum is an array on the stack unless it is kept.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.8, 1}, Collect: Range{0.8, 1}},
	Rewrite: "The hash is a local variable that is used twice: it is written one operand, whose results nothing takes, or only a check of the error that a hash never returns, but md5 and sha1 do where FIPS 140 is enforced; and in the next statement it is asked for its sum, once, in no loop and no function literal, so that each sum has memory of its own. " +
		"The operand is evaluated where it was before. A table is a constant one, or cannot change until then. " +
		"A sum is as long as its array; where Sum would have had more capacity than that, of 20 and 28 bytes, it is only read. The names of the types that are written mean these, and the variable has a name that nothing else in the function has.",
	find: findOneShotHash,
}

// A oneShot is the function that hashes bytes at once, as a constructor of its package does.
type oneShot struct {
	name string // in its package
	size int    // of the array in bytes; 0 if it returns a number
}

// oneShots maps constructors of hashes.
var oneShots = map[string]oneShot{
	"crypto/md5.New": {"Sum", 16}, "crypto/sha1.New": {"Sum", 20}, "crypto/sha256.New": {"Sum256", 32}, "crypto/sha256.New224": {"Sum224", 28},
	"crypto/sha512.New": {"Sum512", 64}, "crypto/sha512.New384": {"Sum384", 48}, "crypto/sha512.New512_224": {"Sum512_224", 28}, "crypto/sha512.New512_256": {"Sum512_256", 32},
	"crypto/sha3.New224": {"Sum224", 28}, "crypto/sha3.New256": {"Sum256", 32}, "crypto/sha3.New384": {"Sum384", 48}, "crypto/sha3.New512": {"Sum512", 64},
	"hash/crc32.NewIEEE": {"ChecksumIEEE", 0}, "hash/crc32.New": {"Checksum", 0}, "hash/crc64.New": {"Checksum", 0}, "hash/adler32.New": {"Checksum", 0},
}

// roomExact reports whether Sum returns a slice without room beyond its end: append takes a class of sizes.
func (o oneShot) roomExact() bool { return o.size%16 == 0 }

// A hashing is a hash in a local variable that is written to once, and asked for its sum once.
type hashing struct {
	oneShot
	v     *types.Var
	made  *ast.AssignStmt
	call  *ast.CallExpr // of the constructor
	write *ast.CallExpr // of Write, or of io.WriteString
	sum   *ast.CallExpr
}

func findOneShotHash(p *Line) (f Finding) {
	for _, c := range p.called() {
		h := p.hashed(c.call)
		if h == nil {
			continue
		}
		share := p.below(c.fn)
		switch c.call {
		case h.sum:
			if share = p.through(sumNames...); h.size == 0 || !p.onlyReadBytes(h.sum, stackOf(p.file, h.sum), false) {
				share = 0 // it is as large as it was
			}
		case h.write:
			share += p.alone(func(n ast.Node) bool { return h.write.Pos() <= n.Pos() && n.End() <= h.write.End() })
		}
		if share == 0 {
			continue
		}
		return Finding{Share: share, Edits: p.hashAtOnce(h), Evidence: []Evidence{
			p.at(h.call.Pos(), fmt.Sprintf("a hash is made to be written to once: %s does it without one", h.name)),
		}}
	}
	return f
}

// sumNames are the methods Sum of hashes, as profiles name them.
var sumNames = []string{"hash.Hash.Sum", "crypto/md5.(*digest).Sum", "crypto/sha1.(*digest).Sum", "crypto/internal/fips140/sha256.(*Digest).Sum", "crypto/internal/fips140/sha512.(*Digest).Sum",
	"crypto/internal/fips140/sha3.(*Digest).Sum", "crypto/sha3.(*SHA3).Sum"}

// hashed returns the hashing that a call is part of, as its constructor, Write or Sum; nil if there is none.
func (p *Line) hashed(call *ast.CallExpr) *hashing {
	made := call
	if fn := p.callee(call); oneShots[fn.FullName()].name == "" {
		of := call.Fun
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			of = sel.X
		}
		if fn.FullName() == "io.WriteString" {
			of = call.Args[0]
		}
		v := p.local(of)
		if v == nil {
			return nil
		}
		d, _ := p.define(p.unit, v)
		if made, _ = ast.Unparen(d.value).(*ast.CallExpr); made == nil {
			return nil
		}
	}
	h := p.hashOf(made)
	if h == nil || call != h.call && call != h.write && call != h.sum {
		return nil
	}
	return h
}

// hashOf returns the hashing that the call of a constructor begins; nil if it is none.
func (p *Line) hashOf(made *ast.CallExpr) *hashing {
	fn := p.callee(made)
	if fn == nil || oneShots[fn.FullName()].name == "" || !p.isStandard(fn) {
		return nil
	}
	assign, ok := innermost(stackOf(p.file, made)).(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 {
		return nil
	}
	h := &hashing{oneShot: oneShots[fn.FullName()], v: p.local(assign.Lhs[0]), made: assign, call: made}
	if h.v == nil {
		return nil
	}
	all := p.mentions(p.unit, h.v)
	if len(all) != 2 {
		return nil
	}
	h.write, h.sum = p.writesOnce(all[0]), p.asksSum(all[1], h.size)
	if h.write == nil || h.sum == nil {
		return nil
	}
	return h
}

// writesOnce is the call of Write, or of io.WriteString, that a mention of a hash is written to by.
func (p *Line) writesOnce(m mention) *ast.CallExpr {
	switch parent := m.parent().(type) {
	case *ast.CallExpr:
		if fn := p.callee(parent); fn != nil && fn.FullName() == "io.WriteString" && ast.Unparen(parent.Args[0]) == m.id && len(parent.Args) == 2 {
			return parent
		}
	case *ast.SelectorExpr:
		if call := calledMethod(m, parent, "Write"); call != nil && len(call.Args) == 1 {
			return call
		}
	}
	return nil
}

// asksSum is the call that asks a hash for its sum.
func (p *Line) asksSum(m mention, size int) *ast.CallExpr {
	sel, ok := m.parent().(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	if size > 0 {
		if call := calledMethod(m, sel, "Sum"); call != nil && len(call.Args) == 1 && p.pkg.TypesInfo.Types[ast.Unparen(call.Args[0])].IsNil() {
			return call
		}
		return nil
	}
	if call := calledMethod(m, sel, "Sum32"); call != nil {
		return call
	}
	return calledMethod(m, sel, "Sum64")
}

// calledMethod is the call of a method of a mention; nil if it is not called there.
func calledMethod(m mention, sel *ast.SelectorExpr, name string) *ast.CallExpr {
	call, ok := innermost(m.stack[:slices.Index(m.stack, ast.Node(sel))]).(*ast.CallExpr)
	if !ok || sel.Sel.Name != name || ast.Unparen(call.Fun) != sel {
		return nil
	}
	return call
}

// hashAtOnce replaces a hash by the function that hashes at once: nil where that would differ.
func (p *Line) hashAtOnce(h *hashing) []Edit {
	writes := p.ignored(h)
	pkg, more, ok := p.importing(p.callee(h.call).Pkg().Path())
	if writes == nil || !ok || len(more) > 0 || !p.inSteps(h, writes) || !p.takesSum(h) || p.jumps(h.call.Pos()) {
		return nil
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
	for _, n := range stackOf(p.file, h.sum) {
		if n.Pos() < asks.Pos() {
			continue
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

// takesSum reports whether an array takes the place of the slice that Sum returns: it is used, and its capacity is that of the slice, or
// nothing sees it.
func (p *Line) takesSum(h *hashing) bool {
	stack := stackOf(p.file, h.sum)
	switch innermost(stack).(type) {
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		return false
	}
	return h.size == 0 || h.roomExact() || p.onlyReadBytes(h.sum, stack, true)
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

// bytesReaders are functions that only read the bytes that they are given.
var bytesReaders = map[string]bool{
	"encoding/hex.EncodeToString": true, "(*encoding/base64.Encoding).EncodeToString": true, "(*encoding/base32.Encoding).EncodeToString": true,
	"bytes.Equal": true, "bytes.Compare": true, "bytes.HasPrefix": true, "crypto/hmac.Equal": true, "crypto/subtle.ConstantTimeCompare": true,
}

// onlyReadBytes reports whether a slice of bytes is only read: nothing keeps it, and nothing asks for its capacity. Package fmt, if it counts,
// reads it on the heap.
func (p *Line) onlyReadBytes(e ast.Expr, stack []ast.Node, formatted bool) bool {
	for i, n := range slices.Backward(stack) {
		switch n := n.(type) {
		case *ast.ParenExpr:
			e = n
			continue
		case *ast.SliceExpr:
			if n.X == e && n.High == nil && n.Max == nil {
				e = n
				continue
			}
		case *ast.IndexExpr:
			return n.X == e && !p.elementTaken(n, stack[:i]) && !stores(innermost(stack[:i]), n)
		case *ast.RangeStmt:
			return n.X == e
		case *ast.CallExpr:
			if fn := p.callee(n); formatted && fn != nil {
				if _, formats := formatters[fn.FullName()]; formats {
					return true
				}
			}
			return p.readsBytes(n, e)
		case *ast.AssignStmt:
			v := p.local(n.Lhs[0])
			return n.Tok == token.DEFINE && len(n.Lhs) == 1 && v != nil && p.setOnce(v) && !slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
				return within(m.stack, v.Pos()) != nil || !p.onlyReadBytes(m.id, m.stack, formatted)
			})
		}
		return false
	}
	return false
}

// readsBytes reports whether a call only reads an argument of bytes.
func (p *Line) readsBytes(call *ast.CallExpr, e ast.Expr) bool {
	last := call.Args[max(len(call.Args)-1, 0)]
	switch {
	case p.pkg.TypesInfo.Types[call.Fun].IsType():
		_, array := p.typeOf(call).Underlying().(*types.Array)
		return array || isString(p.typeOf(call))
	case p.builtin(call, "copy") != nil, p.builtin(call, "append") != nil && call.Ellipsis.IsValid():
		return last == e && call.Args[0] != e
	case p.builtin(call, "len") != nil:
		return true
	}
	fn := p.callee(call)
	if fn == nil || !slices.Contains(call.Args, e) {
		return false
	}
	name := fn.FullName()
	return bytesReaders[name] || strings.HasPrefix(name, "(encoding/binary.") && strings.Contains(name, ").Uint")
}
