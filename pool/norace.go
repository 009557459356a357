//go:build !race

package pool

func raceRelease(pointer, []byte) {}
func raceAcquire(pointer)         {}
func raceHide()                   {}
func raceShow()                   {}
