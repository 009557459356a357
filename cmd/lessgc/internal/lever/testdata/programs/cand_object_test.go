package programs

import (
	"reflect"
	"strings"
	"testing"
)

func BenchmarkCandObject(b *testing.B) {
	names := []string{"one", "two", "three"}
	upper := reflect.ValueOf(strings.ToUpper)
	texts := reflect.ValueOf(map[string]string{"one": "1", "two": "2", "three": "3"})
	pairs := make([]*objectPair, 3)
	pair := objectPair{1, 2}
	number := objectName("a name")
	many := strings.Fields("a ab abc b bc bcd c cd cde d de def e ef efg f fg fgh")
	table := &objectTable{properties: map[string]objectProperty{"one": {"1", 1}}}
	text := strings.Repeat("some words; ", 10)
	routes := make([]objectRoute, 20)
	for i := range routes {
		routes[i].path = "a path"
	}
	for b.Loop() {
		candidates := objectMatching(routes, "pre")
		sink = objectRoutes(candidates)
		sink = candidates
		sink = objectChanged(make([]objectUser, 20))
		sink = objectPairs(make([]objectPair, 20))
		sink = objectNewRoutes(names)
		sink = objectPaths(routes)
		sink = objectParsed(text)
		sink = objectSplit(text)
		sink = objectFew(text)
		sink = objectPassed(text)
		sink = objectLarge(text)
		sink = objectRemoved(text)
		sink = objectLines(strings.NewReader(strings.Repeat("a line that is longer than a few bytes;", 70)))
		sink = objectTexts([]byte(text))
		sink = objectCounted([]byte(text)) + objectLong([]byte(text)) + objectFewTexts([]byte(text))
		objectLastOf([]byte(text))
		sink = objectTags(names)
		sink, _ = objectText([]byte("some bytes"))
		sink = objectUses(names)
		sink = objectAnyLen(names[0])
		_, sink = new(objectRequest).keep(names[0])
		n, _ := objectCalledByTest(names[0])
		sink = n + objectModes(table) + objectCount("text") + int(objectFirst(3)) + objectGiven("three")
		sink = objectMade(names)
		sink = objectServed(names, many)
		sink = objectLengths(names)
		sink = objectCalled(upper, names[0])
		objectDecoded(texts, names, func(v reflect.Value, text string) { v.SetString(text) })
		sink = objectAsserted(reflect.ValueOf(&pair).Elem())
		sink = objectRead(reflect.ValueOf(&number).Elem())
		sink = objectIndexed(texts, reflect.ValueOf(names[0]))
		objectPointers(reflect.ValueOf(&pairs).Elem(), len(pairs))
		sink = objectValues(reflect.TypeFor[objectPair](), 3)
		sink = objectInterface(reflect.ValueOf(&pair).Elem())
		objectMap(reflect.MakeMap(texts.Type()), reflect.ValueOf(names[0]), reflect.ValueOf(names[1]))
		objectOnce(reflect.TypeFor[string](), texts, names)
	}
}
