// Package harness compares two functions of the same type by calling them with the same generated inputs.
//
// It is not imported: package differ writes its source, renamed, into a test file of the package whose function is
// checked. So it keeps to the language of Go 1.17 and to the standard library, and no key of its literals of structs
// is the name of one of its declarations.
package harness

import (
	"reflect"
	"runtime/debug"
	"testing"
)

// A Target is a pair of functions to compare, and what their inputs are made of.
type Target struct {
	Name     string      // of the function
	Old, New interface{} // of the same type; those of a method have the receiver first
	Method   bool

	Makers []interface{}  // functions that make values of the package's types, some with an error
	Kinds  []reflect.Type // types of the package whose values may stand in for interfaces
	Errors []error        // of the package

	Words   []string // that stand in the program
	Numbers []int64

	Added []Field // fields that the change added: made zero, and not compared
	Left  []Field // fields that the functions do not use, and that cannot be made

	Flat bool // the change has made values of pointers in structs: they are compared alike
}

// A Field names a field of a struct.
type Field struct {
	Of   reflect.Type
	Name string
}

// largestStack bounds a recursion that does not end, so that it ends the process before the watch does.
const largestStack = 64 << 20

// Run compares the functions of each target, and fails the test with the first input whose outcomes differ.
func Run(t *testing.T, targets ...Target) {
	debug.SetMaxStack(largestStack)
	s := newSettings()
	r := &report{}
	defer r.print(s)
	for i := range targets {
		c := newChecker(&targets[i], s, r, len(targets))
		c.check()
		if r.Difference != "" {
			t.Error(r.Difference)
			return
		}
	}
}

func (t *Target) has(list []Field, of reflect.Type, name string) bool {
	for _, f := range list {
		if f.Of == of && f.Name == name {
			return true
		}
	}
	return false
}

// own is the package path of the types of the package under test.
var own = reflect.TypeOf(Target{}).PkgPath()
