package reused

import (
	"bytes"
	"fmt"
	"io"
	"iter"
)

// A Writer keeps what it is given.
type Writer interface{ Take(b []byte) }

// An Open lets others set its actions.
type Open struct {
	Action action
	set    action
	all    []action
	kept   *bytes.Buffer
}

// Set sets an action that is not known.
func (o *Open) Set(a action) { o.set = a }

// Refused have one detail each that Renderer.Process does not.
func (o *Open) Refused(w io.Writer, texts [][]byte) {
	for _, text := range texts {
		var tmp bytes.Buffer // refused: others can set the field
		o.Action(&tmp, text)
		w.Write(tmp.Bytes())
	}
}

func (o *Open) refusedSet(w io.Writer, texts [][]byte) {
	for _, text := range texts {
		var tmp bytes.Buffer // refused: a method stores what it is given in the field
		o.set(&tmp, text)
		w.Write(tmp.Bytes())
	}
}

func (o *Open) refusedElements(w io.Writer, texts [][]byte) {
	for i, text := range texts {
		var tmp bytes.Buffer // refused: a slice may be shared with what others have
		o.all[i](&tmp, text)
		w.Write(tmp.Bytes())
	}
}

func (o *Open) refusedField(w io.Writer, texts [][]byte) {
	for _, text := range texts {
		var tmp bytes.Buffer // refused: a field has it afterwards
		tmp.Write(text)
		o.kept = &tmp
	}
	w.Write(o.kept.Bytes())
}

func refusedParameter(w io.Writer, texts [][]byte, do action) {
	for _, text := range texts {
		var tmp bytes.Buffer // refused: the function is not known
		do(&tmp, text)
		w.Write(tmp.Bytes())
	}
}

func refusedInterface(w Writer, texts [][]byte) {
	for _, text := range texts {
		var tmp bytes.Buffer // refused: no contract forbids to keep its content
		fmt.Fprintf(&tmp, "%s", text)
		w.Take(tmp.Bytes())
	}
}

func refusedKept(w io.Writer, texts [][]byte) (all [][]byte) {
	for _, text := range texts {
		var tmp bytes.Buffer // refused: its content is kept
		fmt.Fprintf(&tmp, "%s", text)
		all = append(all, tmp.Bytes())
	}
	return all
}

func refusedReturned(w io.Writer, texts [][]byte) []byte {
	for _, text := range texts {
		var tmp bytes.Buffer // refused: its content is returned
		fmt.Fprintf(&tmp, "%s", text)
		if tmp.Len() > 2 {
			return tmp.Bytes()
		}
	}
	return nil
}

func refusedDeferred(w io.Writer, texts [][]byte) {
	for _, text := range texts {
		var tmp bytes.Buffer // refused: it is used when the function ends
		fmt.Fprintf(&tmp, "%s", text)
		defer w.Write(tmp.Bytes())
	}
}

func refusedCaptured(w io.Writer, texts [][]byte) (all []func()) {
	for _, text := range texts {
		var tmp bytes.Buffer // refused: a function literal has it
		fmt.Fprintf(&tmp, "%s", text)
		all = append(all, func() { w.Write(tmp.Bytes()) })
	}
	return all
}

func refusedGo(texts [][]byte, done chan int) {
	for _, text := range texts {
		var tmp bytes.Buffer // refused: a goroutine has it
		fmt.Fprintf(&tmp, "%s", text)
		go count(&tmp, done)
	}
}

func count(tmp *bytes.Buffer, done chan int) { done <- tmp.Len() }

func refusedSent(texts [][]byte, to chan *bytes.Buffer) {
	for _, text := range texts {
		tmp := new(bytes.Buffer) // refused: it is sent
		fmt.Fprintf(tmp, "%s", text)
		to <- tmp
	}
}

func refusedRoom(w io.Writer, texts [][]byte) (rooms []int) {
	for _, text := range texts {
		tmp := new(bytes.Buffer) // refused: its capacity is seen
		fmt.Fprintf(tmp, "%s", text)
		w.Write(tmp.Bytes())
		rooms = append(rooms, tmp.Cap())
	}
	return rooms
}

