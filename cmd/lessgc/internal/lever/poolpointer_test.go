package lever

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pooledRunes has a pool without New, and two functions that use it.
const pooledRunes = `package m

import "sync"

const room = 64

var slicePool sync.Pool

func Shift(s string) string {
	var r []rune
	// Short texts are frequent.
	if len(s) > room {
		r = make([]rune, 0, len(s))
	} else if x := slicePool.Get(); x != nil {
		r = x.([]rune)[:0]
	} else {
		r = make([]rune, 0, room)
	}
	for _, c := range s {
		r = append(r, c+1)
	}
	res := string(r)
	if len(s) <= room {
		slicePool.Put(r) // pooled
	}
	return res
}

func Count(s string) int {
	var r []rune
	if x := slicePool.Get(); x != nil {
		r = x.([]rune)[:0]
	} else {
		r = make([]rune, 0, room)
	}
	for _, c := range s {
		r = append(r, c)
	}
	slicePool.Put(r)
	return len(r)
}
`

// TestPoolPointerText checks what becomes of a pool without New: all functions that use it change together.
func TestPoolPointerText(t *testing.T) {
	for version, source := range map[string]string{"1.26": pooledRunes, "1.13": pooledRunes} {
		got := editedAlone(t, version, source, "func Shift(", "// pooled", poolPointer)
		for _, want := range []string{
			"	var r []rune\n	var pooled *[]rune\n	// Short texts are frequent.\n	if len(s) > room {\n",
			"x != nil {\n		pooled = x.(*[]rune)\n		r = (*pooled)[:0]\n	} else {\n		r = make([]rune, 0, room)\n	}\n",
			"		if pooled == nil {\n			pooled = new([]rune)\n		}\n		*pooled = r\n		slicePool.Put(pooled) // pooled\n",
			"	} else {\n		pooled = new([]rune)\n		r = make([]rune, 0, room)\n	}\n",
			"	*pooled = r\n	slicePool.Put(pooled)\n	return len(r)\n",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("Go %s: there is no\n%s\nin\n%s", version, want, got)
			}
		}
	}
}

// TestPoolPointerStack checks that no variable goes to the heap with the change but those that New returns pointers to, and that other lines
// that put slices back are counted.
func TestPoolPointerStack(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	file := filepath.Join(dir, "pools.go")
	data, err := os.ReadFile("testdata/rewrites/pool-pointer/pools.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{file: string(data), filepath.Join(dir, "go.mod"): "module example.com/m\n\ngo 1.26\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	moved := func() (all []string) {
		build := exec.Command("go", "build", "-gcflags=-m", ".")
		build.Dir = dir
		out, err := build.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for _, m := range regexp.MustCompile(`moved to heap: (\w+)`).FindAllStringSubmatch(string(out), -1) {
			all = append(all, m[1])
		}
		slices.Sort(all)
		return all
	}
	if before, want := moved(), []string{"b"}; !slices.Equal(before, want) {
		t.Errorf("before, %q are on the heap, not %q", before, want)
	}
	program, err := Load(t.Context(), dir, []string{"."}, false)
	if err != nil {
		t.Fatal(err)
	}
	var edits []Edit
	for i, line := range strings.Split(string(data), "\n") {
		if strings.Contains(line, "// rewritten") {
			f := everything(program, file, i+1, poolPointer)
			if strings.Contains(line, "buffers.Put") && len(f.Also) != 4 {
				t.Errorf("line %d: %d other lines that put slices into the pool, not 4", i+1, len(f.Also))
			}
			edits = append(edits, f.Edits...)
		}
	}
	slices.SortFunc(edits, byPlace)
	for _, e := range slices.Backward(slices.Compact(edits)) {
		data = slices.Concat(data[:e.Pos], []byte(e.Text), data[e.End:])
	}
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if after, want := moved(), []string{"all", "b", "b", "b", "b", "b", "b", "b", "b", "b2", "b2"}; !slices.Equal(after, want) {
		t.Errorf("%q are on the heap, not %q", after, want)
	}
}
