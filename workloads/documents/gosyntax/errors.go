package gosyntax

import "fmt"

// An Error is the first mistake in a source. Line and Column count from 1, in
// bytes, and pay no heed to line directives.
type Error struct {
	Offset       int // in bytes, of the token or byte that is wrong
	Line, Column int
	Msg          string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Msg)
}

// bailout is the panic that leaves the parser at the first error. parse turns
// it into the error that it carries.
type bailout struct{ err *Error }

// fail stops the parser with an error at offset off.
func (s *scanner) fail(off int, format string, args ...any) {
	// Whatever is wrong where the readable part of the source ends, the cause
	// is the byte that ends it.
	if s.bad != "" && off >= len(s.src) {
		s.failBad()
	}
	s.raise(off, fmt.Sprintf(format, args...))
}

// failBad stops the parser at the byte that no Go source may hold.
func (s *scanner) failBad() { s.raise(len(s.src), s.bad) }

func (s *scanner) raise(off int, msg string) {
	line := s.lineAt(off)
	panic(bailout{&Error{Offset: off, Line: line, Column: 1 + off - s.lines[line-1], Msg: msg}})
}

// lineAt returns the line of an offset that is not behind the scanner's.
func (s *scanner) lineAt(off int) int {
	line := len(s.lines)
	for s.lines[line-1] > off {
		line--
	}
	return line
}
