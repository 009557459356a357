// Package byteorder writes numbers.
package byteorder

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
)

type kind int16

type header struct {
	id   uint32
	kind kind
}

func encode(h *header, size uint64) ([]byte, error) {
	var b bytes.Buffer
	binary.Write(&b, binary.BigEndian, h.id)           // rewritten
	binary.Write(&b, binary.BigEndian, h.kind)         // rewritten
	err := binary.Write(&b, binary.LittleEndian, size) // rewritten
	return b.Bytes(), err
}

func send(w *bufio.Writer, size int64) error {
	if err := binary.Write(w, binary.BigEndian, size); err != nil { // rewritten
		return err
	}
	return w.Flush()
}

func written(w io.Writer, id uint32) error {
	err := binary.Write(w, binary.BigEndian, id) // refused: a writer has no memory that it lends
	return err
}

func ordered(b *bytes.Buffer, order binary.ByteOrder, id uint32) {
	binary.Write(b, order, id) // refused: an order that is not known may not append
}

func plain(b *bytes.Buffer, id int) error {
	err := binary.Write(b, binary.BigEndian, id) // refused: an int has no size, which is an error
	return err
}

func float(b *bytes.Buffer, f float64) {
	binary.Write(b, binary.BigEndian, f) // refused: a conversion of a float is another number
}

func pointed(b *bytes.Buffer, id *uint32) {
	binary.Write(b, binary.BigEndian, id) // refused: a pointer is no number
}

func whole(b *bytes.Buffer, h header) {
	binary.Write(b, binary.BigEndian, h) // refused: a struct has several numbers
}

func open(b *bytes.Buffer) bool {
	ok := true
	binary.Write(b, binary.BigEndian, ok) // refused: a bool is no number
	return ok
}

func returned(b *bytes.Buffer, id uint32) error {
	return binary.Write(b, binary.BigEndian, id) // refused: a call of two results is not returned as one
}

func next(b *bytes.Buffer) uint32 { b.WriteByte('#'); return 1 }

func called(b *bytes.Buffer) {
	binary.Write(b, binary.BigEndian, next(b)) // refused: a call writes to the buffer
}

func shadowed(b *bytes.Buffer, k int32) {
	uint32 := 1
	binary.Write(b, binary.BigEndian, k) // refused: uint32 is a variable here
	b.Truncate(uint32)
}

func noted(b *bytes.Buffer, id uint32) {
	binary.Write(b, binary.BigEndian, id /* of the header */) // refused: a comment would go
}

func read(r *bufio.Reader) (id uint32, err error) {
	err = binary.Read(r, binary.BigEndian, &id) // refused: it is read
	return id, err
}
