package programs

import (
	"fmt"
	"io"
	"net/url"
	"reflect"
	"strconv"
	"strings"
)

// mapParams has its values, and gives each as an interface.
type mapParams struct {
	index  map[string]int
	values []string
	first  mapPoint
}

type mapPoint struct{ x, y int }

type mapGetter interface {
	Get(name string) (any, error)
	Text() fmt.Stringer
}

//go:noinline
func (p *mapParams) Get(name string) (any, error) {
	i, ok := p.index[name]
	if !ok {
		return p.first, nil // want keep-box
	}
	return p.values[i], nil // want keep-box
}

func (p *mapParams) Text() fmt.Stringer { return mapText(p.values[0]) }

// mapText becomes an interface again.
type mapText string

func (t mapText) String() string { return string(t) }

//go:noinline
func (t mapText) Text() fmt.Stringer {
	return t // want keep-box
}

func (t mapText) Get(string) (any, error) { return nil, nil }

// These are what the interfaces have.
var (
	mapGetters = []mapGetter{&mapParams{}, mapText("a")}
	mapNodes   = []mapNode{&mapContent{"a"}, &mapContent{"b"}}
)

func mapTexts(all []mapGetter) (n int) {
	for _, g := range all {
		n += len(g.Text().String())
	}
	return n
}

func mapGets(g mapGetter, names []string, keep func(any)) {
	for _, name := range names {
		v, _ := g.Get(name)
		keep(v)
	}
}

//go:noinline
func mapSum(values []int) any {
	sum := 1000
	for _, v := range values {
		sum += v
	}
	return sum // no keep-box
}

type mapError struct{ code, line int }

func (e mapError) Error() string { return strconv.Itoa(e.code) }

//go:noinline
func mapFails(e mapError) error {
	return e // no keep-box
}

//go:noinline
func mapTrimmed(s string) any {
	return strings.TrimSpace(s) // no keep-box
}

//go:noinline
func mapOnce(s string) any {
	return s // no keep-box
}

//go:noinline
func mapPair(p *mapParams) any {
	return mapPoint{p.first.x, 7} // no keep-box
}

// The values of a type are set and read by reflection.
func mapSetAll(fields []reflect.Value, texts []string) {
	for i, f := range fields {
		f.Set(reflect.ValueOf(texts[i])) // want reflect-value
	}
}

//go:noinline
func mapConvert(text string) reflect.Value {
	return reflect.ValueOf(text) // want reflect-value
}

//go:noinline
func mapKeyed(m reflect.Value, name string) bool {
	return m.MapIndex(reflect.ValueOf(name)).IsValid() // want reflect-value
}

//go:noinline
func mapPointer(n int) reflect.Value {
	return reflect.ValueOf(&mapPoint{n, n}) // no reflect-value
}

//go:noinline
func mapOfMaps(n int) reflect.Value {
	return reflect.ValueOf(make(map[int]int, n)) // no reflect-value
}

//go:noinline
func mapOther(text string) reflect.Value {
	return reflect.ValueOf([]any{text}[0]) // no reflect-value
}

//go:noinline
func mapJoined(a, b string) reflect.Value {
	return reflect.ValueOf(a + b) // no reflect-value
}

// The map is made in one function and filled by another, with a few words.
func mapWords(names []string) int {
	seen := make(map[string]int)
	mapState = &mapWordsSeen{seen}
	for _, name := range names {
		mapNote(seen, name)
	}
	return len(seen)
}

type mapWordsSeen struct{ seen map[string]int }

var mapState *mapWordsSeen

//go:noinline
func mapNote(seen map[string]int, name string) {
	seen[name]++ // want few-entries
}

// mapScope is made for each use, and its map by a function that gives it back.
type mapScope struct{ vars map[string]string }

//go:noinline
func mapNewVars() map[string]string {
	return make(map[string]string) // want few-entries
}

func mapScopes(names []string) (n int) {
	for range 3 {
		s := &mapScope{mapNewVars()}
		mapLast = s
		s.set(names[0], names[1])
		n += len(s.vars[names[0]])
	}
	return n
}

var mapLast *mapScope

func (s *mapScope) set(name, value string) {
	s.vars[name] = value // want few-entries
}

// It has twelve entries, most of them set when the map has grown already.
func mapDozen(names []string) int {
	seen := make(map[string]int)
	for i := range 12 {
		mapNoteDozen(seen, names[i%3]+string(rune('a'+i)))
	}
	return len(seen)
}

//go:noinline
func mapNoteDozen(seen map[string]int, name string) {
	seen[name]++ // no few-entries
}

// A frame of names goes to the methods of an interface of the package, from the field of one object to another's, and
// its variable's address to a function.
type mapFrame map[string]int

type mapTerm interface{ evaluate(frame mapFrame) int }

type mapName struct{ name string }

