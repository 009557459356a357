package differ

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A harmful entry names functions of a package of the standard library, and methods of its types, by how they begin.
type harmful struct {
	path  string
	names []string // "" is any name
	types []string // whose methods are meant, if not those of all
}

// harms are functions that change more than memory, or end the process.
var harms = []harmful{
	{"os", []string{"Remove", "Write", "Create", "OpenFile", "Rename", "Mkdir", "Truncate", "Ch", "Lchown", "Exit", "Symlink", "Link",
		"Setenv", "Unsetenv", "Clearenv", "StartProcess", "FindProcess", "CopyFS", "Kill", "Signal", "NewFile", "OpenRoot"}, nil},
	{"os/exec", []string{""}, nil},
	{"os/signal", []string{""}, nil},
	{"io/ioutil", []string{"Write", "Temp"}, nil},
	{"log", []string{"Fatal"}, nil},
	{"log/syslog", []string{""}, nil},
	{"net", []string{"Dial", "Listen", "Lookup", "Resolve", "File"}, nil},
	{"net/http", []string{"Get", "Post", "Head", "Do", "ListenAndServe", "Serve", "RoundTrip"}, []string{"Client", "Server", "Transport"}},
	{"net/smtp", []string{""}, nil},
	{"net/rpc", []string{"Dial", "Serve", "Accept"}, nil},
	{"crypto/tls", []string{"Dial", "Listen"}, nil},
	{"plugin", []string{""}, nil},
	{"runtime", []string{"Goexit", "GOMAXPROCS", "Breakpoint"}, nil},
	{"runtime/debug", []string{"Set"}, nil},
	{"syscall", []string{""}, nil},
}

// harmfulFunc reports whether a function outside the module is one that must not be called with made-up inputs.
func harmfulFunc(f *types.Func) bool {
	if f.Pkg() == nil {
		return false
	}
	path := f.Pkg().Path()
	if strings.HasPrefix(path, "golang.org/x/sys/") {
		return true
	}
	if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
		return strings.HasPrefix(f.Name(), "Fatal") || f.Name() == "Exit"
	}
	return slices.ContainsFunc(harms, func(h harmful) bool {
		return h.path == path && h.of(f.Signature().Recv()) &&
			slices.ContainsFunc(h.names, func(name string) bool { return strings.HasPrefix(f.Name(), name) })
	})
}

// of reports whether functions with such a receiver, or with none, are meant.
func (h harmful) of(recv *types.Var) bool {
	if recv == nil || h.types == nil {
		return true
	}
	named := namedOf(recv.Type())
	return named != nil && slices.Contains(h.types, named.Obj().Name())
}

// A graph has, for the functions and variables of a module, what each names.
type graph struct {
	named   map[string][]string         // by full name
	methods map[string][]*types.Func    // of the module, by the name alone
	dynamic map[string]*types.Interface // of calls of methods on interfaces
	harms   map[string]string           // functions that name a harmful one
	fields  map[string][]string         // names of fields that each uses
}

// anyMethod begins the node of an interface's method, which leads to those of the types that implement it.
const anyMethod = "any method "

// called returns the methods that a call of an interface's method may be.
func (g *graph) called(node string) (all []string) {
	name := node[strings.LastIndexByte(node, '.')+1:]
	for _, f := range g.methods[name] {
		t := f.Signature().Recv().Type()
		named := namedOf(t)
		if named == nil || named.TypeParams() != nil || types.Implements(types.NewPointer(named), g.dynamic[node]) {
			all = append(all, f.FullName())
		}
	}
	return all
}

func (p *program) graph() *graph {
	g := &graph{map[string][]string{}, map[string][]*types.Func{}, map[string]*types.Interface{}, map[string]string{}, map[string][]string{}}
	paths := map[string]bool{}
	for _, pkg := range p.module {
		paths[pkg.PkgPath] = true
	}
	for _, pkg := range p.module {
		for _, file := range pkg.Syntax {
			for _, d := range file.Decls {
				g.declaration(pkg, d, paths)
			}
		}
	}
	return g
}

func (g *graph) declaration(pkg *packages.Package, d ast.Decl, paths map[string]bool) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		f, ok := pkg.TypesInfo.Defs[d.Name].(*types.Func)
		if !ok {
			return
		}
		if f.Signature().Recv() != nil {
			g.methods[f.Name()] = append(g.methods[f.Name()], f)
		}
		g.names(pkg, f.FullName(), d, paths)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			v, ok := spec.(*ast.ValueSpec)
			if !ok {
				continue
			}
			for _, id := range v.Names {
				g.names(pkg, pkg.PkgPath+"."+id.Name, v, paths)
			}
		}
	}
}

// names adds what a declaration names.
func (g *graph) names(pkg *packages.Package, from string, d ast.Node, paths map[string]bool) {
	ast.Inspect(d, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch o := pkg.TypesInfo.Uses[id].(type) {
		case *types.Func:
			o = o.Origin()
			recv := o.Signature().Recv()
			switch {
			case recv != nil && types.IsInterface(recv.Type()):
				node := anyMethod + o.FullName()
				g.named[from] = append(g.named[from], node)
				g.dynamic[node], _ = recv.Type().Underlying().(*types.Interface)
			case o.Pkg() != nil && paths[o.Pkg().Path()]:
				g.named[from] = append(g.named[from], o.FullName())
			case harmfulFunc(o):
				g.harms[from] = o.FullName()
			}
		case *types.Var:
			if o.IsField() {
				g.fields[from] = append(g.fields[from], o.Name())
			} else if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() && paths[o.Pkg().Path()] {
				g.named[from] = append(g.named[from], o.Pkg().Path()+"."+o.Name())
			}
		}
		return true
	})
}

// reach calls visit for all that a function leads to, itself first, with what led there.
func (g *graph) reach(from string, visit func(name string)) {
	seen := map[string]bool{from: true}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		name := queue[0]
		visit(name)
		next := g.named[name]
		if strings.HasPrefix(name, anyMethod) {
			next = g.called(name)
		}
		for _, n := range next {
			if !seen[n] {
				seen[n] = true
				queue = append(queue, n)
			}
		}
	}
}

// harm says how a function leads to a harmful one: "" if it does not.
func (g *graph) harm(f *types.Func) (why string) {
	g.reach(f.Origin().FullName(), func(name string) {
		if harm := g.harms[name]; harm != "" && why == "" {
			why = f.Name() + " leads to " + harm + ", which " + name + " calls"
		}
	})
	return why
}

// touched returns the names of the fields that a function, or one that it leads to, uses.
func (g *graph) touched(f *types.Func) map[string]bool {
	all := map[string]bool{}
	g.reach(f.Origin().FullName(), func(name string) {
		for _, field := range g.fields[name] {
			all[field] = true
		}
	})
	return all
}
