package programs

import (
	"math/big"
	"sync"
	"testing"
)

var lazyKeep any

func BenchmarkLazy(b *testing.B) {
	recent := map[int]*lazyTx{1: {}, 2: {}}
	values, number := []int{1, 2, 3}, 0
	bytes := []byte("some bytes that are more than thirty two, so that they are on the heap")
	var kept []*lazyTx
	names := []string{"the first of the names", "and the second one"}
	var mu sync.Mutex
	for range b.N {
		for i := range 20 {
			lazyKeep = lazyRun(i)
			c := lazyNewCopied()
			lazyKeep = &c
			lazyKeep = lazyShare(&c, i)
			lazyKeep = lazyErrors(values)
			lazyKeep = lazyReturned(values)
			lazyKeep = lazyGet(recent, i%3)
			lazyKeep = lazyMiss("kind", i)
			lazyKeep = lazyShadow("kind", i)
			lazyKeep = lazyCheck("some name that is long enough", "kind", i)
			lazyKeep = lazyCommon("abcdefghijklmnopqrst", i)
			lazyKeep = lazySnapshot(bytes, i)
			lazyKeep = lazyNumber(&number, i)
			lazyKeep = lazyMethod(big.NewInt(int64(i)), i)
			lazyKeep = lazyRenamed(&lazyNamed{"one of the items"}, i)
			lazyKept(&kept, i)
			lazyKeep = lazyLog("name", i)
			lazyKeep = lazyFind(names, &number, i)
			lazyKeep = lazySwap(names, i)
			lazyKeep = lazyLocked(&mu, names, i)
		}
	}
	lazyGet(recent, 8)
}
