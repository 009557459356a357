package lever

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// older is a package for Go 1.13, whose lines that are marked have their memory pooled.
const older = `package m

import (
	"bytes"
	"strings"
	"sync"
)

var _ sync.Locker // the package is imported

type pair struct{ a, b int }

// Joined has a buffer.
func Joined(words []string) string {
	var buf bytes.Buffer // pooled
	for _, w := range words {
		buf.WriteString(w)
	}
	return buf.String()
}

// Distinct has a map whose keys are equal to themselves.
func Distinct(words []string) int {
	seen := make(map[string]bool) // pooled
	for _, w := range words {
		seen[w] = true
	}
	return len(seen)
}

// Most has a map whose keys may be NaN, which delete does not find.
func Most(all []float64) int {
	seen := make(map[float64]bool)
	for _, f := range all {
		seen[f] = true
	}
	return len(seen)
}

// Counted has a slice of numbers.
func Counted(all []int, n int) int {
	i := n
	counts := make([]int, i) // pooled
	for _, k := range all {
		counts[k%n]++
	}
	most := 0
	for i := range counts {
		if counts[i] > most {
			most = counts[i]
		}
	}
	return most
}

// Reached has an array of truth values.
func Reached(all []byte) int {
	seen := make([]bool, 256) // pooled
	for _, b := range all {
		seen[b] = true
	}
	n := 0
	for i := range seen {
		if seen[i] {
			n++
		}
	}
	return n
}

// Sums has a slice of structs.
func Sums(all []int, n int) (a, b int) {
	sums := make([]pair, n) // pooled
	for i, k := range all {
		sums[i%n].a += k
		sums[i%n].b++
	}
	for i := range sums {
		a, b = a+sums[i].a*i, b+sums[i].b
	}
	return a, b
}

// Room has a slice that is empty at first, and of which all may be seen.
func Room(all string) string {
	out := make([]byte, 0, 2*len(all)) // pooled
	whole := out[:cap(out)]
	for _, b := range whole {
		if b != 0 {
			return "not zero"
		}
	}
	for i := range whole {
		whole[i] = 'x'
	}
	return strings.Repeat("y", len(whole))
}
`

const olderTest = `package m

import (
	"math"
	"testing"
)

func Test(t *testing.T) {
	for i := 0; i < 3; i++ {
		a, b := Sums([]int{1, 2, 3}, 2)
		if a != 2 || b != 3 {
			t.Error(a, b)
		}
		if s := Joined([]string{"a", "b"}); s != "ab" {
			t.Error(s)
		}
		if n := Distinct([]string{"a", "b", "a"}); n != 2 {
			t.Error(n)
		}
		if n := Most([]float64{math.NaN(), 1}); n != 2 {
			t.Error(n)
		}
		if n := Counted([]int{1, 2, 4}, 3); n != 2 {
			t.Error(n)
		}
		if n := Reached([]byte("abba")); n != 2 {
			t.Error(n)
		}
		if s := Room("abc"); s != "yyyyyy" {
			t.Error(s)
		}
	}
	allocated := testing.AllocsPerRun(100, func() { Distinct([]string{"a", "b", "a"}) })
	if allocated > 0.5 {
		t.Error(allocated)
	}
}
`

// TestPoolOlder checks that values are pooled in modules of versions of Go that do not have clear, nor any.
func TestPoolOlder(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	file := filepath.Join(dir, "m.go")
	for name, text := range map[string]string{"m.go": older, "m_test.go": olderTest, "go.mod": "module example.com/m\n\ngo 1.13\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	program, err := Load(t.Context(), dir, []string{"."}, false)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(older, "\n") {
		f := everything(program, file, i+1, typedPool)
		complete := Match{typedPool, f}.Complete()
		if strings.Contains(line, ":= make") && complete != strings.HasSuffix(line, "// pooled") {
			t.Errorf("%d: complete is %t: %s", i+1, complete, line)
		}
	}
	poolAll(t, dir)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(data, []byte("sync.Pool{New: func() interface{} {")); n != strings.Count(older, "// pooled") {
		t.Errorf("%d pools: %s", n, data)
	}
	cmd := exec.Command("go", "test", ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %.4000s", err, out)
	}
}
