package stacktree

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// stacks is the number of stacks in the synthetic profile.
const stacks = 2000

// Synthetic returns the synthetic profile as collapsed stacks, the same bytes
// in every call: 2,000 stacks of 8 to 40 frames in no order, which are a tree of
// about 34,000 nodes. TestSynthetic pins these numbers.
//
// Names look like those of Go functions. A function calls the same few others
// in every stack, one much more often than the next, so that stacks share their
// beginnings as those of a program do.
func Synthetic() []byte {
	names := functionNames()
	rnd := rand.New(rand.NewPCG(1, 2))
	var out []byte
	for range stacks {
		f := 0
		for depth := range 8 + rnd.IntN(33) {
			if depth > 0 {
				out = append(out, ';')
				f = callee(f, choice(rnd)) % len(names)
			}
			out = append(out, names[f]...)
		}
		out = append(out, ' ')
		out = strconv.AppendInt(out, 1+rnd.Int64N(1000), 10)
		out = append(out, '\n')
	}
	return out
}

// choice returns 0 in 3 of 5 calls, else 1 in 3 of 5, and so on.
func choice(rnd *rand.Rand) int {
	n := 0
	for rnd.IntN(5) < 2 {
		n++
	}
	return n
}

// callee returns a number for what function f calls in its i-th place.
func callee(f, i int) int {
	h := uint64(f*16+i+1) * 0x9e3779b97f4a7c15
	return int(h >> 33)
}

func functionNames() (names []string) {
	packages := strings.Fields("runtime net/http encoding/json database/sql example.com/shop/cart example.com/shop/internal/pricing example.com/shop/internal/inventory")
	types := strings.Fields("Server Conn Reader Decoder Encoder Buffer Pool Cache Index Session Request Response Query Row Batch Worker")
	methods := strings.Fields("Read Write Close Flush Next Scan Parse Encode Decode Lookup Insert Delete Update Validate Serve Run do grow reset wait")
	for _, p := range packages {
		for _, t := range types {
			for _, m := range methods {
				names = append(names, p+".(*"+t+")."+m)
			}
		}
	}
	return names
}
