package compare

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"lessgc/cmd/lessgc/internal/secret"
	"lessgc/cmd/lessgc/internal/visible"
)

// Progress tells a person what is going on. On a terminal the current step is
// one line that is overwritten; elsewhere each stage is a plain line, and steps
// within a stage are not shown. It is written between trials only.
type Progress struct {
	W        io.Writer
	Terminal bool
	Width    int // of the terminal, in columns
	shown    int // columns of the line that stands now
}

// Line prints a line that stays.
func (p *Progress) Line(format string, args ...any) {
	p.clear()
	fmt.Fprintln(p.W, visible.All(secret.Hide(fmt.Sprintf(format, args...)), visible.Terminal))
}

// Step shows what is being done, until the next call.
func (p *Progress) Step(format string, args ...any) {
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

func (p *Progress) clear() {
	if p.shown > 0 {
		fmt.Fprint(p.W, "\r"+strings.Repeat(" ", p.shown)+"\r")
		p.shown = 0
	}
}

// about formats a duration as a person would say it.
func about(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%ds", max(1, int(d.Seconds()+0.5)))
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Round(5*time.Second).Seconds()))
	case d < time.Hour:
		d = d.Round(5 * time.Second)
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	d = d.Round(time.Minute)
	return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
}