type mapLet struct {
	name string
	in   mapTerm
}

type mapClosure struct{ frame mapFrame }

func (l *mapName) evaluate(frame mapFrame) int { return frame[l.name] }

func (l *mapLet) evaluate(frame mapFrame) int {
	inner := make(mapFrame, len(frame)+1) // want few-entries
	for name, value := range mapClosed(frame).kept() {
		inner[name] = value // want few-entries
	}
	inner[l.name] = len(l.name)
	mapChecked(&inner)
	return l.in.evaluate(inner)
}

//go:noinline
func mapClosed(frame mapFrame) *mapClosure {
	mapDefined = &mapClosure{frame}
	return mapDefined
}

var mapDefined *mapClosure

func (c *mapClosure) kept() mapFrame { return c.frame }

//go:noinline
func mapChecked(frame *mapFrame) {
	if len(*frame) == 0 {
		panic("no names")
	}
}

func mapEvaluated(names []string) int {
	var node mapTerm = &mapName{names[0]}
	for _, name := range names {
		node = &mapLet{name, node}
	}
	return node.evaluate(nil)
}

// MapTerm has methods of other packages, which may keep the map.
type MapTerm interface {
	Evaluate(frame map[string]int) int
}

type mapOuter struct{ name string }

func (o *mapOuter) Evaluate(frame map[string]int) int { return frame[o.name] }

var mapOuters = []MapTerm{&mapOuter{"a"}, &mapOuter{"b"}}

func mapForeign(names []string) (n int) {
	frame := make(map[string]int, 2) // no few-entries
	frame[names[0]] = 1              // no few-entries
	for _, o := range mapOuters {
		n += o.Evaluate(frame)
	}
	return n
}

// The map is known elsewhere.
func mapShown(names []string) any {
	shown := make(map[string]int) // no few-entries
	mapAdd(shown, names[0])
	return shown
}

//go:noinline
func mapAdd(shown map[string]int, name string) {
	shown[name]++ // no few-entries
}

// The map grows, in a function that is given it.
func mapNumbers(n int) int {
	index := make(map[int]int)
	for i := range n {
		mapNumber(index, i)
	}
	return len(index)
}

//go:noinline
func mapNumber(index map[int]int, i int) {
	index[i*i] = i // want size-map
}

// mapIndex has a map that grows with each word.
type mapIndex struct{ words map[string]int }

//go:noinline
func (x *mapIndex) add(word string) {
	x.words[word] = len(word) // want size-map
}

func mapIndexed(text string) *mapIndex {
	x := &mapIndex{words: map[string]int{}}
	for i := range len(text) - 3 {
		x.add(text[i : i+3])
	}
	return x
}

func mapSized(n int) int {
	index := make(map[int]string, n) // no size-map
	for i := range n {
		mapSet(index, i)
	}
	return len(index)
}

//go:noinline
func mapSet(index map[int]string, i int) {
	index[i] = strconv.Itoa(i + 100) // no size-map
}

// Few have more than a group.
func mapSmall(names []string) map[string]string {
	small := map[string]string{}
	for _, name := range names {
		mapSmallOne(small, name)
	}
	return small
}

//go:noinline
func mapSmallOne(small map[string]string, name string) {
	small[name] = name // no size-map
}

// Where the map is made is not known.
//
//go:noinline
func mapUnknown(m map[int64]int, n int) {
	for i := range n {
		m[int64(i)] = i // no size-map
	}
}

// Most keys have one value.
func mapHeaders(names []string) map[string][]string {
	m := make(map[string][]string, len(names))
	for _, name := range names {
		m[name] = append(m[name], name) // want one-value
	}
	return m
}

func mapQuery(m map[string][]string, names []string) {
	for _, name := range names {
		m[name] = []string{name} // want one-value
	}
}

// All have many values.
func mapMany(names []string) map[int][]string {
	m := map[int][]string{}
	for i := range 40 {
		m[len(names)] = append(m[len(names)], names[i%len(names)]) // no one-value
	}
	return m
}

func mapTwo(m map[string][]string, names []string) {
	for _, name := range names {
		m[name] = append(m[name], name, name) // no one-value
	}
}

func mapPointers(m map[string]*[]string, names []string) {
	for _, name := range names {
		m[name] = &[]string{name} // no one-value
	}
}

func mapLarge(m map[string][][20]int, names []string) {
	for i, name := range names {
		m[name] = append(m[name], [20]int{i}) // no one-value
	}
}

func mapJoin(m map[string][]string, names []string) {
	for _, name := range names {
		m[name] = append([]string{"first"}, names...) // no one-value
	}
}

// mapStack drops a map that was used, and makes it again.
type mapStack struct{ slots []map[string]any }

