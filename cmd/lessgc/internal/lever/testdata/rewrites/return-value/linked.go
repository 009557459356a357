package values

import _ "unsafe" // for the directive

// What follows is refused for what other packages, or assembly, call.

func linked(n int) *pair {
	return &pair{left: n} // refused: a directive of another package names it
}

func useLinked(n int) int { return linked(n).left }

type linker struct{ n int }

func (l *linker) linkedMethod() *pair {
	return &pair{left: l.n} // refused: a directive of another package names the method
}

func useLinkedMethod(n int) int { return (&linker{n}).linkedMethod().left }

//go:linkname pushed example.com/other.pushed
func pushed(n int) *pair {
	return &pair{left: n} // refused: a directive gives it to another package
}

func usePushed(n int) int { return pushed(n).left }

func calledByAssembly(n int) *pair {
	return &pair{left: n} // refused: assembly for another system calls it
}

func useCalledByAssembly(n int) int { return calledByAssembly(n).left }
