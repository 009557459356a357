package harness

import "math"

// random is a source of numbers that a seed determines (splitmix64).
type random struct{ state uint64 }

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	x := r.state
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// below returns a number from 0 to n-1.
func (r *random) below(n int) int { return int(r.next() % uint64(n)) }

// once reports true one time in n.
func (r *random) once(n int) bool { return r.below(n) == 0 }

// integer returns an integer of some bits. Large ones of 32 bits and more are made in wild inputs only: as a number
// of things to do they keep a function busy indefinitely.
func (g *generator) integer(bits int) int64 {
	if bits < 32 && g.once(3) || g.wild && g.once(4) {
		switch g.below(4) {
		case 0:
			return math.MaxInt64 >> uint(64-bits)
		case 1:
			return math.MinInt64 >> uint(64-bits)
		}
		return int64(g.next())
	}
	switch g.below(8) {
	case 0:
		return int64(g.below(4) - 1)
	case 1:
		if n := len(g.target.Numbers); n > 0 && !g.careful {
			return g.target.Numbers[g.below(n)] + int64(g.below(3)-1)
		}
	case 2, 3:
		if n := len(g.lengths); n > 0 {
			return int64(g.lengths[g.below(n)] + g.below(3) - 1)
		}
	case 4:
		if !g.careful {
			return int64(g.below(300) - 20)
		}
	}
	return int64(g.below(g.size + 2))
}

// character returns a rune, also one that is none.
func (g *generator) character() rune {
	switch g.below(8) {
	case 0:
		return []rune{0, -1, 0xd800, 0xfffd, 0x10ffff, 0x110000, 'ß', '世', '\n', ' '}[g.below(10)]
	case 1:
		return rune(g.below(0x3000))
	}
	return rune(' ' + g.below(95))
}

func (g *generator) float() float64 {
	switch g.below(12) {
	case 0:
		return []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), math.MaxFloat64, math.SmallestNonzeroFloat64}[g.below(6)]
	case 1, 2:
		return float64(g.next()>>11) / (1 << 53)
	case 3:
		if n := len(g.target.Numbers); n > 0 {
			return float64(g.target.Numbers[g.below(n)])
		}
	}
	return float64(g.below(41)-20) / 4
}

// text returns a string: empty, of words that the program knows, of characters, long, or no valid UTF-8.
func (g *generator) text() string {
	if g.once(8) {
		return ""
	}
	var b []byte
	n := 1 + g.below(3)
	if g.once(12) {
		n += g.below(4 * (g.size + 1))
	}
	for ; n > 0; n-- {
		b = g.piece(b)
	}
	if len(b) > 0 && g.once(10) {
		i := g.below(len(b))
		switch g.below(3) {
		case 0:
			b[i] = 0xff
		case 1:
			b = append(b[:i], b[i+1:]...)
		default:
			b = b[:i]
		}
	}
	if !g.careful && g.size > 8 && g.once(100) {
		for len(b) < 3000 {
			b = append(b, b...)
			b = append(b, 'a')
		}
	}
	return string(b)
}

func (g *generator) piece(b []byte) []byte {
	switch g.below(8) {
	case 0, 1, 2, 3:
		if n := len(g.target.Words); n > 0 {
			return append(b, g.target.Words[g.below(n)]...)
		}
	case 4:
		const digits = "0123456789.-+xe "
		for n := g.below(5); n >= 0; n-- {
			b = append(b, digits[g.below(len(digits))])
		}
		return b
	case 5:
		return append(b, " \t\n,;:=/.\"'\\\x00\x80\xc3"[g.below(15)])
	case 6:
		return append(b, string(g.character())...)
	}
	for n := g.below(g.size + 2); n >= 0; n-- {
		b = append(b, byte('a'+g.below(6)))
	}
	return b
}
