package estimatesize

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

type keyed interface{ key() string }

// keyOf returns no text for what it does not know.
func keyOf(all ...any) (string, bool) {
	b := strings.Builder{}
	for _, v := range all {
		switch v := v.(type) {
		case string:
			b.WriteString(v) // refused: the text is not wanted where it is not known what a value is
		case keyed:
			b.WriteString(v.key())
		default:
			return "", false
		}
		b.WriteString("$$")
	}
	return b.String(), true
}

var errUnknown = errors.New("unknown")

func keyOrError(all ...any) (string, error) {
	b := strings.Builder{}
	for _, v := range all {
		switch v := v.(type) {
		case string:
			b.WriteString(v) // rewritten
		case keyed:
			b.WriteString(v.key())
		default:
			return "", fmt.Errorf("%w: %T", errUnknown, v)
		}
		b.WriteString("$$")
	}
	return b.String(), nil
}

func keyOrPanic(n next) string {
	var b strings.Builder
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		if i < 0 {
			panic(errUnknown)
		}
		b.WriteString(" number " + strconv.Itoa(i)) // rewritten
	}
	return b.String()
}

func keyOrNone(n next) (string, error) {
	var b strings.Builder
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		if i < 0 {
			return "", nil
		}
		b.WriteString(" number " + strconv.Itoa(i)) // refused: there is no text for a negative number, and no error
	}
	return b.String(), nil
}

func bareError(n next) (text string, err error) {
	var b strings.Builder
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		if i < 0 {
			return
		}
		b.WriteString(" number " + strconv.Itoa(i)) // refused: a return without results has the error nil
	}
	return b.String(), nil
}

func deferredError(n next) (text string, err error) {
	defer func() { text += "." }()
	var b strings.Builder
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		if i < 0 {
			return "", nil
		}
		b.WriteString(" number " + strconv.Itoa(i)) // refused: there is no error, though a deferred call has it in a variable
	}
	return b.String(), nil
}

func bareDeferred(n next) (text string, err error) {
	defer func() { text += "." }()
	var b strings.Builder
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		if i < 0 {
			return
		}
		b.WriteString(" number " + strconv.Itoa(i)) // refused: a return without results, of variables that a deferred call has
	}
	return b.String(), nil
}

func failure(n next) (string, error) {
	var b strings.Builder
	var err error
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		if i < -1 {
			err = errUnknown
		}
		if i < 0 {
			return "", err
		}
		b.WriteString(" number " + strconv.Itoa(i)) // refused: the error may be nil
	}
	return b.String(), nil
}

func counts(n next) int {
	var b strings.Builder
	total := 0
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		total += i
		b.WriteString(" number " + strconv.Itoa(i)) // refused: the length alone is not the text
	}
	if total < 0 {
		return len(b.String())
	}
	return b.Len()
}

func byEach(all []next) (texts []string) {
	for _, n := range all {
		var b strings.Builder
		b.WriteString("numbers:")
		for i, ok := n(); ok; i, ok = n() {
			b.WriteString(" number " + strconv.Itoa(i)) // rewritten
		}
		texts = append(texts, b.String())
	}
	return texts
}

func bySome(all []next) (texts []string) {
	for _, n := range all {
		var b strings.Builder
		b.WriteString("numbers:")
		total := 0
		for i, ok := n(); ok; i, ok = n() {
			total += i
			b.WriteString(" number " + strconv.Itoa(i)) // refused: for some sums the next iteration begins without a look at the text
		}
		if total < 20 {
			continue
		}
		texts = append(texts, b.String())
	}
	return texts
}

func untilFound(all []next) string {
	for _, n := range all {
		var b strings.Builder
		b.WriteString("numbers:")
		total := 0
		for i, ok := n(); ok; i, ok = n() {
			total += i
			b.WriteString(" number " + strconv.Itoa(i)) // refused: the loop may end without the text
		}
		if total < 20 {
			break
		}
		return b.String()
	}
	return ""
}

func early(n next, none bool) (string, bool) {
	var b strings.Builder
	if none {
		return "", false
	}
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // rewritten
	}
	return b.String(), true
}

func put(n next, w io.Writer) {
	var b bytes.Buffer
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // rewritten
	}
	putText(w, &b)
}

func putText(w io.Writer, b *bytes.Buffer) { io.WriteString(w, b.String()) }

func putSome(n next, w io.Writer) {
	var b bytes.Buffer
	b.WriteString("numbers:")
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // refused: the function that gets it does not always read it
	}
	putTextTo(w, &b)
}

func putTextTo(w io.Writer, b *bytes.Buffer) {
	if w != nil {
		io.WriteString(w, b.String())
	}
}

func lettersOf(text string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '<' {
			b.WriteString("&lt;")
		} else {
			b.WriteByte(text[i]) // refused: for some lengths there is no text
		}
	}
	if len(text) > 1<<20 {
		return "", false
	}
	return b.String(), true
}

func atTimes(n next) string {
	var b strings.Builder
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(" number " + strconv.Itoa(i)) // refused: every fourth text is empty, and an empty one needs no memory
	}
	return b.String()
}
