package lever

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// keptTexts is a package that reads texts by way of bytes. It is not below testdata/rewrites: a mark there is a comment about the
// statement, which stays with it.
const keptTexts = `package m

import "bytes"

// first has a parameter that nothing else uses, and changes the bytes' variable.
func first(raw, key string) (n int) {
	query := []byte(raw)
	for len(query) > 0 {
		found := query
		if i := bytes.IndexByte(found, '&'); i >= 0 {
			found, query = found[:i], found[i+1:]
		} else {
			query = query[:0]
		}
		if bytes.HasPrefix(found, []byte("x")) {
			n++
		}
	}
	return n + len(key)
}

// sums has two variables that never change.
func sums(text string) (n int) {
	chars := []byte(text)
	for _, c := range chars {
		n += int(c)
	}
	return n * len(text)
}

// used has a parameter that is used after the variable has changed.
func used(text string) (n int) {
	b := []byte(text)
	b = b[1:]
	return len(b) * len(text)
}

// result has a result, which the return uses.
func result(key string) (text string, n int) {
	text = key
	b := []byte(text)
	b = b[1:]
	n = len(b)
	return
}

// again copies the text in each iteration.
func again(text string) (n int) {
	for range 2 {
		b := []byte(text)
		b = b[1:]
		n += len(b)
	}
	return n
}

// captured has a text that a function literal has.
func captured(text string) int {
	length := func() int { return len(text) }
	b := []byte(text)
	b = b[1:]
	return len(b) * length()
}

// hidden has another variable of the name.
func hidden(text string) (n int) {
	b := []byte(text)
	for _, text := range []int{1, 2} {
		n += text * len(b)
	}
	return n
}

// noted has a comment about the variable.
func noted(text string) int {
	// The bytes are counted.
	b := []byte(text)
	return len(b)
}
`

const keptTextsTest = `package m

import "testing"

func Test(t *testing.T) {
	text, n := result("abc")
	if first("x=1&y=2&xx", "k") != 3 || sums("ab") != 390 || used("abc") != 6 || text != "abc" || n != 2 || again("abc") != 4 || captured("abc") != 6 || hidden("ab") != 6 || noted("ab") != 2 {
		t.Error("another result")
	}
}
`

// TestKeepTextNamed checks that the string's own variable takes the place of the one with its bytes where that is right.
func TestKeepTextNamed(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	file := filepath.Join(dir, "m.go")
	for name, text := range map[string]string{"m.go": keptTexts, "m_test.go": keptTextsTest, "go.mod": "module example.com/m\n\ngo 1.22\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for fn, want := range map[string]string{
		"first": `func first(raw, key string) (n int) {
	for len(raw) > 0 {
		found := raw
		if i := strings.IndexByte(found, '&'); i >= 0 {
			found, raw = found[:i], found[i+1:]
		} else {
			raw = ""
		}
		if strings.HasPrefix(found, "x") {`,
		"sums": `func sums(text string) (n int) {
	for _, c := range []byte(text) {
		n += int(c)`,
		"used":     "\tb := text\n\tb = b[1:]",
		"result":   "\tb := text\n\tb = b[1:]",
		"again":    "\t\tb := text\n\t\tb = b[1:]",
		"captured": "\tb := text\n\tb = b[1:]",
		"hidden":   "\tb := text\n\tfor _, text := range",
		"noted":    "\tb := text\n\treturn len(b)",
	} {
		program, err := Load(t.Context(), dir, []string{"."}, false)
		if err != nil {
			t.Fatal(err)
		}
		got := edited(t, program, file, "func "+fn+"(", "[]byte(", keepText)
		if !strings.Contains(got, want) {
			t.Errorf("there is no\n%s\nin\n%s", want, got)
		}
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
