package lever

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlainFormatCases checks that the other cases of a switch change with the one of the line, as far as they may, and that what they save is
// counted.
func TestPlainFormatCases(t *testing.T) {
	const folder = "./testdata/rewrites/plain-format"
	program, err := Load(t.Context(), ".", []string{folder}, false)
	if err != nil {
		t.Fatal(err)
	}
	const want = `	case int:
		return strconv.Itoa(x) // rewritten
	case uint8:
		return strconv.FormatUint(uint64(x), 10)
	case string:
		return "<" + x + " " + fmt.Sprintf("%d", len(x)) + ">"
	case []string:
		each := func(i int) string { return fmt.Sprintf("%d", names[x[i]]) }
		return each(0)
	case point:
		return fmt.Sprintf("%v", x) + fmt.Sprintf("%3d", x.x)
	}
`
	file, err := filepath.Abs(filepath.Join(folder, "plainformat.go"))
	if err != nil {
		t.Fatal(err)
	}
	if got := edited(t, program, file, "func described(", "// rewritten", plainFormat); !strings.Contains(got, want) {
		t.Errorf("there is no\n%s\nin\n%s", want, got)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(data), `return fmt.Sprintf("%d", x) // rewritten`)
	line := 1 + strings.Count(before, "\n")
	if also := everything(program, file, line, plainFormat).Also; len(also) == 0 || also[0].Line.File != file || also[0].Line.Line != line+2 {
		t.Errorf("line %d goes, too: %+v", line+2, also)
	}
}
