package differ

import (
	"bufio"
	"bytes"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"sort"
	"strings"
	"time"
)

// inputs is what the test file says of the inputs that are to be made.
type inputs struct {
	calls  []call
	makers []string    // names of functions
	kinds  []string    // types that may stand in for interfaces
	errors []string    // names of variables
	added  [][2]string // fields that the change added: type and name
	left   [][2]string // fields that stay zero
	method bool
	flat   bool // see changesLayout

	words   []string
	numbers []int64
}

// A call is how the functions are written, with the types of an instance.
type call struct{ old, new string }

// An asker finds out whether values of a type can be made.
type asker struct {
	*inputs
	pkg     *types.Package
	graph   *graph
	touched map[string]bool
	why     map[types.Type]string
	makers  map[*types.TypeName][]*types.Func
}

// inputsOf tells how inputs of a function are made, or why that cannot be done.
func inputsOf(was, is *program, fn *decl, g *graph, touched map[string]bool) (*inputs, error) {
	f := fn.objects[0].(*types.Func)
	a := &asker{inputs: &inputs{method: f.Signature().Recv() != nil}, pkg: is.pkg.Types, graph: g, touched: touched,
		why: map[types.Type]string{}, makers: map[*types.TypeName][]*types.Func{}}
	a.findMakers()
	all := instances(f)
	if len(all) == 0 {
		return nil, cannot("no types are known that %s can be instantiated with", f.Name())
	}
	for _, one := range all {
		if why := a.signature(one.signature); why != "" {
			return nil, cannot("%s", why)
		}
		a.calls = append(a.calls, one.call)
	}
	for _, name := range a.pkg.Scope().Names() {
		v, ok := a.pkg.Scope().Lookup(name).(*types.Var)
		if ok && types.Identical(v.Type(), types.Universe.Lookup("error").Type()) {
			a.errors = append(a.errors, name)
		}
	}
	a.findAdded(was, is)
	return a.inputs, nil
}

// signature says why inputs of a type of function cannot be made, or its outcomes not be compared.
func (a *asker) signature(sig *types.Signature) string {
	if recv := sig.Recv(); recv != nil {
		if why := a.ask(recv.Type()); why != "" {
			return "the receiver: " + why
		}
	}
	for v := range sig.Params().Variables() {
		if why := a.ask(v.Type()); why != "" {
			return fmt.Sprintf("parameter %s: %s", v.Name(), why)
		}
	}
	for v := range sig.Results().Variables() {
		switch v.Type().Underlying().(type) {
		case *types.Chan:
			return "a result is a channel"
		}
	}
	return ""
}

// ask says why no value of a type can be made: "" if it can.
func (a *asker) ask(t types.Type) string {
	t = types.Unalias(t)
	if why, ok := a.why[t]; ok {
		return why
	}
	a.why[t] = "" // for types that lead back
	why := a.find(t)
	a.why[t] = why
	return why
}

func (a *asker) find(t types.Type) string {
	switch t := t.(type) {
	case *types.Named:
		return a.named(t)
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return "an unsafe.Pointer cannot be made"
		}
	case *types.Chan:
		return "a channel cannot be made"
	case *types.Interface:
		return a.dynamic(t, t)
	case *types.Struct:
		return a.fields("", t)
	case *types.Map:
		if why := a.ask(t.Key()); why != "" {
			return why
		}
		return a.ask(t.Elem())
	case *types.Array:
		if t.Len() > 1<<12 {
			return fmt.Sprintf("%s is too large", t)
		}
		return a.ask(t.Elem())
	case *types.Signature:
		for v := range t.Results().Variables() {
			if why := a.ask(v.Type()); why != "" {
				return "a function that returns what cannot be made: " + why
			}
		}
	case interface{ Elem() types.Type }: // slices and pointers
		return a.ask(t.Elem())
	case *types.TypeParam:
		return fmt.Sprintf("%s is not instantiated", t)
	}
	return ""
}

// stock lists types of the standard library that the harness makes.
var stock = []string{"time.Time", "time.Location", "bytes.Buffer", "bytes.Reader", "strings.Builder", "strings.Reader", "bufio.Reader", "bufio.Writer",
	"bufio.Scanner", "math/big.Int", "regexp.Regexp", "context.Context"}

// passive lists types whose zero value is ready, and which fields may have.
var passive = []string{"sync.Mutex", "sync.RWMutex", "sync.Once", "sync.WaitGroup", "sync.Pool"}

func (a *asker) named(t *types.Named) string {
	pkg := t.Obj().Pkg()
	if pkg == nil { // error, comparable
		return ""
	}
	full := pkg.Path() + "." + t.Obj().Name()
	if slices.Contains(stock, full) {
		return ""
	}
	switch under := t.Underlying().(type) {
	case *types.Interface:
		if len(a.makers[t.Obj()]) > 0 {
			return ""
		}
		return a.dynamic(t, under)
	case *types.Struct:
		if pkg == a.pkg {
			name := types.TypeString(t, types.RelativeTo(a.pkg))
			why := a.fields(name, under)
			if len(a.makers[t.Obj()]) > 0 {
				return ""
			}
			return why
		}
		return a.foreign(full, under)
	default:
		return a.ask(under)
	}
}

