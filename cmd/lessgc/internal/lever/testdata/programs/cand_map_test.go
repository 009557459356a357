package programs

import (
	"reflect"
	"strings"
	"testing"
)

func BenchmarkCandMap(b *testing.B) {
	names := []string{"one", "two", "three"}
	params := &mapParams{map[string]int{"one": 0, "two": 1}, []string{"first", "second"}, mapPoint{1, 2}}
	texts := append(mapGetters[1:2:2], mapText("b"))
	fields := make([]reflect.Value, 3)
	set := struct{ A, B, C string }{}
	for i := range fields {
		fields[i] = reflect.ValueOf(&set).Elem().Field(i)
	}
	table := map[string]string{"one": "1", "two": "2"}
	reflected := reflect.ValueOf(table)
	query, headers := map[string][]string{}, map[string][][20]int{}
	pointers := map[string]*[]string{}
	stack, keep := &mapStack{}, func(v any) { sink = v }
	setter := func(_ string, v any) { sink = v }
	slice := reflect.ValueOf(new([]string)).Elem()
	values := []reflect.Value{reflect.ValueOf("a"), reflect.ValueOf("b")}
	slice.Set(reflect.MakeSlice(slice.Type(), 2, 2))
	records := reflect.ValueOf(make([]mapRecord, 3))
	numbers := reflect.ValueOf(map[string]string{"a": "1", "b": "2"})
	long := strings.Repeat("some words; ", 3)
	for i := range 30 {
		long += string(rune('a'+i%26)) + strings.Repeat("x", i%5) + string(rune('A'+i%20))
	}
	for b.Loop() {
		mapGets(params, names, keep)
		mapGets(params, []string{"none", "no", "nothing"}, keep)
		mapTexts(texts)
		for i := range 3 {
			sink = mapSum([]int{i, 5})
			sink = mapFails(mapError{i, i})
			sink = mapTrimmed(names[i])
			sink = mapPair(params)
			sink = mapConvert(names[i])
			sink = mapKeyed(reflected, names[i])
			sink = mapPointer(i)
			sink = mapOfMaps(i + 10)
			sink = mapOther(names[i])
			sink = mapJoined(names[i], names[2])
			sink = mapChild(table)
			mapMerge(mapTurned(nil), table)
			sink = mapTurned(table)
			sink = mapAsks(reflect.TypeFor[mapRecord]())
			mapWrites(reflect.TypeFor[strings.Builder](), "text")
			mapRender(mapNodes)
		}
		sink = mapOnce(names[0])
		mapSetAll(fields, names)
		mapWords(names)
		mapSent(names)
		sink = mapDozen(names)
		mapScopes(names)
		sink = mapShown(names)
		sink = mapEvaluated(names[:2]) + mapForeign(names)
		mapNumbers(50)
		sink = mapIndexed(long)
		mapSized(50)
		sink = mapSmall(names)
		mapUnknown(make(map[int64]int, 1), 50)
		sink = mapHeaders(names)
		mapQuery(query, names)
		sink = mapMany(names)
		clear(query)
		mapTwo(query, names)
		mapPointers(pointers, names)
		clear(headers)
		mapLarge(headers, names)
		clear(query)
		mapJoin(query, names)
		mapParse(stack, names)
		mapLoop(names, setter)
		mapKeyedBy(names, setter)
		mapOneLoop(3, setter)
		sink = mapKeeps(names)
		mapAppends(slice, values)
		mapMakes(slice, 2)
		slice.Set(reflect.MakeSlice(slice.Type(), 2, 2))
		mapSortedKeys(reflected)
		mapEach(records, keep)
		mapDecodeAll(numbers, values)
		mapNewAll(reflect.TypeFor[string]())
	}
}
