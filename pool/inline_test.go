package pool_test

import (
	"os/exec"
	"strings"
	"testing"
	"unsafe"

	"lessgc/internal/checked"
	"lessgc/pool"
)

// TestInlined pins what makes a Buffer faster than one behind a call: the
// compiler inlines the methods that write.
func TestInlined(t *testing.T) {
	if checked.Enabled {
		t.Skip("checks take up what may be inlined")
	}
	out, err := exec.Command("go", "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, method := range []string{"Write", "WriteString", "WriteByte", "Bytes", "Len", "AvailableBuffer"} {
		if line := "can inline (*Buffer)." + method + "\n"; !strings.Contains(string(out), line) {
			t.Errorf("the compiler does not say %q", line)
		}
	}
}

// TestSize pins the size of a Buffer to the size class that it fills.
func TestSize(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("sizes of 64-bit platforms")
	}
	if got := unsafe.Sizeof(pool.Buffer{}); got > 32 {
		t.Errorf("a Buffer has %d bytes, want at most 32", got)
	}
}
