package programs

import (
	"errors"
	"io"
	"reflect"
	"testing"
)

var boxNumbersOf = []int64{1000, 2000, 3000, 4000, 5000, 6000}
var boxTextsOf = [][]byte{[]byte("1234"), []byte("56789"), []byte("987"), []byte("10000")}

func BenchmarkBox(b *testing.B) {
	any4 := reflect.ValueOf(map[string]any{"a": 1, "b": "x", "c": nil, "d": 3.5})
	numbers := reflect.ValueOf(map[string][3]int{"a": {1}, "b": {2}, "c": {3}})
	names := []string{"a", "b", "c"}
	vars := &boxVars{names: names}
	var ints, others []int
	v, to := reflect.ValueOf(&ints).Elem(), reflect.ValueOf(&others).Elem()
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
			BoxMap(any4)
			BoxNumberMap(numbers)
			BoxPlainMap(any4)
			BoxFill(v, 5)
			BoxReplace(v, 5)
			v.SetZero()
			BoxSetAtOnce(v, v.Type(), 5)
			BoxSetAny(v, v.Type(), 5)
			if BoxFillBy(v, 6) != nil || !BoxCompare(v) {
				b.Fatal("not filled")
			}
			BoxAppended(v, 3)
			BoxSwap(v, to, 3)
			BoxEval(names, 4)
			BoxEvalOf(names, vars)
			BoxEvalOnce(names, 4)
			BoxRemember(names, 4)
			BoxPrinted(names, 4)
			BoxAsked(4)
			BoxLater(names, 4)
			if err := boxAnswers(&boxWriter{io.Discard}); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func boxAnswers(a boxAnswerer) error {
	_, err := BoxAsksAnswer(a, "a text")
	return errors.Join(err, BoxAnswer(a, "a text", ""), BoxDirect(a, "a text"), BoxLog(a, "a text"), BoxKeptAnswer(a, "a text"))
}
