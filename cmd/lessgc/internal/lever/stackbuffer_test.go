package lever

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// TestStackBufferAlso checks that a buffer which is on the heap itself, as fmt gets its address, counts as saved with its memory, and that one
// which is on the stack already does not.
func TestStackBufferAlso(t *testing.T) {
	const folder = "./testdata/rewrites/stack-buffer"
	program, err := Load(t.Context(), ".", []string{folder}, false)
	if err != nil {
		t.Fatal(err)
	}
	program.Sites, program.Ops = sitesIn(t, folder), observedOps
	file, err := filepath.Abs(filepath.Join(folder, "buffers.go"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"formatted": true, "joined": false} {
		found := false
		for _, s := range program.Sites {
			line := program.lineOf(s)
			if s.File != file || line == nil || !strings.HasSuffix(s.Func, "."+name) {
				continue
			}
			f := stackBuffer.find(line)
			if len(f.Edits) == 0 {
				continue
			}
			found = true
			saved := 0.0
			for _, a := range f.Also {
				for _, other := range program.Sites {
					if other.File == a.Line.File && other.Line == a.Line.Line {
						saved = max(saved, a.Share(other).Lo)
					}
				}
			}
			if (saved == 1) != want {
				t.Errorf("%s: %g of the buffer's line is saved, too", name, saved)
			}
		}
		if !found {
			t.Errorf("%s is not rewritten", name)
		}
	}
}

// TestNoPoolOfPlain checks that a buffer which fmt prints plain operands to is not pooled, as its parts can be written to one on the stack.
func TestNoPoolOfPlain(t *testing.T) {
	const folder = "./testdata/rewrites/stack-buffer"
	program, err := Load(t.Context(), ".", []string{folder}, false)
	if err != nil {
		t.Fatal(err)
	}
	program.Sites, program.Ops = sitesIn(t, folder), observedOps
	pooled := map[string]bool{}
	for _, s := range program.Sites {
		name := s.Func[strings.LastIndexByte(s.Func, '.')+1:]
		if p := program.lineOf(s); p != nil && filepath.Base(s.File) == "plain.go" {
			pooled[name] = pooled[name] || len(typedPool.find(p).Edits) > 0
		}
	}
	if pooled["pathOf"] || !pooled["pathWide"] {
		t.Errorf("pooled: %v", pooled)
	}
}

// TestStackSlices checks what slices on the stack become, which share of a line's bytes counts as saved, and that none of them is pooled or
// kept by its receiver.
func TestStackSlices(t *testing.T) {
	const folder = "./testdata/rewrites/stack-buffer"
	program, err := Load(t.Context(), ".", []string{folder}, false)
	if err != nil {
		t.Fatal(err)
	}
	program.Sites, program.Ops = sitesIn(t, folder), observedOps
	file, err := filepath.Abs(filepath.Join(folder, "slices.go"))
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]*Line{}
	for _, s := range program.Sites {
		p := program.lineOf(s)
		if p == nil || s.File != file {
			continue
		}
		if in, _ := p.only(); isMakeSlice(in) {
			lines[s.Func[strings.LastIndexByte(s.Func, '.')+1:]] = p
		}
	}
	for name, want := range map[string]string{
		"reversed": `b := make([]byte, 0, 128) // up to 128 bytes stay on the stack
	if len(s) > cap(b) {
		b = make([]byte, len(s))
	}
	b = b[:len(s)]`,
		"counted": `b := make([]byte, 0, 128) // up to 128 bytes stay on the stack
	if n := 12 * len(names); n > cap(b) {
		b = make([]byte, 0, n)
	}`,
		"inEach": `size := 2*len(name) + 30
		seen := make([]bool, 0, 128) // up to 128 elements stay on the stack
		if size > cap(seen) {
			seen = make([]bool, size)
		}
		seen = seen[:size]`,
		"largest": `size := len(names)
	all := make([]span, 0, 16) // up to 16 elements stay on the stack
	if size > cap(all) {
		all = make([]span, size)
	}
	all = all[:size]`,
	} {
		f := stackBuffer.find(lines[name])
		if f.Alone != nil { // others are made by the same statement
			f.Edits = f.Alone
		}
		if len(f.Edits) != 1 || f.Edits[0].Text != want {
			t.Errorf("%s becomes %+v", name, f.Edits)
		}
	}
	p := lines["summed"]
	small, all := 0.0, 0.0
	for n := 10; n < 34; n++ {
		size := float64(16 * ((n + 1) / 2))
		if all += size; n <= 32 {
			small += size
		}
	}
	if got := stackBuffer.find(p).Share; math.Abs(got-small/all) > 0.02 {
		t.Errorf("%.3f of the bytes of summed are saved, want %.3f", got, small/all)
	}
	for name, r := range map[string]*Lever{"both": typedPool} {
		if f := r.find(lines[name]); len(f.Edits) > 0 {
			t.Errorf("%s: what can be on the stack is kept by %s", name, r.Name)
		}
	}
	for name, r := range map[string]*Lever{"sliceLong": typedPool, "addLong": receiverBuffer} {
		if f := r.find(lines[name]); len(f.Edits) == 0 {
			t.Errorf("%s: what is too large for the stack is not kept by %s", name, r.Name)
		}
	}
	program.Reasons = func(string, int) []string { return []string{"call parameter"} }
	if f := stackBuffer.find(p); len(f.Edits) > 0 {
		t.Error("the compiler has a reason for the heap, and it is rewritten")
	}
}

