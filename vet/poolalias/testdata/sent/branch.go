package sent

import "io"

// The loop does not go on with the next block.
func badBranchSends(r io.Reader, out chan<- packet) {
	for {
		bp := blocks.Get().(*[]byte)
		n, err := r.Read(*bp)
		if err != nil {
			blocks.Put(bp)
			return
		}
		if n == 0 {
			blocks.Put(bp)
		}
		out <- packet{"all", (*bp)[:n]} // want "which is put back"
	}
}

func goodBranchSends(r io.Reader, out chan<- packet) {
	for {
		bp := blocks.Get().(*[]byte)
		n, err := r.Read(*bp)
		if err != nil {
			blocks.Put(bp)
			return
		}
		if n == 0 {
			blocks.Put(bp)
			continue
		}
		out <- packet{"all", (*bp)[:n]}
	}
}

type reader struct{ block *[]byte }

func (r *reader) badBranchStores(n int) {
	bp := blocks.Get().(*[]byte)
	if n > len(*bp) {
		blocks.Put(bp)
		n = 0
	}
	r.block = bp // want "which is put back"
}

func (r *reader) goodBranchStores(n int) {
	bp := blocks.Get().(*[]byte)
	if n > len(*bp) {
		blocks.Put(bp)
		bp = new([]byte)
	}
	r.block = bp
}
