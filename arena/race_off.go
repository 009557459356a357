//go:build !race

package arena

func raceWrite(pointer, uintptr) {}
