package direct

import (
	"bytes"
	"io"
)

type halves struct{ parts [2][]byte }

func badElement(w io.Writer) {
	b := buffers.Get().(*bytes.Buffer)
	var parts [2][]byte
	parts[0] = b.Bytes()
	buffers.Put(b)
	w.Write(parts[0]) // want "is used after it was put back"
}

func goodOtherElement(w io.Writer, head []byte) {
	b := buffers.Get().(*bytes.Buffer)
	var parts [2][]byte
	parts[0] = b.Bytes()
	parts[1] = head
	buffers.Put(b)
	w.Write(parts[1])
}

func goodOnlyOtherElement(w io.Writer) {
	b := buffers.Get().(*bytes.Buffer)
	var parts [2][]byte
	parts[0] = b.Bytes()
	buffers.Put(b)
	w.Write(parts[1])
}

func badMadeElement(w io.Writer) {
	b := buffers.Get().(*bytes.Buffer)
	parts := make([][]byte, 2)
	parts[1] = b.Bytes()
	buffers.Put(b)
	w.Write(parts[1]) // want "is used after it was put back"
}

func goodOtherMadeElement(w io.Writer) {
	b := buffers.Get().(*bytes.Buffer)
	parts := make([][]byte, 2)
	parts[1] = b.Bytes()
	buffers.Put(b)
	w.Write(parts[0])
}

func goodOtherElementOfMany(w io.Writer, n int) {
	b := buffers.Get().(*bytes.Buffer)
	parts := make([][]byte, n)
	parts[0] = b.Bytes()
	buffers.Put(b)
	w.Write(parts[1])
}

func goodOtherElementOfLiteral(w io.Writer, head []byte) {
	b := buffers.Get().(*bytes.Buffer)
	parts := [][]byte{b.Bytes(), head}
	buffers.Put(b)
	w.Write(parts[1])
}

func goodOtherElementOfArrayLiteral(w io.Writer, head []byte) {
	b := buffers.Get().(*bytes.Buffer)
	parts := [...][]byte{b.Bytes(), 2: head}
	buffers.Put(b)
	w.Write(parts[1])
}

func goodOtherElementOfField(w io.Writer) {
	b := buffers.Get().(*bytes.Buffer)
	var h halves
	h.parts[0] = b.Bytes()
	buffers.Put(b)
	w.Write(h.parts[1])
}

func goodOtherElementOfSlicedField(w io.Writer) {
	b := buffers.Get().(*bytes.Buffer)
	var h halves
	parts := &h.parts
	parts[0] = b.Bytes()
	buffers.Put(b)
	w.Write(parts[1])
}

// Which element is written is not known.
func goodSomeElement(w io.Writer, i int) {
	b := buffers.Get().(*bytes.Buffer)
	var parts [2][]byte
	parts[0] = b.Bytes()
	buffers.Put(b)
	w.Write(parts[i&1])
}

func badSameElement(w io.Writer, i int) {
	b := buffers.Get().(*bytes.Buffer)
	var parts [2][]byte
	parts[i&1] = b.Bytes()
	buffers.Put(b)
	w.Write(parts[i&1]) // want "is used after it was put back"
}

func badEachMadeElement(w io.Writer) {
	b := buffers.Get().(*bytes.Buffer)
	parts := make([][]byte, 2)
	parts[0] = b.Bytes()
	buffers.Put(b)
	for _, p := range parts {
		w.Write(p) // want "is used after it was put back"
	}
}

// A copy of the array has the same elements.
func goodOtherElementOfCopy(w io.Writer) {
	b := buffers.Get().(*bytes.Buffer)
	var parts [2][]byte
	parts[0] = b.Bytes()
	buffers.Put(b)
	copied := parts
	w.Write(copied[1])
}

// Which elements are written at the two places is not known.
func goodSomeOtherElement(w io.Writer, i, j int) {
	b := buffers.Get().(*bytes.Buffer)
	var parts [256][]byte
	parts[i] = b.Bytes()
	buffers.Put(b)
	w.Write(parts[j])
}

func badOneOfTwoElements(w io.Writer, head []byte) {
	b := buffers.Get().(*bytes.Buffer)
	var parts [2][]byte
	parts[0] = head
	parts[1] = b.Bytes()
	buffers.Put(b)
	w.Write(parts[1]) // want "is used after it was put back"
}
