package lever

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
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
		each := func(i int) string { return strconv.Itoa(names[x[i]]) }
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

// TestPlainFormatParts checks which texts that are only written are written in parts, and that these save the text, too.
func TestPlainFormatParts(t *testing.T) {
	const folder = "./testdata/rewrites/plain-format"
	program, err := Load(t.Context(), ".", []string{folder}, false)
	if err != nil {
		t.Fatal(err)
	}
	file, err := filepath.Abs(filepath.Join(folder, "parts.go"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	wants := map[string]string{ // those that begin with a new line are parts
		"query": `
			buf.WriteString(k)
			buf.WriteByte('=')
			buf.WriteString(url.QueryEscape(v + k)) // rewritten
		}`,
		"numbers": `
	buf.WriteString(strconv.Itoa(n))
	buf.WriteString(", ")
	buf.WriteString(strconv.FormatUint(uint64(size), 16))
	buf.WriteString(": ")
	buf.WriteString(strconv.FormatFloat(share, 'f', 1, 64)) // rewritten
}`,
		"escapedPair":   "\n\tbuf.WriteString(k)\n\tbuf.WriteByte('=')\n\tbuf.WriteString(url.QueryEscape(v)) // rewritten\n",
		"firstMayPanic": "\n\tbuf.WriteString(names[i])\n\tbuf.WriteByte('=')\n\tbuf.WriteString(strconv.Itoa(i)) // rewritten\n",
		"ofField":       "\n\tbuf.WriteString(t.name)\n\tbuf.WriteByte('=')\n\tbuf.WriteString(t.name) // rewritten\n",
		"toWriters":     "\n\tbuf.WriteByte('<')\n\tbuf.WriteString(string(name))\n\tbuf.WriteRune(r)\n\tbuf.WriteString(\">\\n\") ",
		"inCases": `
		buf.WriteByte('<')
		buf.WriteString(x)
		buf.WriteByte('>') // rewritten
	case int:
		buf.WriteString(strconv.Itoa(x))
		buf.WriteByte(';')
	case []int:
		buf.WriteString(strconv.Itoa(len(x)) + ";" + strconv.Itoa(x[0]))
	case bool:
		buf.WriteString(fmt.Sprintf("%t" /* in words */, x))
	}`,
		"lengthOnly":       `buf.WriteString(strconv.Itoa(len(r.all)) + " slots of " + r.name)`,
		"numbersOnly":      `buf.WriteString(strconv.Itoa(i) + "=" + r.name)`,
		"linted":           `buf.WriteString(k + "=" + v)`,
		"throughLibrary":   `b.WriteString(r + "\t" + strconv.Itoa(handedOn) + "\n")`,
		"commentedOutside": `buf.WriteString( /* both */ k + "=" + v)`,
		"lateMayPanic":     `buf.WriteString(strconv.Itoa(i) + "=" + names[i])`,
		"literalFirst":     `buf.WriteString("<" + names[i])`,
		"ofPointer":        `buf.WriteString(name + "=" + t.name)`,
		"seesBuffer":       `buf.WriteString(name + "=" + strconv.Itoa(buf.Len()))`,
		"changesBuffer":    `buf.WriteString(name + "=" + reset())`,
		"repeated":         `buf.WriteString(name + "=" + strings.Repeat(name, n))`,
		"divided":          `buf.WriteString(name + "=" + strconv.Itoa(100/n))`,
		"many":             `buf.WriteString(a + ", " + b + ", " + c + ".")`,
		"lengthWanted":     `n, _ := buf.WriteString(k + "=" + v)`,
		"errorWanted":      `_, err := buf.WriteString(k + "=" + v)`,
		"writtenLater":     `defer buf.WriteString(k + "=" + v)`,
		"inCondition":      `if _, err := buf.WriteString(k + "=" + v); err != nil {`,
		"inPortions":       `w.WriteString(k + "=" + v)`,
		"toInterface":      `w.WriteString(k + "=" + v)`,
		"toOwn":            `f.WriteString(k + "=" + v)`,
		"labelled":         `buf.WriteString(k + "=" + v)`,
		"swapsBuffer":      `t.b.WriteString(name + " " + t.next())`,
	}
	for name, want := range wants {
		got := edited(t, program, file, "func "+name+"(", "// rewritten", plainFormat)
		if _, body, _ := strings.Cut(got, "func "+name+"("); !strings.Contains(strings.SplitN(body, "\n}\n", 2)[0]+"\n}\n", want) {
			t.Errorf("%s has no\n%s\nbut\n%s", name, want, body[:min(len(body), 300)])
		}
		before, _, _ := strings.Cut(string(data), "func "+name+"(")
		rest, _, _ := strings.Cut(string(data)[len(before):], "// rewritten")
		f := everything(program, file, 1+strings.Count(before+rest, "\n"), plainFormat)
		saves := Match{plainFormat, f}.Saved()
		if name == "inCases" { // one that has a number, and one that stays a text
			var also []Range
			for _, a := range f.Also {
				a.Line.Func = "lessgc/cmd/lessgc/internal/lever/testdata/rewrites/plain-format.inCases"
				also = append(also, a.Share(&site.Site{Frame: a.Line, Bytes: 8, Leaves: []site.Leaf{{Path: []prof.Frame{{Func: "fmt.Sprintf"}}, Bytes: 8}}}))
			}
			if want := []Range{{0.3 / 0.9, 1}, {formatSaves.Alloc.Lo / saves.Alloc.Lo, formatSaves.Alloc.Hi}}; !slices.Equal(also, want) {
				t.Errorf("other cases are %v of their lines, want %v", also, want)
			}
		}
		switch parts := strings.HasPrefix(want, "\n"); {
		case !parts && saves != plainFormat.Saves, parts && (saves.Alloc.Lo <= plainFormat.Saves.Alloc.Lo || saves.Alloc.Hi != 1 || saves.Work != plainFormat.Saves.Work):
			t.Errorf("%s saves %+v", name, saves)
		}
	}
}

// TestPlainFormatAdds checks that what is set to itself and more is added to, and nothing else is.
func TestPlainFormatAdds(t *testing.T) {
	const begins = "package m\n\nimport (\n\t\"fmt\"\n\t\"strconv\"\n)\n\nvar all, _ = strconv.Itoa, fmt.Sprint\n\n"
	for source, want := range map[string]string{
		"func f(s, t string) string {\n\tif t != \"\" {\n\t\ts = fmt.Sprintf(\"%s %s\", s, t)\n\t}\n\treturn s\n}\n":                            "func f(s, t string) string {\n\tif t != \"\" {\n\t\ts += \" \" + t\n\t}\n\treturn s\n}\n",
		"func f(s string, n int) string {\n\ts = fmt.Sprintf(\"%s%d\", s, n)\n\treturn s\n}\n":                                                  "func f(s string, n int) string {\n\ts += strconv.Itoa(n)\n\treturn s\n}\n",
		"func f(s string, n int) string {\n\tt := fmt.Sprintf(\"%s:%d\", s, n)\n\tif n == 0 {\n\t\tt = fmt.Sprintf(\"\")\n\t}\n\treturn t\n}\n": "func f(s string, n int) string {\n\tt := s + \":\" + strconv.Itoa(n)\n\tif n == 0 {\n\t\tt = fmt.Sprintf(\"\")\n\t}\n\treturn t\n}\n",
		"func f(s, t string) string {\n\ts = fmt.Sprintf(\"%s %s\", t, s)\n\treturn s\n}\n":                                                     "func f(s, t string) string {\n\ts = t + \" \" + s\n\treturn s\n}\n",
		"func f(s, t string) string {\n\ts = fmt.Sprintf(\" %s %s\", s, t)\n\treturn s\n}\n":                                                    "func f(s, t string) string {\n\ts = \" \" + s + \" \" + t\n\treturn s\n}\n",
		"func f(s, t string) string {\n\tif t != \"\" {\n\t\ts := fmt.Sprintf(\"%s %s\", s, t)\n\t\treturn s\n\t}\n\treturn s\n}\n":             "func f(s, t string) string {\n\tif t != \"\" {\n\t\ts := s + \" \" + t\n\t\treturn s\n\t}\n\treturn s\n}\n",
		"func f(s []string, t string) string {\n\ts[0] = fmt.Sprintf(\"%s %s\", s[0], t)\n\treturn s[0]\n}\n":                                   "func f(s []string, t string) string {\n\ts[0] = s[0] + \" \" + t\n\treturn s[0]\n}\n",
	} {
		if got := editedAlone(t, "1.26", begins+source, "func f", "fmt.Sprintf", plainFormat); got != begins+want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

// TestPlainFormatBeside checks that calls of other formats in the function change, too, where they are plain, and none of another function.
func TestPlainFormatBeside(t *testing.T) {
	const source = "package m\n\nimport \"fmt\"\n\nfunc f(a, b string, n float64) (all []string, err error) {\n\tif a == \"\" {\n\t\treturn nil, fmt.Errorf(\"empty: %s\", fmt.Sprintf(\"%s.\", b))\n\t}\n\tall = append(all, fmt.Sprintf(`id=\"%s\"`, a))\n\tall = append(all, fmt.Sprintf(\"%6.2f\", n))\n\tall = append(all, fmt.Sprintf(\"%s: %s\", a, b))\n\treturn all, nil\n}\n\nfunc g(a string) string { return fmt.Sprintf(\"%s!\", a) }\n"
	const want = "package m\n\nimport \"fmt\"\n\nfunc f(a, b string, n float64) (all []string, err error) {\n\tif a == \"\" {\n\t\treturn nil, fmt.Errorf(\"empty: %s\", fmt.Sprintf(\"%s.\", b))\n\t}\n\tall = append(all, `id=\"`+a+`\"`)\n\tall = append(all, fmt.Sprintf(\"%6.2f\", n))\n\tall = append(all, a+\": \"+b)\n\treturn all, nil\n}\n\nfunc g(a string) string { return fmt.Sprintf(\"%s!\", a) }\n"
	if got := editedAlone(t, "1.26", source, "func f", "fmt.Sprintf(`id", plainFormat); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