func isMakeSlice(in ssa.Instruction) bool {
	_, ok := in.(*ssa.MakeSlice)
	return ok
}

// TestStackBufferParts checks what becomes of texts that are made for a buffer in whose place there is a slice.
func TestStackBufferParts(t *testing.T) {
	const folder = "./testdata/rewrites/stack-buffer"
	program, err := Load(t.Context(), ".", []string{folder}, false)
	if err != nil {
		t.Fatal(err)
	}
	program.Sites, program.Ops = sitesIn(t, folder), observedOps
	file := filepath.Join(folder, "parts.go")
	for name, want := range map[string]string{
		"query": `	buf := bytes.NewBuffer(make([]byte, 0, 128)) // up to 128 bytes stay on the stack
	for _, k := range keys {
		for _, v := range values[k] {
			if buf.Len() > 0 {
				buf.WriteByte('&')
			}
			buf.WriteString(k + "=" + url.QueryEscape(v)) // rewritten
		}`,
		"numbered": `		b = utf8.AppendRune(b, '«') // rewritten
		b = strconv.AppendInt(b, int64(i), 10)
		b = append(b, ": "...)
		b = append(b, name...)
		b = utf8.AppendRune(b, r)
		b = append(b, '\n')
		b = strconv.AppendInt(b, n, 16)
		b = strconv.AppendInt(b, int64(len(b)), 10)
		b = strconv.AppendQuote(b, name)
		all += string(b)
	}`,
		"separated": `		b = utf8.AppendRune(b, '›') // rewritten
		b = append(b, name...)
		b = append(b, string(os.PathSeparator)...)
		b = append(b, 'x')
		b = append(b, end...)
		b = append(b, name+end...) //nolint:errcheck
		all += string(b)
	}`,
		"entries": `		b = append(b, "<"+e.name...)
		b = append(b, e.name+"."+names[at]...)
		b = append(b, string(b)[:1]+"="+e.name...)
		b = append(b, e.name+"="+e.more()...)
		b = append(b, "a"+e.name+"b"+e.name+"c"+e.name...)
		b = append(b, 'a')
		b = append(b, e.name...)
		b = append(b, strings.ToUpper(e.name)...)
		b = append(b, strconv.Itoa(1<<at)...)
		text += string(b)
	}`,
		"bounded": `		b = append(b, name+"="+names[i]...)
		b = strconv.AppendInt(b, 7, i)
		text += string(b)
	}`,
		"typed": `		b = append(b, strconv.Itoa(n)+int64...)
		b = append(b, strconv.Itoa(n)...)
		all += string(b)
	}`,
	} {
		if got := edited(t, program, file, "func "+name+"(", "// rewritten", stackBuffer); !strings.Contains(got, want) {
			_, body, _ := strings.Cut(got, "func "+name+"(")
			t.Errorf("%s has no\n%s\nbut\n%s", name, want, body[:min(len(body), 800)])
		}
	}
}
