package tuples

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
)

// An Input holds two encoded tables: n orders and n/10 customers. It is the
// same for the same n.
//
// A table is the number of its rows and of the bytes of text, of texts that are
// not null and of items in them, four uint32, and the rows. A row is its
// columns one after the other: numbers in 8 bytes, little-endian; text as its
// length and bytes, null as the length 255; items as their number and 4 bytes
// each. This is what a page of a database looks like to the executor: there is
// next to nothing to parse, so the time is that of making the rows.
type Input struct {
	N                 int // orders
	orders, customers []byte
}

// null is the length of a text that is not there. Others are shorter.
const null = 255

var cities = []string{
	"Amsterdam", "Barcelona", "Copenhagen", "Düsseldorf", "Edinburgh", "Frankfurt am Main", "Gothenburg", "Helsinki",
	"Innsbruck", "Johannesburg", "Kraków", "Ljubljana", "Marseille", "Napoli", "Oslo", "Porto",
}

// NewInput returns the input for n orders. There are about two orders to each
// customer that has any, and a tenth of the orders has a customer who is not in
// the table. City and amount repeat, so that the sort has ties to keep in
// order, and some customers are there twice, as they are after an update.
func NewInput(n int) Input {
	rnd := rand.New(rand.NewPCG(uint64(n), 1))
	ids := max(n/10, 1)
	var orders, customers table
	for i := range n {
		orders.number(uint64(i))
		orders.number(uint64(rnd.IntN(ids + ids/9)))
		orders.number(math.Float64bits(float64(rnd.IntN(1000)) / 4))
		orders.text(cities[rnd.IntN(len(cities))])
		orders.note(rnd, "leave at the door; ring twice")
		orders.items(rnd)
		orders.rows++
	}
	for range n / 10 {
		customers.number(uint64(rnd.IntN(ids)))
		customers.number(math.Float64bits(1 - float64(rnd.IntN(20))/100))
		customers.text("customer of " + cities[rnd.IntN(len(cities))])
		customers.note(rnd, "prefers to be called")
		customers.rows++
	}
	return Input{N: n, orders: orders.encode(), customers: customers.encode()}
}

// A table is one that is being written.
type table struct {
	rows, bytes, notes, list uint32
	data                     []byte
}

func (t *table) number(v uint64) { t.data = binary.LittleEndian.AppendUint64(t.data, v) }

func (t *table) text(s string) {
	t.bytes += uint32(len(s))
	t.data = append(append(t.data, byte(len(s))), s...)
}

// note writes part of text, or null every third time.
func (t *table) note(rnd *rand.Rand, text string) {
	if rnd.IntN(3) == 0 {
		t.data = append(t.data, null)
		return
	}
	t.notes++
	t.text(text[:rnd.IntN(len(text)+1)])
}

// items writes a list of no to four items.
func (t *table) items(rnd *rand.Rand) {
	n := rnd.IntN(5)
	t.list += uint32(n)
	t.data = append(t.data, byte(n))
	for range n {
		t.data = binary.LittleEndian.AppendUint32(t.data, rnd.Uint32N(1000))
	}
}

func (t *table) encode() []byte {
	var head []byte
	for _, v := range []uint32{t.rows, t.bytes, t.notes, t.list} {
		head = binary.LittleEndian.AppendUint32(head, v)
	}
	return append(head, t.data...)
}

// sizes holds the counts in the head of a table.
type sizes struct{ rows, bytes, notes, items int }

// A reader reads a table.
type reader struct {
	data []byte
	off  int // of the next byte
}

// readTable returns a reader of the rows of a table, and its sizes.
func readTable(data []byte) (reader, sizes) {
	at := func(i int) int { return int(binary.LittleEndian.Uint32(data[4*i:])) }
	return reader{data: data, off: 16}, sizes{rows: at(0), bytes: at(1), notes: at(2), items: at(3)}
}

func (r *reader) number() uint64 {
	v := binary.LittleEndian.Uint64(r.data[r.off:])
	r.off += 8
	return v
}

func (r *reader) float() float64 { return math.Float64frombits(r.number()) }

func (r *reader) item() int32 {
	v := binary.LittleEndian.Uint32(r.data[r.off:])
	r.off += 4
	return int32(v)
}

func (r *reader) length() int {
	n := r.data[r.off]
	r.off++
	return int(n)
}

// bytes returns the next n bytes, which are part of the input.
func (r *reader) bytes(n int) []byte {
	r.off += n
	return r.data[r.off-n : r.off]
}
