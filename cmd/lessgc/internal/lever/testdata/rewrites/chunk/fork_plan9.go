package chunk

func fork(f *forked) *forked {
	c := *f
	return &c
}