// foreign says why no value of another package's struct can be made. Its unexported fields are zero, as in a literal.
func (a *asker) foreign(name string, t *types.Struct) string {
	path := name[:strings.LastIndexByte(name, '.')]
	first, _, _ := strings.Cut(path, "/")
	module, _, _ := strings.Cut(a.pkg.Path(), "/")
	exported := 0
	for f := range t.Fields() {
		if f.Exported() {
			exported++
			if why := a.ask(f.Type()); why != "" {
				return why
			}
		}
	}
	switch {
	case path == "os" || path == "net" || path == "sync" || path == "testing" || strings.HasPrefix(path, "net/") || strings.HasPrefix(path, "sync/"),
		first != module && exported == 0, first != module && !strings.Contains(first, ".") && exported < t.NumFields():
		return fmt.Sprintf("no value of type %s can be made", name)
	}
	return ""
}

// fields asks for the fields of a struct of the package. Those that cannot be made are left zero, if no function uses
// them.
func (a *asker) fields(name string, t *types.Struct) string {
	made := len(a.makers) > 0 && name != "" && a.made(name)
	for f := range t.Fields() {
		if !f.Exported() && f.Pkg() != nil && f.Pkg() != a.pkg {
			return fmt.Sprintf("field %s is unexported, and of package %s", f.Name(), f.Pkg().Name())
		}
		if named, ok := types.Unalias(f.Type()).(*types.Named); ok && named.Obj().Pkg() != nil &&
			slices.Contains(passive, named.Obj().Pkg().Path()+"."+named.Obj().Name()) {
			continue
		}
		why := a.ask(f.Type())
		if why == "" {
			continue
		}
		if name == "" || a.touched[f.Name()] && !made {
			return fmt.Sprintf("field %s: %s", f.Name(), why)
		}
		a.left = append(a.left, [2]string{name, f.Name()})
	}
	return ""
}

// made reports whether there are functions that make a type of the package.
func (a *asker) made(name string) bool {
	object, ok := a.pkg.Scope().Lookup(name).(*types.TypeName)
	return ok && len(a.makers[object]) > 0
}

// ready are types that the harness makes, and which stand in for interfaces.
var ready = []reflect.Type{
	reflect.TypeFor[*bytes.Buffer](), reflect.TypeFor[*bytes.Reader](), reflect.TypeFor[*strings.Reader](), reflect.TypeFor[*bufio.Reader](),
	reflect.TypeFor[sort.IntSlice](), reflect.TypeFor[time.Duration](),
	reflect.TypeFor[interface {
		Read([]byte) (int, error)
		Close() error
	}](),
	reflect.TypeFor[interface {
		Write([]byte) (int, error)
		Close() error
	}](),
}

// dynamic finds types that implement an interface.
func (a *asker) dynamic(t types.Type, under *types.Interface) string {
	if under.NumMethods() == 0 {
		return ""
	}
	found := slices.ContainsFunc(ready, func(r reflect.Type) bool { return implements(r, under) })
	for _, name := range a.pkg.Scope().Names() {
		object, ok := a.pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || object.IsAlias() || types.IsInterface(object.Type()) || object.Type().(*types.Named).TypeParams() != nil {
			continue
		}
		kind := name
		switch p := types.NewPointer(object.Type()); {
		case types.Implements(object.Type(), under):
		case types.Implements(p, under):
			kind = "*" + name
		default:
			continue
		}
		if a.ask(object.Type()) == "" {
			found = true
			if !slices.Contains(a.kinds, kind) {
				a.kinds = append(a.kinds, kind)
			}
		}
	}
	if !found {
		return fmt.Sprintf("no type that implements %s can be made", types.TypeString(t, types.RelativeTo(a.pkg)))
	}
	return ""
}

// implements reports whether a type has the methods of an interface.
func implements(r reflect.Type, t *types.Interface) bool {
	for m := range t.Methods() {
		has, ok := r.MethodByName(m.Name())
		if !ok {
			return false
		}
		var in, out []string
		for i := range has.Type.NumIn() {
			if i > 0 || r.Kind() == reflect.Interface {
				in = append(in, has.Type.In(i).String())
			}
		}
		for o := range has.Type.Outs() {
			out = append(out, o.String())
		}
		if !slices.Equal(in, words(m.Signature().Params())) || !slices.Equal(out, words(m.Signature().Results())) {
			return false
		}
	}
	return true
}

// words writes types as package reflect does.
func words(t *types.Tuple) (all []string) {
	for v := range t.Variables() {
		text := types.TypeString(v.Type(), func(p *types.Package) string { return p.Name() })
		all = append(all, strings.NewReplacer("byte", "uint8", "rune", "int32").Replace(text))
	}
	return all
}
