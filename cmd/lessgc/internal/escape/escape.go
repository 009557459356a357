// Package escape reads the compiler's records about values that it puts on the heap,
// and finds the record of a line that a profile shows.
//
// The records come from -gcflags=-json=0,file://DIR (cmd/compile/internal/logopt): one
// file for each source file, a header, and then one diagnostic per line in the form of
// the Language Server Protocol, but for lines and columns, which begin at 1.
package escape

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Pos is a position in the source.
type Pos struct {
	File string
	Line int
}

// A Record is one value that escapes to the heap.
type Record struct {
	Pos        // in the innermost function, if it is inlined
	Caller Pos // the call that was inlined; zero if none was
	Column int
	What   string   // such as "make([]byte, n)"
	Reason string   // of the compiler, for the last step: "return", "call parameter", ...
	Last   string   // that step: "return b"
	Flow   []string // all steps, as the compiler writes them
}

// Why describes why the value is on the heap.
func (r Record) Why() string {
	switch r.Reason {
	case "return":
		return "it is returned"
	case "call parameter":
		return "it is passed to " + call(r.Last) + ", which may keep it"
	case "assign", "assign-pair", "assign-pair-dot-type", "assign-pair-func-call", "assign-pair-mapr", "assign-pair-receive":
		return stored(r.Last)
	case "captured by a closure":
		return "a function literal uses it"
	case "interface-converted":
		return "it becomes an interface"
	case "send":
		return "it is sent on a channel"
	case "key of map put":
		return "it is a key of a map"
	case "too large for stack":
		return "it is too large for the stack"
	case "":
		return "the compiler does not say why"
	}
	return fmt.Sprintf("%s (%s)", r.Last, r.Reason)
}

// stored describes what stores a value. The compiler names the result of a call that it has inlined ~r0.
func stored(assignment string) string {
	to, from, ok := strings.Cut(assignment, " := ")
	if !ok {
		to, from, _ = strings.Cut(assignment, " = ")
	}
	switch {
	case strings.HasPrefix(to, "~r"):
		return "it is returned"
	case strings.HasPrefix(from, "~r"):
		return "it is stored in " + to
	}
	return "it is stored by " + assignment
}

// call is the function of a call expression, without its arguments: the compiler writes a method
// as (*T).M(x, y), with x for the receiver.
func call(text string) string {
	depth, receiver := 0, strings.HasPrefix(text, "(")
	for i, r := range text {
		switch r {
		case '(':
			if depth == 0 && !receiver {
				return text[:i]
			}
			depth++
		case ')':
			depth--
			receiver = receiver && depth > 0
		}
	}
	return text
}

// Records holds the records of a build, by position.
type Records struct {
	byPos map[Pos][]Record
	Files int // that were compiled
}

// At returns the records of a line, in the order of their columns.
func (r *Records) At(p Pos) []Record { return r.byPos[p] }

// longest limits the length of a diagnostic, in bytes: its flow may be long.
const longest = 16 << 20

// Read reads the records that the compiler wrote into a folder.
func Read(dir string) (*Records, error) {
	r := &Records{byPos: map[Pos][]Record{}}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".json" {
			return err
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := r.read(f); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		r.Files++
		return nil
	})
	return r, err
}

// A location is a position as the compiler writes it.
type location struct {
	URI   string
	Range struct{ Start struct{ Line, Character int } }
}

func (l location) pos() Pos {
	u, err := url.Parse(l.URI)
	if err != nil {
		return Pos{}
	}
	return Pos{filepath.FromSlash(u.Path), l.Range.Start.Line}
}

func (r *Records) read(from io.Reader) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, longest)
	var header struct {
		Version int
		File    string
	}
	if !lines.Scan() {
		return lines.Err()
	}
	if err := json.Unmarshal(lines.Bytes(), &header); err != nil {
		return err
	}
	if header.Version != 0 {
		return fmt.Errorf("the compiler writes version %d of its records; this lessgc reads 0", header.Version)
	}
	for lines.Scan() {
		var d struct {
			Range              struct{ Start struct{ Line, Character int } }
			Code, Message      string
			RelatedInformation []struct {
				Location location
				Message  string
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			return err
		}
		what, ok := strings.CutSuffix(d.Message, " escapes to heap")
		if d.Code != "escape" && d.Code != "escapes" || !ok {
			continue // another kind, or the empty message beside each of these
		}
		x := Record{Pos: Pos{header.File, d.Range.Start.Line}, Column: d.Range.Start.Character, What: what}
		inlining := true
		for _, info := range d.RelatedInformation {
			if info.Message == "inlineLoc" {
				if inlining { // the chain of the value itself, outermost first; others are of steps
					x.Caller, x.Pos = x.Pos, info.Location.pos()
				}
				continue
			}
			inlining = false
			x.step(strings.TrimPrefix(info.Message, "escflow:"))
		}
		r.add(x)
	}
	return lines.Err()
}

// stepPattern is a step that has a reason.
var stepPattern = regexp.MustCompile(`^\s*from (.*) \(([^()]*)\)$`)

func (r *Record) step(text string) {
	text = strings.TrimSpace(text)
	r.Flow = append(r.Flow, text)
	m := stepPattern.FindStringSubmatch(text)
	switch {
	case m == nil, m[2] == "spill":
	case m[2] == "reference" && r.Reason != "": // how a function literal holds it, and not why
	default:
		r.Last, r.Reason = m[1], m[2]
	}
}

// add adds a record. A function that is inlined into several functions has one for each,
// with reasons of their own.
func (r *Records) add(x Record) {
	for _, other := range r.byPos[x.Pos] {
		if other.Caller == x.Caller && other.What == x.What && other.Reason == x.Reason && other.Last == x.Last {
			return
		}
	}
	r.byPos[x.Pos] = append(r.byPos[x.Pos], x)
}

// Explain returns why a line allocates, in a function that is called at another: the compiler's
// reason, or else what the source shows. It returns "" if there is neither.
func (r *Records) Explain(s *Sources, p, caller Pos) string {
	var here, own, all []string
	for _, x := range r.At(p) {
		text := inlined.ReplaceAllString(qualified.ReplaceAllString(x.What, "&$1{")+": "+x.Why(), "result")
		switch x.Caller {
		case caller:
			here = append(here, text)
		case Pos{}:
			own = append(own, text)
		}
		all = append(all, text)
	}
	if len(here) > 0 {
		all = here
	} else if len(own) > 0 {
		all = own
	}
	slices.Sort(all)
	all = slices.Compact(all)
	const few = 2
	if more := len(all) - few; more > 0 {
		return fmt.Sprintf("%s; and %d more on this line", strings.Join(all[:few], "; "), more)
	}
	if len(all) > 0 {
		return strings.Join(all, "; ")
	}
	return string(s.Class(p))
}

// qualified is a composite literal as other packages see it, which inline the function
// that has it.
var qualified = regexp.MustCompile(`&\w+\.(\w+)\{`)

// inlined matches the compiler's name for the result of a function that it has inlined.
var inlined = regexp.MustCompile(`~r\d+`)

// errNone is about a build that wrote nothing.
var errNone = errors.New("the compiler wrote no records")
