//go:build !plan9

package arena

type onlyLink struct {
	next *onlyLink
	v    int
}

func newOnly(next *onlyLink, v int) *onlyLink {
	return &onlyLink{next, v} // refused: some systems do not build the file
}

func onlyLinks(n int) (sum int) {
	var last *onlyLink
	for i := range n {
		last = newOnly(last, i)
	}
	for ; last != nil; last = last.next {
		sum += last.v
	}
	return sum
}
