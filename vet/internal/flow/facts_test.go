package flow

import (
	"reflect"
	"testing"

	"lessgc/vet/internal/catalog"
)

// TestKnown checks what the statements of the catalog become.
func TestKnown(t *testing.T) {
	param := func(p Param) *Summary { return &Summary{Params: []Param{p}} }
	check := func(p catalog.Param, want Param) {
		t.Helper()
		if got := fromCatalog(&catalog.Function{Flows: true, Params: []catalog.Param{p}}); !reflect.DeepEqual(got, param(want)) {
			t.Errorf("%+v: %+v, want %+v", p, got, want)
		}
	}
	check(catalog.Param{Release: true}, Param{Release: ReleaseAlways})
	check(catalog.Param{Reset: true}, Param{Reset: true})
	check(catalog.Param{Alloc: true}, Param{Alloc: 1})
	check(catalog.Param{Text: true}, Param{Text: 1})
	check(catalog.Param{Alias: true}, Param{Alias: 1})
	check(catalog.Param{Same: true}, Param{Same: 1})
	check(catalog.Param{Hold: true}, Param{Hold: 1})
	check(catalog.Param{Keep: true}, Param{Keep: true})
	check(catalog.Param{Own: true}, Param{Unknown: true})
	check(catalog.Param{Scope: true}, Param{Scope: true})
	check(catalog.Param{Spawn: true}, Param{Spawn: true})
	check(catalog.Param{Stored: 6}, Param{KeptIn: 6})
	if got := fromCatalog(&catalog.Function{Flows: true, Acquires: catalog.Typed}); !reflect.DeepEqual(got, &Summary{Acquires: []Acquired{{Kind: catalog.Typed}}}) {
		t.Errorf("an acquiring function: %+v", got)
	}
	if got := fromCatalog(&catalog.Function{Flows: true}); got == nil || !got.zero() {
		t.Errorf("a function that does nothing with values: %+v", got)
	}
	if got := fromCatalog(&catalog.Function{Slice: &catalog.Slice{}}); got != nil {
		t.Errorf("a function whose flow is not known: %+v", got)
	}
}
