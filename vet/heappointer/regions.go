package heappointer

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// fillers are the names that functions have by convention, of whatever package, which write what they have
// read behind a pointer that they get as an interface: those of encoding, fmt and database/sql. Others are
// functions that the catalog says fill a parameter.
var fillers = []string{"Unmarshal", "UnmarshalJSON", "Decode", "DecodeElement", "Scan", "Sscan", "Fscan", "Scanf", "Sscanf", "Fscanf"}

// fills returns the arguments of a call behind which the callee may write what it has read.
func fills(call *ssa.CallCommon) (list []ssa.Value) {
	name := calleeName(call)
	if slices.Contains(fillers, name[strings.LastIndexByte(name, '.')+1:]) {
		return call.Args
	}
	args := ssautil.Arguments(call)
	for _, i := range catalog.Callee(call).Fills {
		list = append(list, args[i])
	}
	return list
}

// calleeName returns the full name of a called function, without type arguments and without the
// major version in its path; empty if the function is not known.
func calleeName(call *ssa.CallCommon) string {
	if f := ssautil.Callee(call); f != nil {
		return catalog.Unversioned(f.FullName())
	}
	if fn := call.StaticCallee(); fn != nil {
		return fn.Name()
	}
	return ""
}

// regional reports whether a package can have to do with memory that the collector does not
// scan: it converts pointers, or calls who does.
func regional(pass *analysis.Pass) bool {
	for _, p := range pass.Pkg.Imports() {
		if p == types.Unsafe {
			return true
		}
	}
	return catalog.Imports(pass.Pkg, func(f *catalog.Function) bool { return f.Memory != catalog.Scanned }, nil) || len(pass.AllObjectFacts()) > 0
}

// fromC reports whether a called function is C's, and whether it is one that allocates.
func fromC(name string) (c, alloc bool) {
	name = name[strings.LastIndexByte(name, '.')+1:]
	c = strings.HasPrefix(name, "_Cfunc_")
	return c, c && strings.HasSuffix(strings.ToLower(name), "alloc")
}
