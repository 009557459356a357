package arenapb

// packedVarints decodes the n > 0 varints that are [pos, end) into an array of what op decodes, which has room
// for them. It returns end, or -1.
func packedVarints(op op, base, to pointer, n, pos, end int) int {
	switch op {
	case opVarint64:
		return varints[uint64](base, to, n, pos, end)
	case opZigzag64:
		pos = varints[uint64](base, to, n, pos, end)
		for i, x := range sliceAt[uint64](to, n) {
			*as[uint64](plus(to, i*8)) = x>>1 ^ -(x & 1)
		}
	case opVarint32:
		return varints[uint32](base, to, n, pos, end)
	case opZigzag32:
		pos = varints[uint32](base, to, n, pos, end)
		for i, x := range sliceAt[uint32](to, n) {
			*as[uint32](plus(to, i*4)) = x>>1 ^ -(x & 1)
		}
	default:
		for i := range n {
			var x uint64
			if x, pos = number(base, pos); pos < 0 {
				return -1
			}
			*as[bool](plus(to, i)) = x != 0
		}
	}
	return pos
}

// A window marks the varints of one and two bytes in eight bytes, of which the top bits
// are known.
type window struct {
	at    [8]uint8  // where each begins
	mask  [8]uint16 // of the two bytes there, without the top bit of the first
	n     uint8     // how many there are, in front of a longer one or one that is not whole
	bytes uint8     // that they take up
}

var windows = func() (w [256]window) {
	for tops := range w {
		v := &w[tops]
		for at := 0; at < 8; {
			size := 1
			for at+size <= 8 && tops>>(at+size-1)&1 != 0 {
				size++
			}
			if size > 2 || at+size > 8 {
				break
			}
			v.at[v.n], v.mask[v.n] = uint8(at), 0x7f
			if size == 2 {
				v.mask[v.n] = 0x7f7f
			}
			v.n++
			at += size
			v.bytes = uint8(at)
		}
	}
	return w
}()

// varints decodes n varints at pos, of which the last one ends in front of end, into an array of T.
// It returns end, or -1.
func varints[T uint32 | uint64](base, to pointer, n, pos, end int) int {
	size := sizeOf[T]()
	i, alone := 0, 0
	for n-i >= 8 {
		if hasPairs && alone == 0 {
			done, bytes := pairs[T](plus(to, uintptr(i)*size), plus(base, pos), n-i)
			i += done
			pos += bytes
			if n-i < 8 {
				break
			}
			if done < 8 { // there are many longer ones
				alone = 8
			}
		} else {
			alone--
		}
		done, next := some[T](base, plus(to, uintptr(i)*size), pos)
		if next < 0 {
			return -1
		}
		i += done
		pos = next
	}
	if hasPairs && n-i > 1 {
		var last [16]T
		k := n - i
		if done, _ := pairs[T](pointerTo(&last), plus(base, pos), k+7); done >= k {
			p := plus(to, uintptr(i)*size)
			for k := range k {
				*as[T](plus(p, uintptr(k)*size)) = last[k&15]
			}
			return end
		}
	}
	for ; i < n; i++ {
		var x uint64
		if x, pos = number(base, pos); pos < 0 {
			return -1
		}
		*as[T](plus(to, uintptr(i)*size)) = T(x)
	}
	return pos
}

// some decodes up to 8 varints at pos, into an array with room for 8. Most are taken from eight bytes
// at once, without a branch that depends on how long they are: that is not to be foreseen in real
// lists. It returns how many, and the position behind them, or -1.
func some[T uint32 | uint64](base, to pointer, pos int) (done, next int) {
	x := load64(base, pos)
	p := as[[8]T](to)
	tops := x & highBits
	if tops == 0 {
		p[0], p[1], p[2], p[3] = T(x&0xff), T(x>>8&0xff), T(x>>16&0xff), T(x>>24&0xff)
		p[4], p[5], p[6], p[7] = T(x>>32&0xff), T(x>>40&0xff), T(x>>48&0xff), T(x>>56)
		return 8, pos + 8
	}
	w := &windows[tops*0x0002040810204081>>56]
	if w.n == 0 {
		x, next = varint(base, pos)
		p[0] = T(x)
		return 1, next
	}
	in := plus(base, pos)
	p[0] = pair[T](in, w, 0)
	p[1] = pair[T](in, w, 1)
	p[2] = pair[T](in, w, 2)
	p[3] = pair[T](in, w, 3)
	p[4] = pair[T](in, w, 4)
	p[5] = pair[T](in, w, 5)
	p[6] = pair[T](in, w, 6)
	p[7] = pair[T](in, w, 7)
	return int(w.n), pos + int(w.bytes)
}

// pair returns varint k of w, of one or two bytes.
func pair[T uint32 | uint64](in pointer, w *window, k int) T {
	x := uint32(*as[uint16](plus(in, w.at[k]))) & uint32(w.mask[k])
	return T(x - x>>1&0x3f80) // the upper seven bits move down by one
}
