// Package progress prints the progress of a command for its user.
package progress

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"lessgc/cmd/lessgc/internal/secret"
	"lessgc/cmd/lessgc/internal/visible"
)

// A Printer prints the current step and messages, and hides secrets. On a terminal the current step is
// one line that is overwritten; elsewhere each stage is a plain line, and steps
// within a stage are not shown. Whoever measures prints between trials only.
type Printer struct {
	W        io.Writer
	Terminal bool
	Width    int // of the terminal, in columns
	shown    int // columns of the line that stands now
}

// Line prints a line that stays.
func (p *Printer) Line(format string, args ...any) {
	p.clear()
	fmt.Fprintln(p.W, visible.All(secret.Hide(fmt.Sprintf(format, args...)), visible.Terminal))
}

// Step shows the current step, until the next call.
func (p *Printer) Step(format string, args ...any) {
	if !p.Terminal {
		return
	}
	s := visible.All(secret.Hide(fmt.Sprintf(format, args...)), visible.Terminal)
	if n := max(p.Width-1, 20); utf8.RuneCountInString(s) > n {
		s = string([]rune(s)[:n])
	}
	p.clear()
	fmt.Fprint(p.W, s)
	p.shown = utf8.RuneCountInString(s)
}

func (p *Printer) clear() {
	if p.shown > 0 {
		fmt.Fprint(p.W, "\r"+strings.Repeat(" ", p.shown)+"\r")
		p.shown = 0
	}
}
