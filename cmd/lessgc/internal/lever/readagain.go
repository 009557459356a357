package lever

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var readAgain = &Lever{
	Name:  "read-again",
	Title: "hand the bytes down, and not a reader over them",
	Looks: "a reader over bytes or a string in memory (bytes.NewReader, strings.NewReader) that a caller in the module makes, and that the line copies into a buffer, or puts a bufio.Reader or bufio.Scanner on.",
	Wrong: "when the bytes are changed afterwards, and what was read is kept.",
	Before: `func (m *Message) Attach(r io.Reader, name string) error {
	var b bytes.Buffer
	if _, err := io.Copy(&b, r); err != nil {
		return err
	}
	m.add(name, b.Bytes())
	return nil
}

err = m.Attach(bytes.NewReader(part.body), part.name)`,
	After: `func (m *Message) Attach(r io.Reader, name string) error {
	// reads, and calls attach
}

func (m *Message) attach(body []byte, name string) { m.add(name, body) }

m.attach(part.body, part.name)`,
	Model: "The copy goes, with what its buffer grows by.",
	Risk:  Aliasing,
	Asks:  "May an inner function take the slice or the string itself, because nothing changes it afterwards?",
	Saves: Saves{Alloc: Range{0.7, 1}, Collect: Range{0.7, 1}, Work: Range{0, 0.5}},
	find:  findReadAgain,
}

func findReadAgain(p *Line) (f Finding) {
	for _, c := range p.callsOnLine() {
		reader, what := readsWhole(c)
		callee, _ := callee(c.Common())
		if reader == nil || callee == nil {
			continue
		}
		name, sum := profiled(callee), int64(0)
		var evidence []Evidence
		for _, l := range p.site.Leaves {
			if len(l.Path) == 0 || l.Path[0].Func != name {
				continue
			}
			made := p.memoryReader(c.Parent(), reader, l.Callers, map[ssa.Value]bool{})
			if made == nil || p.inTest(made.Pos()) {
				continue
			}
			sum += l.Bytes
			if evidence == nil {
				evidence = []Evidence{
					p.at(c.Pos(), fmt.Sprintf("%s%s", what, p.inEach())),
					p.at(made.Pos(), fmt.Sprintf("the reader is a %s over what is in memory here", short(made.Type()))),
				}
			}
		}
		if share := float64(sum) / float64(max(p.site.Bytes, 1)); share > f.Share {
			f = Finding{Share: share, Evidence: evidence, Calls: []string{name}}
		}
	}
	return f
}

// readsWhole is the reader that a call reads to its end, and what is done with it; nil if it does something else.
func readsWhole(c *ssa.Call) (reader ssa.Value, what string) {
	args := c.Call.Args
	switch nameOfCall(c) {
	case "io.Copy", "io.CopyBuffer":
		if to, ok := args[0].(*ssa.MakeInterface); ok && keepsWritten(to.X.Type()) {
			return args[1], "what a reader has is copied into a buffer"
		}
	case "(*bytes.Buffer).ReadFrom":
		return args[1], "what a reader has is copied into a buffer"
	case "bufio.NewReader", "bufio.NewReaderSize":
		return args[0], "a bufio.Reader has a buffer of its own, and copies into it: a bytes.Reader or strings.Reader has ReadByte, ReadRune and WriteTo by itself, and lines are found in the slice by bytes.Lines or IndexByte"
	}
	return nil, ""
}

// keepsWritten reports whether a type is a buffer that keeps all that is written to it.
func keepsWritten(t types.Type) bool {
	switch types.TypeString(t, nil) {
	case "*bytes.Buffer", "*strings.Builder":
		return true
	}
	return false
}