func refusedNil(w io.Writer, texts [][]byte) (empty int) {
	for _, text := range texts {
		tmp := new(bytes.Buffer) // refused: bytes that are nil are told from none
		fmt.Fprintf(tmp, "%s", text)
		w.Write(tmp.Bytes())
		if tmp.Bytes() == nil {
			empty++
		}
	}
	return empty
}

func refusedCopy(w io.Writer, texts [][]byte) {
	var last bytes.Buffer
	for _, text := range texts {
		var tmp bytes.Buffer // refused: it is copied, with its memory
		fmt.Fprintf(&tmp, "%s", text)
		last = tmp
	}
	w.Write(last.Bytes())
}

func refusedName(w io.Writer, tmp string, texts [][]byte) {
	io.WriteString(w, tmp)
	for _, text := range texts {
		var tmp bytes.Buffer // refused: a parameter has its name
		fmt.Fprintf(&tmp, "%s", text)
		w.Write(tmp.Bytes())
	}
}

func refusedConsumed(w io.Writer, texts [][]byte) {
	for _, text := range texts {
		tmp := new(bytes.Buffer) // refused: what was read is overwritten
		fmt.Fprintf(tmp, "%s", text)
		first := tmp.Next(2)
		tmp.Reset()
		tmp.Write(text)
		w.Write(first)
	}
}

func refusedIterator(w io.Writer, texts iter.Seq[[]byte]) {
	for text := range texts {
		tmp := new(bytes.Buffer) // refused: the body of the loop is a function, which may be called for two iterations at a time
		fmt.Fprintf(tmp, "%s", text)
		w.Write(tmp.Bytes())
	}
}

func refusedGoto(w io.Writer, texts [][]byte) {
	for _, text := range texts {
	again:
		tmp := new(bytes.Buffer) // refused: a goto leads back
		fmt.Fprintf(tmp, "%s", text)
		w.Write(tmp.Bytes())
		if text = text[:len(text)/2]; len(text) > 0 {
			goto again
		}
	}
}

func refusedSet(w io.Writer, texts [][]byte, other *bytes.Buffer) {
	for _, text := range texts {
		tmp := new(bytes.Buffer) // refused: it may be another one
		if len(text) > 2 {
			tmp = other
		}
		fmt.Fprintf(tmp, "%s", text)
		w.Write(tmp.Bytes())
	}
}

func refusedLast(sizes []int) (n int) {
	var last []int
	for _, size := range sizes {
		row := make([]int, size+1) // refused: the next iteration has it
		for i := range min(len(row), len(last)) {
			row[i] = last[i] + 1
		}
		row[0]++
		n += row[0]
		last = row
	}
	return n
}

func refusedPointers(w io.Writer, sizes []int) {
	for _, size := range sizes {
		row := make([]*int, size) // refused: its elements keep objects alive
		for i := range row {
			row[i] = &size
		}
		fmt.Fprintln(w, len(row))
	}
}

func refusedElement(sizes []int) (all []*int) {
	for _, size := range sizes {
		row := make([]int, size) // refused: the address of an element is kept
		row[0] = size
		all = append(all, &row[0])
	}
	return all
}

func refusedMixed(w io.Writer, sizes []int) {
	for _, size := range sizes {
		row, n := make([]byte, size), size // refused: the statement declares something else
		fmt.Fprint(w, len(row), n)
		w.Write(row)
	}
}

func refusedComment(w io.Writer, texts [][]byte) {
	for _, text := range texts {
		tmp := /* new each time */ new(bytes.Buffer) // refused: a comment would be lost
		fmt.Fprintf(tmp, "%s", text)
		w.Write(tmp.Bytes())
	}
}

func refusedNever(w io.Writer, texts [][]byte) {
	tmp := new(bytes.Buffer) // refused: it is in no loop
	fmt.Fprintf(tmp, "%s", texts)
	w.Write(tmp.Bytes())
}
