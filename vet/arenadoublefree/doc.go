// Package arenadoublefree finds arenas that are freed twice.
//
// The second Free of an arena of package arena panics, in every build. Pools of arenas
// elsewhere may have handed the arena out again meanwhile: the second Free then frees the arena of
// the new owner, whose memory goes to a third one. Most often an error path frees an arena that a
// defer frees too, or a function frees the arena of its caller.
//
// Bad:
//
//	var arenas = arena.Pool{Policy: arena.RecycleTyped}
//
//	func digits(n int) (int, error) {
//		a := arenas.Get()
//		defer a.Free()
//		seen := arena.MakeSlice[bool](a, n, n)
//		if len(seen) == 0 {
//			a.Free()
//			return 0, errors.New("no digits")
//		}
//		return n, nil
//	}
//
// Good:
//
//	var arenas = arena.Pool{Policy: arena.RecycleTyped}
//
//	func digits(n int) (int, error) {
//		a := arenas.Get()
//		defer a.Free()
//		seen := arena.MakeSlice[bool](a, n, n)
//		if len(seen) == 0 {
//			return 0, errors.New("no digits")
//		}
//		return n, nil
//	}
//
// A child is freed with its parent, so that its own Free has to come first. The rule is
// silent about Free of a nil arena, which does nothing, about Reset, which may be called any
// number of times, and where a flag or another condition decides which of two calls of
// Free is reached.
//
// Severity: error.
package arenadoublefree
