package programs

// largeToken is a part of a text.
type largeToken struct {
	kind       uint8
	begin, end uint32
}

// largeParser has room for the tokens of any text.
type largeParser struct {
	text   string
	tokens []largeToken
	n      int
}

func (p *largeParser) init() {
	p.tokens = make([]largeToken, 4096) // want large-object
}

func (p *largeParser) parse() int {
	for i := range p.text {
		if p.text[i] == ' ' {
			p.tokens[p.n] = largeToken{1, uint32(i), uint32(i + 1)}
			p.n++
		}
	}
	return p.n
}

func largeParse(text string) int {
	p := &largeParser{text: text}
	p.init()
	return p.parse()
}

// largeReader copies small texts to a slab, and gives them away.
type largeReader struct {
	data []byte
	slab []byte
}

func (r *largeReader) next(n int) []byte {
	if len(r.slab) < n {
		r.slab = make([]byte, 2048) // want large-object
	}
	b := r.slab[:n:n]
	r.slab = r.slab[n:]
	copy(b, r.data)
	return b
}

func largeRead(data []byte) int {
	r := &largeReader{data: data}
	sum := 0
	for range 3 {
		sum += len(r.next(len(data)))
	}
	return sum
}

// largeScanner has its buffer inside.
type largeScanner struct {
	text string
	buf  [1536]byte
	next func(*largeScanner) byte
}

func newLargeScanner(text string, next func(*largeScanner) byte) *largeScanner {
	return &largeScanner{text: text, next: next} // want large-object
}

// largeJob scans.
type largeJob struct {
	scanner *largeScanner
	n       int
}

func (j *largeJob) run() int {
	s := j.scanner
	j.n = copy(s.buf[:], s.text)
	return j.n + int(s.next(s))
}

func largeScan(text string, next func(*largeScanner) byte) int {
	j := &largeJob{scanner: newLargeScanner(text, next)}
	return j.run()
}

// LargeTable is what users of the package ask for.
type LargeTable struct {
	Name  string
	Cells [512]int
}

// NewLargeTable makes what users keep.
func NewLargeTable(name string) *LargeTable {
	return &LargeTable{Name: name} // no large-object
}

// LargeHeader makes a result of a constant size.
func LargeHeader(n int) []byte {
	b := make([]byte, 1536) // no large-object
	b[0] = byte(n)
	return b
}

// The size is that of the input.
func (r *largeReader) fill(n int) {
	r.slab = make([]byte, n) // no large-object
}

func largeFill(data []byte) int {
	r := &largeReader{data: data}
	r.fill(len(data) * 400)
	return len(r.slab)
}

var largeKept [][]int64

// A table of the package keeps it.
func largeKeep(n int) {
	row := make([]int64, 256) // no large-object
	row[0] = int64(n)
	largeKept = append(largeKept, row)
}

// Below a kibibyte it is not large.
func (r *largeReader) small() {
	r.slab = make([]byte, 800) // no large-object
}

func largeSmall(data []byte) int {
	r := &largeReader{data: data}
	r.small()
	return len(r.slab)
}

// rowTable has a row for each number.
type rowTable struct{ rows [][]int }

func (t *rowTable) set(d, k, x int) {
	for len(t.rows) <= d {
		t.rows = append(t.rows, nil)
	}
	if t.rows[d] == nil {
		t.rows[d] = make([]int, d+1) // want batch-slices
	}
	t.rows[d][k] = x
}

func rowTriangle(n int) int {
	t := &rowTable{}
	for d := range n {
		for k := range d + 1 {
			t.set(d, k, d*k)
		}
	}
	return len(t.rows)
}

// rowRecord has the cells of a line.
type rowRecord struct {
	cells []float64
	next  *rowRecord
}

func rowRecords(sizes []int) (first *rowRecord) {
	for _, n := range sizes {
		cells := make([]float64, n) // want batch-slices
		for i := range cells {
			cells[i] = float64(i)
		}
		r := &rowRecord{next: first}
		r.cells = cells
		first = r
	}
	return first
}

// The rows are one slice already.
func rowCut(n int) (out [][]int) {
	all := make([]int, n*n) // no batch-slices
	for i := range n {
		out = append(out, all[i*n:(i+1)*n:(i+1)*n])
	}
	return out
}

// Append grows each of them.
func rowGrown(n int) (out [][]int) {
	for i := range n {
		row := make([]int, 0, 8) // no batch-slices
		row = append(row, i)
		out = append(out, row)
	}
	return out
}

// The rows are large.
func rowLarge(n int) (out [][]int) {
	for i := range n {
		row := make([]int, 100+i) // no batch-slices
		out = append(out, row)
	}
	return out
}

// There are few of them.
func rowFew(n int) (out [][]int) {
	for i := range n {
		row := make([]int, 8+i) // no batch-slices
		out = append(out, row)
	}
	return out
}

// What becomes an interface is data that users are given.
func rowData(n int) map[int]any {
	all := map[int]any{}
	for i := range n {
		row := make([]int, i+1) // no batch-slices
		all[i] = row
	}
	return all
}

// Each is dropped before the next.
func rowDropped(n int, look func([]int)) {
	for i := range n {
		row := make([]int, i+1) // no batch-slices
		look(row)
	}
}
