// Package directive reads the comments by which source speaks to the rules.
//
//	//lessgc:ignore RULE[,RULE] REASON    what RULE says of this line, or the next, is wrong
//	//lessgc:acquire [pool|arena|recycled] the result of this function has to be released
//	//lessgc:releases x                    this function releases its parameter x
//	//lessgc:borrows x                     this function does not keep x, whatever it looks like
//	//lessgc:owns x                        this function takes over x: its caller need not release it
//
// All but the first stand in the doc comment of a function; x is the name of a parameter
// or of the receiver.
package directive

import (
	"go/ast"
	"go/token"
	"reflect"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
)

// prefix begins every directive.
const prefix = "//lessgc:"

// An Ignore is a comment that silences rules on its own line and the next.
type Ignore struct {
	Pos, End token.Pos
	Rules    []string
	Reason   string

	file string
	line int

	mu   sync.Mutex
	used map[string]bool
}

// A Func is a statement in the doc comment of a function.
type Func struct {
	Pos  token.Pos
	Verb string // acquire, releases, borrows or owns
	Arg  string
}

// A Mistake is a directive that cannot be understood.
type Mistake struct {
	Pos, End token.Pos
	Text     string
}

// Directives holds the directives of a package.
type Directives struct {
	Ignores  []*Ignore
	Funcs    map[*ast.FuncDecl][]Func
	Mistakes []Mistake

	fset *token.FileSet
}

// Analyzer reads the directives of a package. It reports nothing.
var Analyzer = &analysis.Analyzer{
	Name:             "lessgcdirectives",
	Doc:              "read the directives of lessgc",
	Run:              run,
	ResultType:       reflect.TypeFor[*Directives](),
	RunDespiteErrors: true,
}

func run(pass *analysis.Pass) (any, error) {
	d := &Directives{Funcs: map[*ast.FuncDecl][]Func{}, fset: pass.Fset}
	for _, file := range pass.Files {
		d.file(file)
	}
	return d, nil
}

func (d *Directives) file(file *ast.File) {
	docs := map[*ast.CommentGroup]*ast.FuncDecl{}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Doc != nil {
			docs[f.Doc] = f
		}
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			text, ok := strings.CutPrefix(c.Text, prefix)
			if !ok {
				continue
			}
			// A comment in a comment is not part of it: tests want to say something too.
			text, _, _ = strings.Cut(text, "//")
			d.comment(c, strings.Fields(text), docs[group])
		}
	}
}

func (d *Directives) comment(c *ast.Comment, words []string, f *ast.FuncDecl) {
	mistake := func(text string) {
		d.Mistakes = append(d.Mistakes, Mistake{c.Pos(), c.End(), text})
	}
	if len(words) == 0 {
		mistake("a directive without a word: ignore, acquire, releases, borrows or owns is missing")
		return
	}
	verb, args := words[0], words[1:]
	switch verb {
	case "ignore":
		switch {
		case len(args) == 0:
			mistake("ignore of what? Write //lessgc:ignore RULE REASON")
		case len(args) == 1:
			mistake("ignore " + args[0] + " without a reason; say why the report is wrong here")
		default:
			p := d.fset.Position(c.Pos())
			d.Ignores = append(d.Ignores, &Ignore{Pos: c.Pos(), End: c.End(), Rules: strings.Split(args[0], ","), Reason: strings.Join(args[1:], " "),
				file: p.Filename, line: p.Line, used: map[string]bool{}})
		}
	case "acquire", "releases", "borrows", "owns":
		arg := strings.Join(args, " ")
		switch {
		case f == nil:
			mistake(verb + " belongs into the doc comment of a function")
		case verb == "acquire" && arg == "":
			arg = "pool"
			fallthrough
		case verb == "acquire":
			if arg != "pool" && arg != "arena" && arg != "recycled" {
				mistake("acquire " + arg + ": it is pool, arena or recycled")
				return
			}
			d.Funcs[f] = append(d.Funcs[f], Func{c.Pos(), verb, arg})
		case len(args) != 1 || !named(f, arg):
			mistake(verb + " " + arg + ": the function has no parameter of that name")
		default:
			d.Funcs[f] = append(d.Funcs[f], Func{c.Pos(), verb, arg})
		}
	default:
		mistake("there is no directive " + verb + ": it is ignore, acquire, releases, borrows or owns")
	}
}

// named reports whether f has a parameter or receiver x.
func named(f *ast.FuncDecl, x string) bool {
	for _, list := range []*ast.FieldList{f.Recv, f.Type.Params} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				if name.Name == x {
					return true
				}
			}
		}
	}
	return false
}

// Ignored reports whether a report of a rule at pos is silenced, and remembers that. Any
// number of goroutines may call it.
func (d *Directives) Ignored(rule string, pos token.Pos) bool {
	p := d.fset.Position(pos)
	for _, i := range d.Ignores {
		if i.file != p.Filename || i.line != p.Line && i.line != p.Line-1 {
			continue
		}
		for _, r := range i.Rules {
			if r == rule {
				i.mu.Lock()
				i.used[rule] = true
				i.mu.Unlock()
				return true
			}
		}
	}
	return false
}

// Unused are the rules of i of which nothing was silenced.
func (i *Ignore) Unused() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	var all []string
	for _, r := range i.Rules {
		if !i.used[r] {
			all = append(all, r)
		}
	}
	return all
}
