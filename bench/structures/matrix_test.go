package structures

type matrixInput struct {
	n      int
	vector []float64
}

func newMatrixInput(n int) *matrixInput {
	in := &matrixInput{n, make([]float64, n)}
	for i := range in.vector {
		in.vector[i] = float64(i % 13)
	}
	return in
}

func (in *matrixInput) size() int { return in.n }

func fillRow(row []float64, i int) {
	for j := range row {
		row[j] = float64(i ^ j)
	}
}

// product returns the sum of the elements of rows times in.vector.
func (in *matrixInput) product(rows [][]float64) uint64 {
	sum := 0.0
	for _, row := range rows {
		sum += dot(row, in.vector)
	}
	return uint64(sum)
}

func dot(x, y []float64) float64 {
	y = y[:len(x)]
	var a, b float64
	for ; len(x) >= 2; x, y = x[2:], y[2:] {
		a += x[0] * y[0]
		b += x[1] * y[1]
	}
	if len(x) > 0 {
		a += x[0] * y[0]
	}
	return a + b
}

// handMatrix has all rows in one slice.
func handMatrix(in *matrixInput) func() uint64 {
	cells := make([]float64, in.n*in.n)
	return func() uint64 {
		sum := 0.0
		for i := range in.n {
			fillRow(cells[i*in.n:][:in.n], i)
		}
		for i := range in.n {
			sum += dot(cells[i*in.n:][:in.n], in.vector)
		}
		return uint64(sum)
	}
}
