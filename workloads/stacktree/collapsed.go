package stacktree

import (
	"bytes"
	"errors"
	"fmt"
	"math"
)

var (
	errNoCount    = errors.New("no count: a line is frames, a space and a whole number")
	errCount      = errors.New("the count exceeds 63 bits")
	errEmptyFrame = errors.New("a frame without a name")
)

// parseCollapsed adds the stacks of data, which are lines of frames with ';'
// between them, a space, and the count. Frames may contain spaces: the last
// one of a line ends the stack. Lines end with "\n" or "\r\n", and empty ones
// are skipped.
func (t *Tree) parseCollapsed(data []byte) error {
	rest := data
	for number := 1; len(rest) > 0; number++ {
		line, after, _ := bytes.Cut(rest, []byte{'\n'})
		if err := t.addLine(bytes.TrimSuffix(line, []byte{'\r'})); err != nil {
			return &SyntaxError{Collapsed, number, len(data) - len(rest), err}
		}
		rest = after
	}
	return nil
}

func (t *Tree) addLine(line []byte) error {
	if len(line) == 0 {
		return nil
	}
	space := bytes.LastIndexByte(line, ' ')
	if space < 0 {
		return errNoCount
	}
	count, err := parseCount(line[space+1:])
	if err != nil {
		return err
	}
	stack := line[:space]
	if err := checkFrames(stack); err != nil || count == 0 {
		return err
	}
	return t.addStack(stack, count)
}

// parseCount reads a whole number of decimal digits, without a sign.
func parseCount(digits []byte) (int64, error) {
	if len(digits) == 0 {
		return 0, errNoCount
	}
	n := int64(0)
	for _, c := range digits {
		d := int64(c) - '0'
		if d < 0 || d > 9 {
			return 0, errNoCount
		}
		if n > (math.MaxInt64-d)/10 {
			return 0, errCount
		}
		n = 10*n + d
	}
	return n, nil
}

// checkFrames returns an error if a frame of stack is empty.
func checkFrames(stack []byte) error {
	last := len(stack) - 1
	if last < 0 || stack[0] == ';' || stack[last] == ';' || bytes.Contains(stack, []byte(";;")) {
		return errEmptyFrame
	}
	return nil
}

// addStack adds a stack whose frames are not empty.
func (t *Tree) addStack(stack []byte, count int64) error {
	n, err := t.begin(count)
	if err != nil {
		return err
	}
	for depth := 0; len(stack) > 0; depth++ {
		if depth == t.limits.depth {
			return fmt.Errorf("%w: more than %d frames in a stack", ErrTooLarge, t.limits.depth)
		}
		var f frame
		f.text, stack, _ = bytes.Cut(stack, []byte{';'})
		if n, err = t.down(n, &f, count); err != nil {
			return err
		}
	}
	n.self += count
	return nil
}
