package catalog

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"
)

// TestMisfits checks which statements are said not to fit a package.
func TestMisfits(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", `package p

type Pool[T any] struct{}

func (p *Pool[T]) Get() *T  { return nil }
func (p *Pool[T]) Put(x *T) {}

type Store interface{ Take() []byte }

type Owner struct{ Pool[int] }

func (o Owner) Bytes() []byte { return nil }

func Get() []byte  { return nil }
func Put(b []byte) {}
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("example.com/p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Parse(`
acquire item (*example.com/p.Pool).Get
release (*example.com/p.Pool).Put 1
acquire item (example.com/p.Store).Take
alias (example.com/p.Owner).Bytes 0
acquire item example.com/p.Get
release example.com/p.Put 0
buffer example.com/p.Pool
release example.com/other.Put 7
calm example.com/p.*

release (*example.com/p.Pool).Get 1
acquire item (*example.com/p.Owner).Bytes
acquire item (example.com/p.Owner).Get
acquire item example.com/p.Pool
acquire item example.com/p
acquire item (*example.com/p.None).Get
buffer example.com/p.Got
same example.com/p.Put 0
`)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.Packages(), []string{"example.com/other", "example.com/p"}; !slices.Equal(got, want) {
		t.Errorf("packages %q, want %q", got, want)
	}
	want := []string{
		"(*example.com/p.Pool).Get is func() *T: statements about other parameters or results are ignored",
		"there is no function (*example.com/p.None).Get; methods are named like (*example.com/p.Pool).Get",
		"there is no function (*example.com/p.Owner).Bytes; methods are named like (*example.com/p.Pool).Get",
		"there is no function (example.com/p.Owner).Get; methods are named like (*example.com/p.Pool).Get",
		"there is no function example.com/p; methods are named like (*example.com/p.Pool).Get",
		"there is no function example.com/p.Pool; methods are named like (*example.com/p.Pool).Get",
		"example.com/p.Put is func(b []byte): statements about other parameters or results are ignored",
		"there is no type example.com/p.Got",
	}
	got := c.Misfits(pkg)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("misfits:\n%q\nwant\n%q", got, want)
	}
}
