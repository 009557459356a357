package executable

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestInspect(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	info, err := Inspect(self)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	if info.SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("sum %s", info.SHA256)
	}
	if rest, ok := strings.CutPrefix(runtime.Version(), info.GoVersion); !ok || strings.Trim(rest, " -") != "" && strings.Trim(rest, " -") != "X:"+info.Experiment {
		t.Errorf("%+v of %s", info, runtime.Version())
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no program"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Inspect(text); err == nil || !strings.Contains(err.Error(), "text: ") {
		t.Errorf("no program: %v", err)
	}
	if _, err := Inspect(filepath.Join(t.TempDir(), "no")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}
