package textconversion

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A portion takes no more than 4096 bytes at once.
type portion struct{}

func (portion) Write(p []byte) (int, error) {
	if len(p) > 4096 {
		return 4096, errors.New("too long")
	}
	return len(p), nil
}

func TestTwins(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	deferredFile(f, []byte("ab"))
	if data, err := os.ReadFile(name); err != nil || string(data) != "ab" {
		t.Errorf("%q %v", data, err)
	}
	var b strings.Builder
	deferredBuilder(&b, []byte("ab"))
	if b.String() != "ab" {
		t.Error(b.String())
	}
	if !(rule{regexp.MustCompile("a")}).matches([]byte("#a")) {
		t.Error("another method")
	}
	if err := (embedded{bufio.NewWriterSize(portion{}, 4096)}).put(strings.Repeat("x", 5000)); err == nil {
		t.Error("no error")
	}
}
