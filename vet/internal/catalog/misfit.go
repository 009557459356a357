package catalog

import (
	"fmt"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Packages returns the paths of the packages that the statements of c are about, sorted.
func (c *Catalog) Packages() []string {
	paths := map[string]bool{}
	for name := range c.functions {
		paths[PackageOf(name)] = true
	}
	for name := range c.types {
		paths[PackageOf(name)] = true
	}
	return slices.Sorted(maps.Keys(paths))
}

// Misfits returns a line for each function or type of c that pkg does not have, and for each function
// whose parameters and results do not fit what c says of it. Statements about other packages are
// not looked at.
func (c *Catalog) Misfits(pkg *types.Package) (lines []string) {
	for _, name := range slices.Sorted(maps.Keys(c.functions)) {
		if PackageOf(name) != pkg.Path() || isWhole(name) {
			continue
		}
		f := function(pkg, name)
		switch known := c.functions[name]; {
		case f == nil:
			lines = append(lines, fmt.Sprintf("there is no function %s; methods are named like (*%s.Pool).Get", name, pkg.Path()))
		case !reflect.DeepEqual(known, known.fit(f.Signature())):
			lines = append(lines, fmt.Sprintf("%s is %s: statements about other parameters or results are ignored", name, types.TypeString(f.Signature(), types.RelativeTo(pkg))))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.types)) {
		if PackageOf(name) != pkg.Path() {
			continue
		}
		if _, ok := pkg.Scope().Lookup(inside(pkg, name)).(*types.TypeName); !ok {
			lines = append(lines, fmt.Sprintf("there is no type %s", name))
		}
	}
	return lines
}

// function returns the function or method of a package with a plain full name, nil if it has none.
func function(pkg *types.Package, name string) *types.Func {
	receiver, method, ok := strings.Cut(strings.TrimPrefix(name, "("), ").")
	if !ok {
		f, _ := pkg.Scope().Lookup(inside(pkg, name)).(*types.Func)
		return f
	}
	owner, ok := pkg.Scope().Lookup(inside(pkg, strings.TrimPrefix(receiver, "*"))).(*types.TypeName)
	if !ok {
		return nil
	}
	object, _, _ := types.LookupFieldOrMethod(owner.Type(), true, pkg, method)
	f, _ := object.(*types.Func)
	if f == nil || Plain(f.FullName()) != name { // of an embedded type, or with another receiver
		return nil
	}
	return f
}

// inside returns a full name without its package, "" if there is nothing else.
func inside(pkg *types.Package, name string) string {
	name, _ = strings.CutPrefix(name, pkg.Path())
	return strings.TrimPrefix(name, ".")
}