func (s *mapStack) push() {
	if cap(s.slots) == len(s.slots) {
		s.slots = append(s.slots, nil)
	} else {
		s.slots = s.slots[:len(s.slots)+1]
	}
	if s.slots[len(s.slots)-1] == nil {
		s.slots[len(s.slots)-1] = make(map[string]any) // want map-again
	}
}

func (s *mapStack) pop() {
	s.slots[len(s.slots)-1] = nil
	s.slots = s.slots[:len(s.slots)-1]
}

//go:noinline
func (s *mapStack) label(name string, value any) {
	s.slots[len(s.slots)-1][name] = value // want map-again
}

func mapParse(s *mapStack, names []string) {
	for _, name := range names {
		s.push()
		s.label(name, s)
		s.pop()
	}
}

func mapLoop(names []string, set func(string, any)) {
	for i := range names {
		set("loop", map[string]any{ // want map-again
			"first": i == 0,
			"index": i,
			"last":  i == len(names)-1,
		})
	}
}

// The copy has all that the other has.
//
//go:noinline
func mapChild(parent map[string]string) map[string]string {
	child := make(map[string]string, len(parent)) // want map-again
	for k, v := range parent {
		child[k] = v
	}
	return child
}

// What is given it wants this type.
func mapSent(names []string) {
	for _, name := range names {
		mapSend(url.Values{ // no map-again
			"kind": {name},
			"name": {"name"},
		})
	}
}

//go:noinline
func mapSend(h url.Values) { sink = h }

func mapKeyedBy(names []string, set func(string, any)) {
	for i, name := range names {
		set("loop", map[string]any{ // no map-again
			name:    i,
			"index": i,
		})
	}
}

//go:noinline
func mapTurned(parent map[string]string) map[string]string {
	child := make(map[string]string, len(parent)) // no map-again
	for k, v := range parent {
		child[v] = k
	}
	return child
}

func mapOneLoop(n int, set func(string, any)) {
	set("loop", map[string]any{ // no map-again
		"first": n == 0,
		"index": n,
	})
}

// mapKept keeps its maps.
type mapKept struct{ slots []map[string]any }

func (s *mapKept) push() {
	s.slots = append(s.slots[:0], make(map[string]any)) // no map-again
}

func mapKeeps(names []string) *mapKept {
	s := &mapKept{slots: make([]map[string]any, 0, 4)}
	for range names {
		s.push()
	}
	return s
}

// The entries come to those that the map has.
//
//go:noinline
func mapMerge(to, from map[string]string) {
	for k, v := range from {
		to[k] = v // no map-again
	}
}

// The type is asked whether it has a method, by an object.
//
//go:noinline
func mapAsks(t reflect.Type) bool {
	_, ok := reflect.New(t).Interface().(io.Writer) // want reflect-direct
	return ok
}

//go:noinline
func mapWrites(t reflect.Type, text string) {
	if w, ok := reflect.New(t).Interface().(io.Writer); ok { // no reflect-direct
		io.WriteString(w, text)
	}
}

// The elements are Values, which Append copies.
func mapAppends(v reflect.Value, all []reflect.Value) {
	v.SetLen(0)
	v.Set(reflect.Append(v, all...)) // want reflect-direct
}

func mapMakes(v reflect.Value, n int) {
	v.Set(reflect.MakeSlice(v.Type(), 0, n)) // want reflect-direct
}

func mapSortedKeys(v reflect.Value) (n int) {
	keys := v.MapKeys() // want reflect-direct
	for _, key := range keys {
		n += key.Len()
	}
	return n
}

type mapRecord struct{ a, b, c, d, e, f int }

func mapEach(v reflect.Value, see func(any)) {
	for i := range v.Len() {
		see(v.Index(i).Interface()) // want reflect-direct
	}
}

//go:noinline
func mapDecodeOne(t reflect.Type, text string) reflect.Value {
	v := reflect.New(t).Elem() // want reflect-direct
	v.SetString(text)
	return v
}

func mapDecodeAll(m reflect.Value, keys []reflect.Value) {
	for _, key := range keys {
		m.SetMapIndex(key, mapDecodeOne(m.Type().Elem(), "text"))
	}
}

//go:noinline
func mapNewOne(t reflect.Type, text string) reflect.Value {
	v := reflect.New(t).Elem() // no reflect-direct
	v.SetString(text)
	return v
}

func mapNewAll(t reflect.Type) (n int) {
	for range 3 {
		n += mapNewOne(t, "text").Len()
	}
	return n
}

// mapNode is asked for its text by an interface, which is asserted.
type mapNode interface{ accept() any }

type mapContent struct{ text string }

//go:noinline
func (c *mapContent) accept() any {
	return c.text // want typed-form
}

func mapRender(nodes []mapNode) (n int) {
	for _, node := range nodes {
		switch v := node.accept().(type) {
		case string:
			n += len(v)
		case int:
			n += v
		}
	}
	return n
}
