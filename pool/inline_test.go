package pool_test

import (
	"os/exec"
	"strings"
	"testing"
	"unsafe"

	"lessgc/internal/checked"
	"lessgc/pool"
)

// TestInlined pins what makes a Buffer faster than one behind a call, and a Pool as fast as
// a sync.Pool: the compiler inlines what callers call.
func TestInlined(t *testing.T) {
	if checked.Enabled {
		t.Skip("checks take up what may be inlined")
	}
	out, err := exec.Command("go", "build", "-gcflags=-m", "-o", t.TempDir(), "./testdata/inline").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, method := range []string{
		"(*Pool[go.shape.struct {}]).Get", "(*Pool[go.shape.struct {}]).Put",
		"(*Buffers).Put", "(*Buffer).Write", "(*Buffer).WriteString", "(*Buffer).WriteByte", "(*Buffer).Bytes", "(*Buffer).Len", "(*Buffer).Cap", "(*Buffer).AvailableBuffer",
	} {
		if line := "inlining call to pool." + method + "\n"; !strings.Contains(string(out), line) {
			t.Errorf("the compiler does not say %q", line)
		}
	}
}

// TestSize pins the size of a Buffer: each that is kept has 64 of them.
func TestSize(t *testing.T) {
	if got, want := unsafe.Sizeof(pool.Buffer{}), unsafe.Sizeof(uintptr(0)); got != want {
		t.Errorf("a Buffer has %d bytes, want the %d of a pointer", got, want)
	}
}
