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
		return Finding{Share: share, Edits: p.hashAtOnce(h), What: "hash with " + h.name, Evidence: []Evidence{
			p.at(h.call.Pos(), fmt.Sprintf("a hash is allocated only to be written to once; %s returns the same sum without one", h.name)),
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
