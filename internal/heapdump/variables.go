package heapdump

import (
	"cmp"
	"debug/elf"
	"os"
	"reflect"
	"runtime"
	"slices"
)

// Variables knows the package variables of this program.
type Variables struct{ symbols []elf.Symbol }

// VariablesHere reads the names of this program's variables. There are none if it has no symbol table, as with go run,
// go test or -ldflags=-s, or is not an ELF file: on macOS and Windows.
func VariablesHere() Variables {
	var v Variables
	name, err := os.Executable()
	if err != nil {
		return v
	}
	f, err := elf.Open(name)
	if err != nil {
		return v
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return v
	}
	here := runtime.FuncForPC(reflect.ValueOf(VariablesHere).Pointer())
	moved := uint64(0) // how far from where the file says
	for _, s := range symbols {
		switch elf.ST_TYPE(s.Info) {
		case elf.STT_OBJECT:
			if s.Size > 0 { // others may begin at the same address
				v.symbols = append(v.symbols, s)
			}
		case elf.STT_FUNC:
			if s.Name == here.Name() {
				moved = uint64(here.Entry()) - s.Value
			}
		}
	}
	for i := range v.symbols {
		v.symbols[i].Value += moved
	}
	slices.SortFunc(v.symbols, func(a, b elf.Symbol) int { return cmp.Compare(a.Value, b.Value) })
	return v
}

// At returns the name of the variable that has the byte at addr, and how far that is into it. The name is "" if it
// is not known.
func (v Variables) At(addr uint64) (name string, offset uint64) {
	i, found := slices.BinarySearchFunc(v.symbols, addr, func(s elf.Symbol, addr uint64) int { return cmp.Compare(s.Value, addr) })
	if !found {
		i--
	}
	if i < 0 || addr-v.symbols[i].Value >= v.symbols[i].Size {
		return "", 0
	}
	return v.symbols[i].Name, addr - v.symbols[i].Value
}
