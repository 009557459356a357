package gosyntax

import (
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

// diff returns where two trees first differ, "" if they do not: in a value, in
// a position, in nil against empty, or in which places share a node.
func diff(got, want *ast.File) string {
	c := comparer{map[unsafe.Pointer]unsafe.Pointer{}, map[unsafe.Pointer]unsafe.Pointer{}}
	return c.diff(reflect.ValueOf(got), reflect.ValueOf(want))
}

// A comparer pairs the pointers of two trees. No two nodes of a tree have the
// same address.
type comparer struct {
	wantOf, gotOf map[unsafe.Pointer]unsafe.Pointer
}

func (c *comparer) diff(got, want reflect.Value) string {
	switch got.Kind() {
	case reflect.Pointer:
		return c.diffPointer(got, want)
	case reflect.Interface:
		if got.IsNil() || want.IsNil() {
			return diffNil(got, want)
		}
		if got.Elem().Type() != want.Elem().Type() {
			return fmt.Sprintf(": got a %v, want a %v", got.Elem().Type(), want.Elem().Type())
		}
		return c.diffPointer(got.Elem(), want.Elem())
	case reflect.Struct:
		for i := range got.NumField() {
			if d := c.diff(got.Field(i), want.Field(i)); d != "" {
				return "." + got.Type().Field(i).Name + d
			}
		}
		return ""
	case reflect.Slice:
		return c.diffSlice(got, want)
	}
	if !got.Equal(want) {
		return fmt.Sprintf(": got %v, want %v", got, want)
	}
	return ""
}

func (c *comparer) diffSlice(got, want reflect.Value) string {
	if got.Len() != want.Len() || got.IsNil() != want.IsNil() {
		return fmt.Sprintf(": got %d elements (nil: %v), want %d (nil: %v)", got.Len(), got.IsNil(), want.Len(), want.IsNil())
	}
	for i := range got.Len() {
		if d := c.diff(got.Index(i), want.Index(i)); d != "" {
			return fmt.Sprintf("[%d]%s", i, d)
		}
	}
	return ""
}

func (c *comparer) diffPointer(got, want reflect.Value) string {
	if got.IsNil() || want.IsNil() {
		return diffNil(got, want)
	}
	p, q := got.UnsafePointer(), want.UnsafePointer()
	wasQ, seenP := c.wantOf[p]
	wasP, seenQ := c.gotOf[q]
	if seenP || seenQ {
		if wasQ != q || wasP != p {
			return ": shared with another place than it should be"
		}
		return ""
	}
	c.wantOf[p], c.gotOf[q] = q, p
	return c.diff(got.Elem(), want.Elem())
}

func diffNil(got, want reflect.Value) string {
	if got.IsNil() && want.IsNil() {
		return ""
	}
	return fmt.Sprintf(": got %v, want %v", got, want)
}

// diffLines returns where the lines of two file sets first differ: at one of
// the given positions, or in how many there are.
func diffLines(got, want *token.FileSet, positions []token.Pos) string {
	g, w := got.File(1), want.File(1)
	if g.Size() != w.Size() || g.LineCount() != w.LineCount() {
		return fmt.Sprintf("%d bytes in %d lines, want %d in %d", g.Size(), g.LineCount(), w.Size(), w.LineCount())
	}
	for _, pos := range positions {
		if got.Position(pos) != want.Position(pos) || got.PositionFor(pos, false) != want.PositionFor(pos, false) {
			return fmt.Sprintf("position %d is %v, want %v", pos, got.Position(pos), want.Position(pos))
		}
	}
	return ""
}

// TestDiff checks that diff and diffLines find what they are for.
func TestDiff(t *testing.T) {
	parse := func(src string) *ast.File {
		_, f, err := reference([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	check := func(got, want *ast.File, message string) {
		t.Helper()
		if d := diff(got, want); !strings.Contains(d, message) || (d == "") != (message == "") {
			t.Errorf("difference %q, want one about %q", d, message)
		}
	}
	const src = "package p; import \"a\"; var b = c(1)"
	check(parse(src), parse(src), "")
	check(parse(src), parse(strings.Replace(src, "c(1)", "d(1)", 1)), ".Fun.Name: got c, want d")
	check(parse(src), parse(strings.Replace(src, " b", "  b", 1)), "NamePos")
	check(parse(src), parse(strings.Replace(src, "c(1)", "c{1}", 1)), "got a *ast.CallExpr, want a *ast.CompositeLit")
	check(parse(src), parse(strings.Replace(src, "(1)", "()", 1)), "got 1 elements")
	empty := parse(src)
	empty.Comments = []*ast.CommentGroup{}
	check(parse(src), empty, "nil: true")
	shared := parse(src)
	shared.Imports = []*ast.ImportSpec{parse(src).Imports[0]}
	check(shared, parse(src), "shared with another place")
	check(parse(src), shared, "shared with another place")
	got, _, _ := reference([]byte("package p\n"))
	want, _, _ := reference([]byte("package\np"))
	if d := diffLines(got, want, nil); d == "" {
		t.Error("no difference between one line and two")
	}
}
