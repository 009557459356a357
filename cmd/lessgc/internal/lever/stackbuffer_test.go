package lever

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestStackBufferAlso checks that a buffer which is on the heap itself, as fmt gets its address, counts as saved with its memory, and that one
// which is on the stack already does not.
func TestStackBufferAlso(t *testing.T) {
	const folder = "./testdata/rewrites/stack-buffer"
	program, err := Load(t.Context(), ".", []string{folder}, false)
	if err != nil {
		t.Fatal(err)
	}
	program.Sites, program.Ops = sitesIn(t, folder), observedOps
	file, err := filepath.Abs(filepath.Join(folder, "buffers.go"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"formatted": true, "joined": false} {
		found := false
		for _, s := range program.Sites {
			line := program.lineOf(s)
			if s.File != file || line == nil || !strings.HasSuffix(s.Func, "."+name) {
				continue
			}
			f := stackBuffer.find(line)
			if len(f.Edits) == 0 {
				continue
			}
			found = true
			saved := 0.0
			for _, a := range f.Also {
				for _, other := range program.Sites {
					if other.File == a.Line.File && other.Line == a.Line.Line {
						saved = max(saved, a.Share(other).Lo)
					}
				}
			}
			if (saved == 1) != want {
				t.Errorf("%s: %g of the buffer's line is saved, too", name, saved)
			}
		}
		if !found {
			t.Errorf("%s is not rewritten", name)
		}
	}
}
