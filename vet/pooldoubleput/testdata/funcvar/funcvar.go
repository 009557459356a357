// Package funcvar passes pooled values to functions in fields.
package funcvar

import (
	"bytes"
	"io"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// A stage takes over what it is given, whichever it is.
type stage struct {
	name string
	run  func(b *bytes.Buffer) error
	look func(b *bytes.Buffer) int
	hook func(b *bytes.Buffer)
}

func drop(b *bytes.Buffer) error {
	buffers.Put(b)
	return nil
}

type output struct{ w io.Writer }

func (o *output) write(b *bytes.Buffer) error {
	defer buffers.Put(b)
	_, err := o.w.Write(b.Bytes())
	return err
}

func stages(w io.Writer) []*stage {
	o := &output{w}
	var kept []*bytes.Buffer
	return []*stage{
		{name: "drop", run: drop, look: (*bytes.Buffer).Len},
		{name: "write", run: o.write, look: func(b *bytes.Buffer) int { return b.Cap() }},
		{name: "copy", run: func(b *bytes.Buffer) error {
			defer buffers.Put(b)
			_, err := w.Write(b.Bytes())
			return err
		}, hook: func(b *bytes.Buffer) { kept = append(kept, b) }},
	}
}

func badRun(s *stage, text string) error {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteString(text)
	err := s.run(b)
	buffers.Put(b) // want "b is put back twice"
	return err
}

func goodRun(s *stage, text string) error {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteString(text)
	return s.run(b)
}

func goodLook(s *stage, text string) int {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteString(text)
	n := s.look(b)
	buffers.Put(b)
	return n
}

// Who has it now puts it.
func goodHook(s *stage, text string) {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteString(text)
	if s.hook != nil {
		s.hook(b)
		return
	}
	buffers.Put(b)
}

// A step gets its function from anywhere.
type step struct{ run func(b *bytes.Buffer) }

func newStep(run func(b *bytes.Buffer)) *step { return &step{run} }

func ownStep() *step { return &step{run: func(b *bytes.Buffer) { buffers.Put(b) }} }

func goodStep(s *step) {
	b := buffers.Get().(*bytes.Buffer)
	s.run(b)
	buffers.Put(b)
}
