package space

func fork(f *forked) *forked {
	c := *f
	return &c
}
