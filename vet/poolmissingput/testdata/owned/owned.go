package owned

import (
	"errors"

	"cases/owned/from"
)

var errEmpty = errors.New("empty")

// goodGoroutine has its buffer closed by the goroutine that uses it.
func goodGoroutine(texts []string) <-chan int {
	ch := make(chan int)
	buf := from.New()
	go func() {
		defer close(ch)
		defer buf.Close()
		for _, text := range texts {
			buf.Reset()
			buf.WriteString(text)
			ch <- buf.Len()
		}
	}()
	return ch
}

// goodHelper has it closed by a function of this package.
func goodHelper(text string) int {
	buf := from.New()
	defer finish(buf)
	buf.WriteString(text)
	return buf.Len()
}

func finish(b *from.Buffer) {
	if b != nil {
		b.Close()
	}
}

// badError loses the buffer if there is no text.
func badError(text string) (int, error) {
	buf := from.New() // want "buf.Buffer is not put back on the path to line 45: the pool loses it"
	if text == "" {
		return 0, errEmpty
	}
	defer buf.Close()
	return buf.WriteString(text)
}
