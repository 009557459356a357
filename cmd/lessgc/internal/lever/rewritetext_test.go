package lever

import (
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// lateMakeTexts are functions of testdata/rewrites/late-make as they are rewritten.
var lateMakeTexts = []struct{ file, fn, want string }{
	{"moved.go", "moved", `func moved(name string, n int) *item {
	if n%4 != 0 || n == 0 {
		return nil
	}
	// It has what the caller has.
	return &item{ // rewritten
		name:  name,
		count: n, // a number
		at:    place{line: 1},
	}
}`},
	{"moved.go", "movedNew", `func movedNew(n int) (node, bool) {
	if n%4 != 0 {
		return nil, false
	}
	return new(item), true // rewritten
}`},
	{"moved.go", "aliased", `func aliased(n int) *item {
	sizes := []int{n}
	sizes[0]++
	if sizes[0]%4 != 1 {
		return nil
	}
	return &item{sizes: sizes} // rewritten
}`},
	{"moved.go", "assigned", `func assigned(name string, n int) *item {
	// it stays on the stack: the result is a copy.
	it := item{name: name, count: n} // rewritten
	n++
	if n%4 != 1 {
		return nil
	}
	return new(it)
}`},
	{"placed.go", "commentInside", `func commentInside(name string) *item {
	// it stays on the stack: the result is a copy.
	it := /* without a number */ item{name: name} // rewritten
	if len(name)%4 != 0 {
		return nil
	}
	return new(it)
}`},
	{"older.go", "older", `func older(n int) (node, int) {
	// it stays on the stack: the result is a copy.
	it := item{count: n} // rewritten
	it.name = "older"
	if n%4 != 0 {
		return nil, 0
	}
	result := it
	return &result, it.count
}`},
}

// TestLateMakeText checks what the functions of a folder read like when the struct is made where they return it.
func TestLateMakeText(t *testing.T) {
	const folder = "./testdata/rewrites/late-make"
	program, err := Load(t.Context(), ".", []string{folder}, false)
	if err != nil {
		t.Fatal(err)
	}
	program.Executed = countExecuted(t, folder)
	for _, c := range lateMakeTexts {
		if got := edited(t, program, filepath.Join(folder, c.file), "func "+c.fn+"(", "// rewritten", lateMake); !strings.Contains(got, c.want+"\n\n") {
			t.Errorf("there is no\n%s\nin\n%s", c.want, got)
		}
	}
}

// TestReturnValueText checks what functions that return a struct read like, and their callers.
func TestReturnValueText(t *testing.T) {
	const folder = "./testdata/rewrites/return-value"
	program, err := Load(t.Context(), ".", []string{folder}, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`func variable(n int) pair {
	p := pair{ // rewritten
		left: n, // the first
	}
	p.add(n)
	bump(&p)
	p.fill()
	if n > 5 {
		p.right = 1
		return p
	}
	return p
}`, `func allocated(n int) pair {
	var p pair // rewritten
	p.left = n
	p = pair{left: p.left + 1}
	return p
}`, `func checked(n int) (pair, error) {
	if n%2 != 0 {
		return pair{}, errors.New("odd")
	}
	if err := check(n); err != nil {
		return pair{}, err
	}
	return pair{left: n}, nil // rewritten
}`, `func zero() pair {
	return pair{} // rewritten
}

func useZero() int {
	p := zero()
	p.last[1] = 4
	q := p
	q.left = 7
	p.items = append(p.items, q.left)
	p.right = len(p.items)
	return p.last[1] + p.right + p.left + zero().left
}`} {
		begins, _, _ := strings.Cut(want, ")")
		if got := edited(t, program, filepath.Join(folder, "values.go"), begins, "// rewritten", returnValue); !strings.Contains(got, want+"\n\n") {
			t.Errorf("there is no\n%s\nin\n%s", want, got)
		}
	}
}

// TestSplitLocalText checks what loops over the parts of a text read like.
func TestSplitLocalText(t *testing.T) {
	const folder = "./testdata/rewrites/split-local"
	program, err := Load(t.Context(), ".", []string{folder}, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ file, want string }{
		{"parts.go", `func numbered(in fmt.Stringer) string {
	text := in.String() // rewritten
	out := make([]string, 0, strings.Count(text, "\n")+1)
	for i, rest, more := 0, text, true; more; i++ {
		var line string
		line, rest, more = strings.Cut(rest, "\n")
		out = append(out, fmt.Sprintf("%d. %s", i+1, line))
	}
	return strings.Join(out, "\n")
}`},
		{"heads.go", `func withComment(text string) (out []string) {
	all := /* some may be empty */ text
	for i, rest, more := 0, all, true; more; i++ {
		var part string
		part, rest, more = strings.Cut(rest, ",")
		out = append(out, fmt.Sprint(i, part))
	}
	return out
}`},
		{"parts.go", `func plain(text string) (out []string) {
	if strings.Count(text, comma)+1 > 2 {
		return nil
	}
	for i, rest, more := 0, text, true; more; i++ { // the first as it is
		var part string
		part, rest, more = strings.Cut(rest, comma)
		// All parts have their number.
		out = append(out, fmt.Sprint(i, part))
	}
	return out
}`},
		{"older.go", `func olderVariable(text func() string) (out []string) {
	all := text() // rewritten

	// Only some are left.
	for rest, more := all, true; more; {
		var tag string
		tag, rest, more = strings.Cut(rest, ",")
		if tag != "" {
			out = append(out, tag)
		}
	}
	return out
}`},
		{"expressions.go", `func ofField(r *request) (out []string) {
	// rewritten
	for rest, more := r.path, true; more; {
		var part string
		part, rest, more = strings.Cut(rest, "/")
`},
		{"expressions.go", `func ofCall(r *request) (out []string) {
	var last string
	// rewritten
	for i, rest, more := 0, r.read(), true; more; i++ {
		var part string
`},
		{"expressions.go", `func ofParameter(text string) (n int) {
	// rewritten
	for rest, more := text, true; more; {
`},
		{"expressions.go", `func behindLabel(r *request) (n int) {
	// rewritten
outer:
	for i, rest, more := 0, r.read()+"/", true; more; i++ {
`},
		{"expressions.go", `func inCase(r *request, n int) int {
	switch {
	case n > 0:
		// rewritten
		for rest, more := r.read(), true; more; {
`},
		{"expressions.go", `func commentBetween(r *request) (n int) {
	n++

	// The first is counted, too.
	for rest, more := r.read(), true; more; {
`},
		{"expressions.go", `func ofConcatenation(r *request, text string) (n int) {
	// rewritten
	for i, rest, more := 0, text+"/"+r.read(), true; more; i++ {
`},
		{"expressions.go", `func effectBetween(r *request) (n int) {
	// rewritten
	text := r.path
	r.path = "changed"
	for rest, more := text, true; more; {
`},
		{"expressions.go", `func callBetween(r *request) (n int) {
	// rewritten
	text := r.read()
	n = reads
	for rest, more := text, true; more; {
`},
		{"expressions.go", `func counted(r *request) (n int) {
	// rewritten
	text := r.path
	for rest, more := text, true; more; {
`},
		{"expressions.go", `func commentAbove(r *request) (n int) {
	// rewritten
	text := r.path

	for rest, more := text, true; more; {
`},
		{"expressions.go", `func severalLines(r *request) (n int) {
	// rewritten
	text := r.path +
		"/"
	for rest, more := text, true; more; {
`},
		{"expressions.go", `func literal(r *request) (n int) {
	// rewritten
	text := request{path: r.path}.path
	for rest, more := text, true; more; {
`},
		{"expressions.go", `func wide(r *request) (n int) {
	// rewritten
	text := strings.TrimSuffix(strings.TrimPrefix(r.path, "a long prefix"), "a suffix")
	for rest, more := text, true; more; {
`},
		{"expressions.go", `func commentBehind(r *request) (n int) {
	text := r.path // rewritten
	for rest, more := text, true; more; {
`},
		{"expressions.go", `func ofItself(parts string) (n int) {
	if n == 0 {
		// rewritten
		text := parts + "/"
		for rest, more := text, true; more; {
`},
	} {
		begins, _, _ := strings.Cut(c.want, ")")
		if got := edited(t, program, filepath.Join(folder, c.file), begins, "strings.Split(", splitLocal); !strings.Contains(got, c.want) {
			t.Errorf("there is no\n%s\nin\n%s", c.want, got)
		}
	}
}

// TestTextsOfProfile checks what functions read like that a profile has shown to be worth a change.
func TestTextsOfProfile(t *testing.T) {
	for _, c := range []struct {
		folder, file string
		r            *Lever
		want         []string
	}{
		{"text-twice", "texts.go", textTwice, []string{`func without(s string) string {
	var buf strings.Builder
	buf.Grow(len(s)) // one byte each
	for i := 0; i < len(s); i++ {
		if s[i] != '_' {
			buf.WriteByte(s[i])
		}
	}
	return buf.String() // rewritten
}`, `func escaped(s, quote string) string {
	var out strings.Builder
	out.Grow(len(s) + 2*len(quote))
	out.WriteString(quote)
	for i, r := range s {
		switch {
		case r == '"':
			out.WriteString("\\\"")
		case r == '\n' && out.Len() > len(quote):
			out.WriteByte('\\')
			out.WriteByte(s[i] + 'n' - '\n')
		default:
			out.WriteRune(r)
		}
	}
	out.WriteString(quote)
	return out.String() // rewritten
}`, `func snake(s string) string {
	var name strings.Builder
	for _, r := range s {
		if unicode.IsUpper(r) {
			if name.Len() > 0 {
				name.WriteByte('_')
			}
			r = unicode.ToLower(r)
		}
		name.WriteRune(r)
	}
	return name.String() // rewritten
}`}},
		{"stack-buffer", "buffers.go", stackBuffer, []string{`func joined(name string, n int) string {
	b := bytes.NewBuffer(make([]byte, 0, 64)) // up to 64 bytes stay on the stack
`, `func formatted(name string) string {
	b := make([]byte, 0, 64) // up to 64 bytes stay on the stack
	b = append(b, name...)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(len(name)), 10) // rewritten
`, `func separatedBy(names []string) string {
	b := bytes.NewBuffer(make([]byte, 0, 64)) // up to 64 bytes stay on the stack
	for _, name := range names {
		if b.Len() > 0 {
			b.WriteByte(',')
			b.WriteByte( /* a space */ (' '))
		}
		b.WriteString(name) // rewritten
	}
	b.WriteByte('\n') //nolint:errcheck
`, `func listedEach(names []string) (n int) {
	for i, name := range names {
		b := make([]byte, 0, 64)                 // up to 64 bytes stay on the stack
		b = fmt.Appendf(b, "%d %-1s\n", i, name) // rewritten
`, `func looked(names []string, name string) (n int) {
	b := make([]byte, 0, 64)    // up to 64 bytes stay on the stack
	b = utf8.AppendRune(b, '«') // rewritten
`}},
		{"stack-buffer", "plain.go", stackBuffer, []string{`func pathOf(path []element) string {
	if path == nil {
		return ""
	}
	str := bytes.NewBuffer(make([]byte, 0, 128)) // up to 128 bytes stay on the stack
	for i, v := range path {
		switch v := v.(type) {
		case index:
			str.WriteByte('[')
			str.Write(strconv.AppendInt(str.AvailableBuffer(), int64(v), 10))
			str.WriteByte(']') // rewritten
`, `func plainEach(names []string) string {
	b := bytes.NewBuffer(make([]byte, 0, 64)) // up to 64 bytes stay on the stack
	for i, name := range names {
		if i > 0 {
			b.WriteByte(';')
		}
		_, _ = b.Write(strconv.AppendInt(b.AvailableBuffer(), int64(i), 10))
		_ = b.WriteByte('=')
		_, _ = b.WriteString(name) // rewritten
		b.WriteString(strconv.FormatBool(true))
		b.WriteString("%\n")
		value := b.Len()
`}},
		{"strings-builder", "stringsbuilder.go", stringBuilder, []string{`func path(host, name string) string {
	var b strings.Builder
	b.Grow(24) // few need more
	if host != "" {
`, `func either(host, name string) string {
	var b strings.Builder
	b.Grow(32) // few need more
	if name == "" {
`}},
		{"rune-text_stack", "runes.go", runeText, []string{`func distance(a, b string) int {
	// The shorter one has a column.
	s1 := runesOf(a) // rewritten
	s2 := runesOf(b) // rewritten
	if len(s1) > len(s2) {`, `func (n name) reversed() string {
	// rewritten
	all := runesOf(string(n))
`}},
	} {
		folder := "./testdata/rewrites/" + c.folder
		program, err := Load(t.Context(), ".", []string{folder}, false)
		if err != nil {
			t.Fatal(err)
		}
		program.Sites, program.Ops = sitesIn(t, folder), observedOps
		for _, want := range c.want {
			begins, _, _ := strings.Cut(want[5:], "{")
			at := "// rewritten"
			if strings.Contains(want, "// rewritten\n\tall") {
				at = "[]rune("
			}
			if got := edited(t, program, filepath.Join(folder, c.file), "func "+begins, at, c.r); !strings.Contains(got, want) {
				t.Errorf("there is no\n%s\nin\n%s", want, got)
			}
		}
	}
}

// edited returns what a lever makes of a file, at the first line of a function that has a text.
func edited(t *testing.T, program *Program, file, begins, at string, r *Lever) string {
	file, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := strings.Cut(string(data), begins)
	rest := string(data)[len(before):]
	offset := strings.Index(rest, at)
	if !ok || offset < 0 {
		t.Fatalf("%s has no %s in %s", file, at, begins)
	}
	line := 1 + strings.Count(before, "\n") + strings.Count(rest[:offset], "\n")
	for _, e := range slices.Backward(slices.SortedFunc(slices.Values(atLine(program, file, line, r).Edits), byPlace)) {
		if e.File == file { // others that are the same may stand in another one
			data = slices.Concat(data[:e.Pos], []byte(e.Text), data[e.End:])
		}
	}
	if data, err = format.Source(data); err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// editedAlone returns what a lever makes of the only file of a module for a version of Go, see edited, and checks that it builds.
func editedAlone(t *testing.T, version, source, begins, at string, r *Lever) string {
	t.Helper()
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	file := filepath.Join(dir, "m.go")
	for name, text := range map[string]string{"m.go": source, "go.mod": "module example.com/m\n\ngo " + version + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	program, err := Load(t.Context(), dir, []string{"."}, false)
	if err != nil {
		t.Fatal(err)
	}
	text := edited(t, program, file, begins, at, r)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s\n%s", err, out, text)
	}
	return text
}

// TestLinesOf checks that no line but an empty one goes with a statement that its block began with. The source is not as gofmt has it:
// that leaves no other lines with a character only.
func TestLinesOf(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	const head = "package m\n\nimport \"strings\"\n\nfunc sum(text string) (n int) {\n\tparts := strings.Split(text, \",\")\n"
	const loop = "\tfor i, part := range parts {\n\t\tn += i * len(part)\n\t}\n\treturn n\n}\n"
	file := filepath.Join(dir, "m.go")
	for between, want := range map[string]string{
		"{\nn = 1\n}\n": "func sum(text string) (n int) {\n\t{\n\t\tn = 1\n\t}\n",
		"\n":            "func sum(text string) (n int) {\n\tfor i, rest, more :=",
		"\r\n":          "func sum(text string) (n int) {\n\tfor i, rest, more :=",
	} {
		source := head + between + loop
		for name, text := range map[string]string{"m.go": source, "go.mod": "module example.com/m\n\ngo 1.21\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		program, err := Load(t.Context(), dir, []string{"."}, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := edited(t, program, file, "func sum(", "parts := ", splitLocal); !strings.Contains(got, want) {
			t.Errorf("with %q between them there is no\n%s\nin\n%s", between, want, got)
		}
	}
}
