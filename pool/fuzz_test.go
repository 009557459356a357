package pool_test

import (
	"bytes"
	"testing"

	"lessgc/pool"
)

// FuzzBuffers runs a program on buffers and on plain slices. Each instruction is
// three bytes: what to do, with which of four buffers, and how much.
func FuzzBuffers(f *testing.F) {
	const get, put = 0, 1
	f.Add([]byte{})
	f.Add([]byte{get, 0, 0, 2, 0, 9, put, 0, 0, get, 1, 0})
	f.Add([]byte{get, 0, 200, get, 1, 0, 3, 0, 255, 4, 1, 7, put, 0, 0, 5, 1, 1, put, 1, 0, get, 2, 3})
	f.Add([]byte{get, 0, 0, 6, 0, 255, 6, 0, 255, 7, 0, 3, 8, 0, 0, 9, 0, 4, 10, 0, 1, put, 0, 0})
	huge := bytes.Repeat([]byte{get, 3, 255, 6, 3, 255, put, 3, 0}, 20)
	f.Add(append(huge, bytes.Repeat([]byte{get, 3, 0, put, 3, 0}, 20)...))
	f.Fuzz(func(t *testing.T, program []byte) {
		if len(program) > 3000 {
			t.Skip("long programs find nothing that short ones do not")
		}
		m := machine{t: t, pool: pool.Buffers{MaxBytes: 300 << 10}}
		for len(program) >= 3 {
			m.step(program[0]%11, int(program[1]%4), int(program[2]))
			program = program[3:]
		}
	})
}

// A machine runs the program of FuzzBuffers.
type machine struct {
	t       *testing.T
	pool    pool.Buffers
	buffers [4]*pool.Buffer
	model   [4][]byte
	copies  []string // what String returned
	want    []string
	gets    uint64
}

func (m *machine) step(op byte, i, n int) {
	b, s := m.buffers[i], &m.model[i]
	if b == nil {
		m.get(i, n*n*8)
		return
	}
	text := bytes.Repeat([]byte{byte('a' + n%26)}, n)
	switch op {
	case 0, 1:
		m.pool.Put(b)
		m.buffers[i], *s = nil, nil
	case 2:
		b.Write(text)
		*s = append(*s, text...)
	case 3:
		b.WriteString(string(text))
		*s = append(*s, text...)
	case 4:
		b.WriteByte(byte(n))
		*s = append(*s, byte(n))
	case 5:
		b.WriteRune(rune(n))
		*s = append(*s, string(rune(n))...)
	case 6:
		text = bytes.Repeat(text, 1+n)
		b.ReadFrom(bytes.NewReader(text))
		*s = append(*s, text...)
	case 7:
		b.Truncate(len(*s) * n / 256)
		*s = (*s)[:len(*s)*n/256]
	case 8:
		b.Reset()
		*s = (*s)[:0]
	case 9:
		b.Grow(n * n)
		if b.Cap()-b.Len() < n*n {
			m.t.Fatalf("%d bytes free after Grow(%d)", b.Cap()-b.Len(), n*n)
		}
	case 10:
		m.copies = append(m.copies, m.pool.String(n, func(b *pool.Buffer) { b.Write(text) }))
		m.want = append(m.want, string(text))
		m.gets++
	}
	m.compare()
}

func (m *machine) get(i, size int) {
	m.buffers[i] = m.pool.Get(size)
	m.gets++
	if got := m.buffers[i].Cap(); got < size {
		m.t.Fatalf("Get(%d) has capacity %d", size, got)
	}
	m.compare()
}

func (m *machine) compare() {
	for i, b := range m.buffers {
		if b != nil && !bytes.Equal(b.Bytes(), m.model[i]) {
			m.t.Fatalf("buffer %d holds %q, want %q", i, b.Bytes(), m.model[i])
		}
		if b != nil && (b.Len() != len(m.model[i]) || b.Cap() < b.Len()) {
			m.t.Fatalf("buffer %d: length %d, capacity %d, want length %d", i, b.Len(), b.Cap(), len(m.model[i]))
		}
	}
	for i, s := range m.copies {
		if s != m.want[i] {
			m.t.Fatalf("copy %d became %q, want %q", i, s, m.want[i])
		}
	}
	s := m.pool.Stats()
	if s.Misses > m.gets || s.KeptBytes < 0 || s.KeptBytes > m.pool.MaxBytes {
		m.t.Fatalf("after %d Gets: %+v", m.gets, s)
	}
}
