package programs

import "testing"

var boxNumbersOf = []int64{1000, 2000, 3000, 4000, 5000, 6000}
var boxTextsOf = [][]byte{[]byte("1234"), []byte("56789"), []byte("987"), []byte("10000")}

func BenchmarkBox(b *testing.B) {
	for b.Loop() {
		for range 20 {
			BoxSum(boxNumbersOf)
			BoxNumbers(boxTextsOf)
			BoxRanges(8)
			BoxKept(boxNumbersOf)
			BoxTexts(boxNumbersOf)
			BoxParts(boxTextsOf)
			BoxWrapped(8)
			BoxUnless(boxNumbersOf)
			BoxOps(9)
			BoxShapes(3)
			BoxTokens(3)
			BoxTrees(4)
			BoxStates(4)
		}
	}
}
