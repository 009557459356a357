package lever

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// TestPoison takes the claim that an object does not leave its function at its word, in the
// modules whose folders LESSGC_POISON lists: at the end of the function its memory is
// overwritten, as the next user of a pool might do. The module's own tests have to pass as they
// do when the same code overwrites nothing.
func TestPoison(t *testing.T) {
	folders := filepath.SplitList(os.Getenv("LESSGC_POISON"))
	if len(folders) == 0 {
		t.Skip("LESSGC_POISON names no modules: by hand")
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	for _, dir := range folders {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			program, err := Load(t.Context(), dir, []string{"./..."}, false)
			if err != nil {
				t.Fatal(err)
			}
			edits := program.poison()
			if os.Getenv("LESSGC_POISON_COUNT") != "" {
				n := 0
				for _, at := range edits {
					n += len(at)
				}
				t.Logf("%d sites", n)
				return
			}
			copied := t.TempDir()
			if out, err := exec.Command("cp", "-r", dir+"/.", copied).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			sites := 0
			packages := map[string]string{} // name by folder
			for file, at := range edits {
				rel, err := filepath.Rel(dir, file)
				if err != nil || !filepath.IsLocal(rel) {
					t.Fatal(file)
				}
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				slices.SortFunc(at, func(a, b edit) int { return cmp.Compare(b.at, a.at) })
				for _, e := range at {
					text = slices.Insert(text, e.at, []byte(e.text)...)
					sites++
				}
				if err := os.WriteFile(filepath.Join(copied, rel), text, 0o666); err != nil {
					t.Fatal(err)
				}
				packages[filepath.Dir(filepath.Join(copied, rel))] = program.units[file].file.Name.Name
			}
			for folder, name := range packages {
				if err := os.WriteFile(filepath.Join(folder, "lessgc_poison.go"), []byte("//go:build go1.23\n\npackage "+name+"\n"+poisoner), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			without, with := failed(t, copied, "0"), failed(t, copied, "1")
			for name := range with {
				if !without[name] {
					t.Errorf("%s fails", name)
				}
			}
			t.Logf("%d sites; %d tests fail in both", sites, len(without))
		})
	}
}

type edit struct {
	at   int
	text string
}

// poison returns by file what to insert: after each statement that makes an object of which it
// is claimed that it stays, a deferred call that overwrites it.
func (p *Program) poison() map[string][]edit {
	edits := map[string][]edit{}
	for _, fn := range p.fns {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				v, ok := in.(ssa.Value)
				if !ok || !in.Pos().IsValid() || !poisonable(v) || !p.follow(v).stays() {
					continue
				}
				name, kind, end := p.statement(fn, in.Pos())
				if name == "" {
					continue
				}
				at := p.fset.PositionFor(end, false)
				e := edit{at.Offset, fmt.Sprintf("; defer lessgcPoison%s(%s)", kind, name)}
				if kind == "Slice" {
					e.text = fmt.Sprintf("; defer lessgcPoisonSlice(%s, &%s)", name, name)
				}
				if !slices.Contains(edits[at.Filename], e) {
					edits[at.Filename] = append(edits[at.Filename], e)
				}
			}
		}
	}
	return edits
}

func poisonable(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeSlice, *ssa.MakeMap:
		return true
	case *ssa.Alloc:
		return v.Comment != "varargs" && v.Comment != "slicelit"
	}
	return false
}

// statement finds the statement of a block that makes an object at a position and names it.
func (p *Program) statement(fn *ssa.Function, pos token.Pos) (name, kind string, end token.Pos) {
	u := p.unitOf(pos)
	if u == nil || p.generated(u) || u.file.Pos() > pos || u.file.End() < pos {
		return "", "", 0
	}
	info := u.pkg.TypesInfo
	look := func(s ast.Stmt) {
		var id *ast.Ident
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE || len(s.Lhs) != 1 || s.Pos() > pos || s.End() < pos {
				return
			}
			id, _ = s.Lhs[0].(*ast.Ident)
			switch r := ast.Unparen(s.Rhs[0]).(type) {
			case *ast.CallExpr:
				f, ok := r.Fun.(*ast.Ident)
				if !ok || r.Lparen != pos || f.Name != "make" && f.Name != "new" {
					return
				}
			case *ast.UnaryExpr:
				if lit, ok := r.X.(*ast.CompositeLit); !ok || lit.Lbrace != pos && r.Pos() != pos && lit.Pos() != pos {
					return
				}
			default:
				return
			}
		case *ast.DeclStmt:
			d, ok := s.Decl.(*ast.GenDecl)
			if !ok || d.Tok != token.VAR || len(d.Specs) != 1 {
				return
			}
			spec := d.Specs[0].(*ast.ValueSpec)
			if len(spec.Names) != 1 || spec.Names[0].Pos() != pos {
				return
			}
			id = spec.Names[0]
		default:
			return
		}
		if id == nil || id.Name == "_" || info.Defs[id] == nil {
			return
		}
		if k := poisonKind(info.Defs[id].Type()); k != "" {
			name, kind, end = id.Name, k, s.End()
			if k == "Var" {
				name, kind = "&"+name, "Buffer"
			}
		}
	}
	ast.Inspect(u.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			for _, s := range n.List {
				look(s)
			}
		case *ast.CaseClause:
			for _, s := range n.Body {
				look(s)
			}
		}
		return n == nil || n.Pos() <= pos && pos <= n.End()
	})
	return name, kind, end
}

