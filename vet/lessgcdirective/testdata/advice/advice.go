// Package advice holds a comment for an advisory rule: it reports calls of slow.
package advice

func slow() {}

func goodIgnoreOfAdvice() {
	//lessgc:ignore slowness this is called once
	slow()
}
