package lever

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCutAtIndex checks what takes the place of strings.SplitN before Go 1.18, and that nothing does where it is not known which parts there are.
func TestCutAtIndex(t *testing.T) {
	const begins = "package m\n\nimport \"strings\"\n\nconst arrow = \"=>\"\n\n"
	for source, want := range map[string]string{
		"func f(raw string) (key, val string) {\n\tparts := strings.SplitN(raw, \"=\", 2)\n\tif len(parts) == 1 {\n\t\treturn parts[0], \"\"\n\t}\n\tif len(parts) != 2 {\n\t\treturn \"\", \"\"\n\t}\n\n\tkey = parts[0]\n\tval = strings.Trim(parts[1], \"x\")\n\treturn key, val\n}\n": "func f(raw string) (key, val string) {\n\ti := strings.Index(raw, \"=\")\n\tif i < 0 {\n\t\treturn raw, \"\"\n\t}\n\n\tkey = raw[:i]\n\tval = strings.Trim(raw[i+1:], \"x\")\n\treturn key, val\n}\n",
		"func f(raw string) (string, string) {\n\tkv := strings.SplitN(raw, arrow, 2)\n\tif len(kv) == 2 && kv[1] != \"\" {\n\t\treturn kv[0], kv[1]\n\t}\n\treturn \"\", \"\"\n}\n":                                                                                                      "func f(raw string) (string, string) {\n\ti := strings.Index(raw, arrow)\n\tif i >= 0 && raw[i+len(arrow):] != \"\" {\n\t\treturn raw[:i], raw[i+len(arrow):]\n\t}\n\treturn \"\", \"\"\n}\n",
		"func f(all []string) (n int) {\n\tfor i, raw := range all {\n\t\tkv := strings.SplitN(raw, \"::\", 2)\n\t\tif len(kv) < 2 {\n\t\t\tcontinue\n\t\t}\n\t\tn += i + len(kv[0])\n\t}\n\treturn n\n}\n":                                                                               "func f(all []string) (n int) {\n\tfor i, raw := range all {\n\t\tat := strings.Index(raw, \"::\")\n\t\tif at < 0 {\n\t\t\tcontinue\n\t\t}\n\t\tn += i + len(raw[:at])\n\t}\n\treturn n\n}\n",
		"func f(raw string) int {\n\treturn len(strings.Split(raw, \",\"))\n}\n":                                                                                                                                     "func f(raw string) int {\n\treturn (strings.Count(raw, \",\") + 1)\n}\n",
		"func f(raw string) string {\n\tkv := strings.SplitN(raw, arrow, 2)\n\tif len(kv) == 2 {\n\t\tarrow := \"x\"\n\t\treturn kv[1] + arrow\n\t}\n\treturn \"\"\n}\n":                                             "",
		"func f(x, y string) string {\n\ta := strings.SplitN(x, \"=\", 2)\n\tif len(a) == 2 {\n\t\tb := strings.SplitN(y, \":\", 2)\n\t\tif len(b) == 2 {\n\t\t\treturn a[0] + b[1]\n\t\t}\n\t}\n\treturn \"\"\n}\n": "func f(x, y string) string {\n\taAt := strings.Index(x, \"=\")\n\tif aAt >= 0 {\n\t\tb := strings.SplitN(y, \":\", 2)\n\t\tif len(b) == 2 {\n\t\t\treturn x[:aAt] + b[1]\n\t\t}\n\t}\n\treturn \"\"\n}\n",
		"func f(raw string) string {\n\tkv := strings.SplitN(raw, \"=\", 2)\n\tif len(kv) == 1 {\n\t\treturn raw\n\t}\n\tif len(kv) != 2 {\n\t\treturn strings.ToUpper(\"bad\")\n\t}\n\treturn kv[1]\n}\n":           "",
		// Which parts there are is not known, or the text may change.
		"func f(raw string) string {\n\tkv := strings.SplitN(raw, \"=\", 2)\n\treturn kv[0]\n}\n":                                                                                       "",
		"func f(raw string) string {\n\tkv := strings.SplitN(raw, \"=\", 2)\n\tif len(kv) == 2 {\n\t\tprintln()\n\t}\n\treturn kv[0]\n}\n":                                              "",
		"func f(raw string) string {\n\tkv := strings.SplitN(raw, \"=\", 2)\n\traw = \"\"\n\tif len(kv) == 2 {\n\t\treturn kv[0]\n\t}\n\treturn raw\n}\n":                               "",
		"func f(raw *string) string {\n\tkv := strings.SplitN(*raw, \"=\", 2)\n\tif len(kv) == 2 {\n\t\treturn kv[0]\n\t}\n\treturn \"\"\n}\n":                                          "",
		"func f(raw string) string {\n\tkv := strings.SplitN(raw, \"=\", 2)\n\tif len(kv) == 2 {\n\t\traw := \"\"\n\t\treturn kv[0] + raw\n\t}\n\treturn \"\"\n}\n":                     "",
		"func f(raw string, p **string) string {\n\t*p = &raw\n\tkv := strings.SplitN(raw, \"=\", 2)\n\tif len(kv) == 2 {\n\t\treturn kv[0]\n\t}\n\treturn \"\"\n}\n":                   "",
		"func f(raw string) string {\n\tkv := strings.SplitN(raw, \"=\", 2)\n\tif len(kv) != 2 {\n\t\tif len(kv) == 1 {\n\t\t\treturn raw\n\t\t}\n\t}\n\treturn \"\"\n}\n":              "",
		"func f(raw string) string {\n\tkv := strings.SplitN(raw, \"=\", 2)\n\tif len(kv) == 2 {\n\t\treturn kv[0]\n\t}\n\t{\n\t\tkv[0] = \"\"\n\t}\n\treturn kv[0]\n}\n":               "",
		"func f(raw string) string {\n\tkv := strings.SplitN(raw, \"=\", 2)\n\tif len(kv) == 1 {\n\t\treturn kv[0]\n\t}\n\tif len(kv) > 1 {\n\t\treturn kv[1]\n\t}\n\treturn \"\"\n}\n": "",
	} {
		t.Run("", func(t *testing.T) {
			if got := editedAlone(t, "1.17", begins+source, "func f", "strings.Split", cutText); got != begins+cmp.Or(want, source) {
				t.Errorf("got\n%s\nwant\n%s", got, begins+cmp.Or(want, source))
			}
		})
	}
}