func poisonKind(t types.Type) string {
	const buffer = "bytes.Buffer"
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return "Slice"
	case *types.Map:
		return "Map"
	case *types.Pointer:
		if types.TypeString(u.Elem(), nil) == buffer {
			return "Buffer"
		}
		if _, ok := u.Elem().Underlying().(*types.Struct); ok {
			return "Object"
		}
	case *types.Struct:
		if types.TypeString(t, nil) == buffer {
			return "Var"
		}
	}
	return ""
}

var failure = regexp.MustCompile(`(?m)^(?:\s*--- FAIL: (\S+)|FAIL\s+(\S+))`)

// failed runs a module's tests and returns the names of those that fail.
func failed(t *testing.T, dir, on string) map[string]bool {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "test", "-short", "-vet=off", "-timeout=10m", "./...")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "LESSGC_POISON_ON="+on)
	out, err := cmd.CombinedOutput()
	all := map[string]bool{}
	for _, m := range failure.FindAllStringSubmatch(string(out), -1) {
		all[m[1]+m[2]] = true
	}
	if err != nil {
		t.Logf("on %s: %v, %v", on, err, slices.Sorted(maps.Keys(all)))
	}
	if strings.Contains(string(out), "[build failed]") {
		t.Fatalf("%s", out[:min(len(out), 3000)])
	}
	return all
}

const poisoner = `
import (
	lessgcBytes "bytes"
	lessgcOS "os"
	lessgcReflect "reflect"
	lessgcUnsafe "unsafe"
)

var lessgcPoisonOn = lessgcOS.Getenv("LESSGC_POISON_ON") == "1"

func lessgcPoisonMemory(p lessgcUnsafe.Pointer, size uintptr) {
	for i := range lessgcUnsafe.Slice((*byte)(p), size) {
		*(*byte)(lessgcUnsafe.Add(p, i)) = 0xa5
	}
}

func lessgcPoisonPlain(t lessgcReflect.Type) bool {
	switch t.Kind() {
	case lessgcReflect.Struct:
		for i := range t.NumField() {
			if !lessgcPoisonPlain(t.Field(i).Type) {
				return false
			}
		}
		return true
	case lessgcReflect.Array:
		return lessgcPoisonPlain(t.Elem())
	case lessgcReflect.Pointer, lessgcReflect.Slice, lessgcReflect.String, lessgcReflect.Interface, lessgcReflect.Map, lessgcReflect.Chan, lessgcReflect.Func, lessgcReflect.UnsafePointer:
		return false
	}
	return true
}

func lessgcPoisonSlice[S ~[]T, T any](was S, now *S) {
	if !lessgcPoisonOn {
		return
	}
	plain := lessgcPoisonPlain(lessgcReflect.TypeFor[T]())
	for _, s := range []S{was, *now} {
		s = s[:cap(s)]
		if plain && len(s) > 0 {
			lessgcPoisonMemory(lessgcUnsafe.Pointer(&s[0]), uintptr(len(s))*lessgcUnsafe.Sizeof(s[0]))
		} else {
			clear(s)
		}
	}
}

func lessgcPoisonMap[M ~map[K]V, K comparable, V any](m M) {
	if lessgcPoisonOn {
		clear(m)
	}
}

func lessgcPoisonObject[T any](p *T) {
	if !lessgcPoisonOn || p == nil {
		return
	}
	if lessgcPoisonPlain(lessgcReflect.TypeFor[T]()) {
		lessgcPoisonMemory(lessgcUnsafe.Pointer(p), lessgcUnsafe.Sizeof(*p))
	} else {
		var zero T
		*p = zero
	}
}

func lessgcPoisonBuffer(b *lessgcBytes.Buffer) {
	if !lessgcPoisonOn || b == nil {
		return
	}
	all := b.AvailableBuffer()
	rest := b.Bytes()
	for i := range rest {
		rest[i] = 0xa5
	}
	all = all[:cap(all)]
	for i := range all {
		all[i] = 0xa5
	}
	b.Reset()
}
`
