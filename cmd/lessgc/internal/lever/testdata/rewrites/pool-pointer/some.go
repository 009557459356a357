//go:build !plan9

package pools

func unixUse(n int) int {
	b := append(onUnix.Get().([]byte)[:0], byte(n))
	onUnix.Put(b) // refused: some systems do not have the file
	return len(b)
}
