package gosyntax

import (
	goscanner "go/scanner"
	"go/token"
	"math/rand/v2"
	"strings"
	"testing"
)

// words cuts a source into the texts of its tokens and what is between them.
func words(src string) []string {
	file := token.NewFileSet().AddFile("", -1, len(src))
	var s goscanner.Scanner
	s.Init(file, []byte(src), nil, goscanner.ScanComments)
	var list []string
	for last := 0; ; {
		pos, tok, lit := s.Scan()
		from := file.Offset(pos)
		if from > last {
			list = append(list, src[last:from])
			last = from
		}
		if tok == token.EOF {
			return list
		}
		if lit == "" {
			lit = tok.String()
		}
		if end := min(from+len(lit), len(src)); end > last {
			list = append(list, src[last:end])
			last = end
		}
	}
}

// TestMutated compares the parsers on sources that are nearly right: with a
// word left out, put in, repeated or exchanged. A few hundred out of thousand
// are still accepted.
func TestMutated(t *testing.T) {
	var sources [][]string
	var all []string
	for _, src := range accepted {
		list := words(src)
		sources = append(sources, list)
		all = append(all, list...)
	}
	rounds := 100
	if testing.Short() {
		rounds = 30
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		for _, list := range sources {
			list = append([]string(nil), list...)
			for range 1 + rnd.IntN(2) {
				list = mutate(rnd, list, all)
			}
			src := strings.Join(list, "")
			check(t, Strategies[1+rnd.IntN(len(Strategies)-1)], src, []byte(src))
			if t.Failed() {
				return
			}
		}
	}
}

func mutate(rnd *rand.Rand, list, all []string) []string {
	i, j, word := rnd.IntN(len(list)), rnd.IntN(len(list)), all[rnd.IntN(len(all))]
	switch rnd.IntN(5) {
	case 0:
		if len(list) > 1 {
			return append(list[:i:i], list[i+1:]...)
		}
	case 1:
		list[i] = word
	case 2:
		return append(list[:i:i], append([]string{" ", word, " "}, list[i:]...)...)
	case 3:
		list[i], list[j] = list[j], list[i]
	case 4:
		return append(list[:i:i], append([]string{list[j], " "}, list[i:]...)...)
	}
	return list
}
