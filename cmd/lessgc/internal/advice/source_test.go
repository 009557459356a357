package advice

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/input"
)

// TestSource checks which lines are shown, and what is left alone.
func TestSource(t *testing.T) {
	dir := t.TempDir()
	files := input.NewSources(dir)
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	file := write("a.go", "package a\n\nfunc f() {\n\tif true {\n\n\t\tg()\r\n\t}\n}\n")
	check := func(file string, line, around int, want string) {
		t.Helper()
		got := ""
		for _, l := range Source(files, file, line, around) {
			got += fmt.Sprintf("%d %s\n", l.Line, l.Text)
		}
		if got != want {
			t.Errorf("%s:%d ±%d:\n%s\nwant\n%s", filepath.Base(file), line, around, got, want)
		}
	}
	check(file, 6, 2, "4 \tif true {\n5 \n6 \t\tg()\n7 \t}\n8 }\n")
	check(file, 6, 1, "5 \n6 \tg()\n7 }\n")
	check(file, 6, 0, "6 g()\n")
	check(file, 1, 1, "1 package a\n2 \n")
	check(file, 8, 1, "7 \t}\n8 }\n")
	check(file, 0, 2, "")
	check(file, 9, 2, "")
	check(write("long.go", strings.Repeat("é", maxLine)), 1, 3, "1 "+strings.Repeat("é", maxLine/2)+"…\n")
	check(write("odd.go", "a\xffb"), 1, 0, "1 a\uFFFDb\n")
	check(write("secret.txt", "a\n"), 1, 0, "")
	check(filepath.Join(dir, "none.go"), 1, 0, "")
	check(dir, 1, 0, "")
	t.Chdir(dir)
	check("a.go", 1, 0, "")
	if err := os.Mkdir("folder.go", 0o777); err != nil {
		t.Fatal(err)
	}
	check(filepath.Join(dir, "folder.go"), 1, 0, "")
	check(write("empty.go", ""), 1, 0, "1 \n")
}