// TestCutAtIndexAgrees runs a function as it was and as it is made on many texts.
func TestCutAtIndexAgrees(t *testing.T) {
	const before = "package main\n\nimport \"strings\"\n\nfunc f(raw string) (string, string) {\n\tkv := strings.SplitN(raw, \"ab\", 2)\n\tif len(kv) != 2 || kv[1] == \"b\" {\n\t\treturn \"none\", \"\"\n\t}\n\treturn kv[0], kv[1]\n}\n"
	const main = `
func main() {
	for n := 0; n < 4*4*4*4*4*4; n++ {
		raw := ""
		for x := n; x > 0; x /= 4 {
			raw += "ab. "[x%4 : x%4+1]
		}
		k, v := f(raw)
		println(raw, k, v)
	}
}
`
	after := editedAlone(t, "1.17", before+main, "func f", "strings.Split", cutText)
	if !strings.Contains(after, "strings.Index") {
		t.Fatalf("it is not rewritten:\n%s", after)
	}
	var printed []string
	for _, text := range []string{before + main, after} {
		file := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("go", "run", file).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		printed = append(printed, string(out))
	}
	if printed[0] != printed[1] || strings.Count(printed[0], "\n") != 4096 {
		t.Errorf("%d bytes as it was, %d as it is", len(printed[0]), len(printed[1]))
	}
}
