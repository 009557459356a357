package programs

import (
	"bufio"
	"io"
	"reflect"
	"slices"
	"strconv"
)

// The functions have few types.
func objectCalled(fn reflect.Value, text string) string {
	return fn.Call([]reflect.Value{reflect.ValueOf(text)})[0].String() // want reflect-direct
}

// The element is copied into the map, and made again for the next.
func objectDecoded(m reflect.Value, names []string, set func(reflect.Value, string)) {
	for _, name := range names {
		e := reflect.New(m.Type().Elem()).Elem() // want reflect-direct
		set(e, name)
		m.SetMapIndex(reflect.ValueOf(name), e)
	}
}

// Only the type is asked for.
func objectAsserted(v reflect.Value) int {
	switch x := v.Interface().(type) { // want reflect-direct
	case objectPair:
		return x.a
	}
	return 0
}

func objectRead(v reflect.Value) string {
	return v.Convert(reflect.TypeFor[string]()).String() // want reflect-direct
}

func objectIndexed(v, key reflect.Value) int {
	return v.MapIndex(key).Len() // want reflect-direct
}

// The pointer is what the slice has.
func objectPointers(v reflect.Value, n int) {
	for i := range n {
		v.Index(i).Set(reflect.New(v.Type().Elem().Elem())) // no reflect-direct
	}
}

// Each Value is kept.
func objectValues(t reflect.Type, n int) (all []reflect.Value) {
	for range n {
		all = append(all, reflect.New(t).Elem()) // no reflect-direct
	}
	return all
}

// The interface is what is wanted.
func objectInterface(v reflect.Value) any {
	return v.Interface() // no reflect-direct
}

// The map grows.
func objectMap(m reflect.Value, key, value reflect.Value) {
	m.SetMapIndex(key, value) // no reflect-direct
}

// One object for all.
func objectOnce(t reflect.Type, m reflect.Value, names []string) {
	e := reflect.New(t).Elem() // no reflect-direct
	for _, name := range names {
		e.SetString(name)
		m.SetMapIndex(reflect.ValueOf(name), e)
	}
}

type objectName string

type objectPair struct{ a, b int }

type objectRequest struct {
	attributes map[string]any
	counts     map[string]int
	Headers    map[string]string
	shared     map[string]int
	many       map[string]int
}

func objectRequested() *objectRequest {
	return &objectRequest{attributes: map[string]any{}, counts: make(map[string]int), Headers: map[string]string{}, shared: map[string]int{}, many: map[string]int{}}
}

var (
	objectLast   *objectRequest
	objectShared map[string]int
)

func objectServed(names, many []string) int {
	r := objectRequested()
	objectLast = r
	r.set(names[0], names)
	r.count(names[1])
	r.header(names[0], names[1])
	objectShared = r.share(names[2])
	return r.sum() + r.fill(many) + len(objectShared) + len(r.attribute(names[0]).([]string))
}

func (r *objectRequest) set(name string, value any) {
	r.attributes[name] = value // want few-entries
}

func (r *objectRequest) attribute(name string) any { return r.attributes[name] }

func (r *objectRequest) count(name string) {
	r.counts[name]++ // want few-entries
}

func (r *objectRequest) sum() (n int) {
	for _, c := range r.counts {
		n += c
	}
	clear(r.counts)
	return n
}

// Everybody may have the map.
func (r *objectRequest) header(name, value string) {
	r.Headers[name] = value // no few-entries
}

// The map is handed out.
func (r *objectRequest) share(name string) map[string]int {
	r.shared[name] = len(name) // no few-entries
	return r.shared
}

// It has many entries.
func (r *objectRequest) fill(names []string) int {
	for _, name := range names {
		r.many[name]++ // no few-entries
	}
	return len(r.many)
}

// It leaves the function.
func objectLengths(names []string) map[string]int {
	lengths := map[string]int{}
	for _, name := range names {
		lengths[name] = len(name) // no few-entries
	}
	return lengths
}

// The callers want the tag only.
//
//go:noinline
func objectResolve(s string) (tag string, value any) {
	if s == "" {
		return "null", nil
	}
	return "string", s // want dropped-result
}

func objectTags(names []string) (n int) {
	for _, name := range names {
		tag, _ := objectResolve(name)
		n += len(tag)
	}
	return n
}

//go:noinline
func objectBytes(s []byte) (any, error) {
	return s, nil // want dropped-result
}

func objectText(s []byte) (string, error) {
	v, err := objectBytes(s)
	if err != nil {
		return "", err
	}
	return string(v.([]byte)), nil
}

// The value is used.
//
//go:noinline
func objectUsed(s string) (tag string, value any) {
	return "string", s // no dropped-result
}

func objectUses(names []string) (all []any) {
	for _, name := range names {
		_, v := objectUsed(name)
		all = append(all, v)
	}
	return all
}

// Callers ask for several types.
//
//go:noinline
func objectAny(s string) any {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return s // no dropped-result
}

func objectAnyLen(s string) int {
	switch v := objectAny(s).(type) {
	case string:
		return len(v)
	case int:
		return v
	}
	return 0
}

// It is kept, besides.
//
//go:noinline
func (r *objectRequest) keep(name string) (int, any) {
	var v any = name // no dropped-result
	objectKept = v
	return 1, v
}

var objectKept any

// Nobody of the program calls it.
//
//go:noinline
func objectCalledByTest(s string) (int, any) {
	return 1, s // no dropped-result
}

type objectProperty struct {
	value string
	mode  int
}

type objectTable struct {
	properties map[string]objectProperty
	parent     *objectTable
}

func (t *objectTable) lookup(name string) *objectProperty {
	p, ok := t.properties[name] // want return-value
	if !ok && t.parent != nil {
		return t.parent.lookup(name)
	}
	if !ok {
		return nil
	}
	return &p
}

func objectModes(t *objectTable) int { return t.mode("one") + t.lastMode("two") }

func (t *objectTable) mode(name string) int {
	if p := t.lookup(name); p != nil {
		return p.mode
	}
	return 0
}

type objectCursor struct {
	text  string
	place int
}

func (c *objectCursor) next() bool { c.place++; return c.place < len(c.text) }

type objectIterator interface{ next() bool }

//go:noinline
func objectStart(text string) *objectCursor {
	return &objectCursor{text: text, place: -1} // want return-value
}

//go:noinline
func objectIterated(text string) objectIterator { return objectStart(text) }

func objectCount(text string) (n int) {
	for it := objectIterated(text); it.next(); {
		n++
	}
	return n
}

// The callers keep it.
//
//go:noinline
func objectMake(name string) *objectProperty {
	return &objectProperty{value: name} // no return-value
}

func objectMade(names []string) (all []*objectProperty) {
	for _, name := range names {
		all = append(all, objectMake(name))
	}
	return all
}

// It is stored where it is made.
//
//go:noinline
func (t *objectTable) last(name string) *objectProperty {
	p := &objectProperty{value: name} // no return-value
	objectLastProperty = p
	return p
}

var objectLastProperty *objectProperty

func (t *objectTable) lastMode(name string) int { return t.last(name).mode }

// It is large.
//
//go:noinline
func objectTableOf(n int) *[100]int64 {
	t := new([100]int64) // no return-value
	t[0] = int64(n)
	return t
}

func objectFirst(n int) int64 { return objectTableOf(n)[0] }

// The function is inlined: what keeps it on the heap is another reason.
func objectNew(name string) *objectProperty { return &objectProperty{value: name} } // no return-value

func objectGiven(name string) int {
	p := objectNew(name)
	objectLastProperty = p
	return p.mode
}

// An objectNode is too large for chunks that are proved to do.
type objectNode struct {
	text     string
	children []*objectNode
	more     [14]int
}

type objectParser struct {
	text  string
	depth int
	known map[string]*objectSmall
	lines []string
}

func (p *objectParser) node() *objectNode {
	n := &objectNode{text: p.text[:p.depth]} // want batch
	if p.depth--; p.depth > 0 {
		n.children = append(n.children, p.node())
	}
	return n
}

func objectParsed(text string) int {
	p := &objectParser{text: text, depth: 40}
	return len(p.node().children)
}

type objectSmall struct {
	name string
	n    int
}

// How many there are is not known before.
func objectSplit(text string) (all []*objectSmall) {
	for len(text) > 0 {
		s := &objectSmall{name: text[:1], n: len(all)} // want batch
		all = append(all, s)
		text = text[1:]
	}
	return all
}

// There are few.
func objectFew(text string) (all []*objectNode) {
	for len(all) < 4 {
		all = append(all, &objectNode{text: text}) // no batch
	}
	return all
}

// They are not kept.
func objectPassed(text string) (n int) {
	for len(text) > 0 {
		s := &objectNode{text: text} // no batch
		objectLastNode = s
		n += len(s.text)
		text = text[1:]
	}
	return n
}

var objectLastNode *objectNode

// They are too large.
func objectLarge(text string) (all []*[64]int) {
	for len(text) > 0 {
		all = append(all, new([64]int)) // no batch
		text = text[1:]
	}
	return all
}

type objectGone struct{ name string }

// They are dropped one by one.
func objectRemoved(text string) int {
	all := map[int]*objectGone{}
	for len(text) > 0 {
		all[len(text)] = &objectGone{text} // no batch
		text = text[1:]
	}
	delete(all, 1)
	return len(all)
}

func (p *objectParser) read(r io.Reader) int {
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadString(';') // want batch-strings
		if err != nil {
			return len(p.lines)
		}
		p.lines = append(p.lines, line)
	}
}

func objectLines(r io.Reader) int { return new(objectParser).read(r) }

// An objectDecoder does not change: that one goroutine has it is not shown.
type objectDecoder struct{ data []byte }

func (d *objectDecoder) text(i int) string {
	return string(d.data[i : i+20]) // want batch-strings
}

func objectTexts(data []byte) (all []string) {
	d := &objectDecoder{data}
	for i := range len(data) - 20 {
		all = append(all, d.text(i))
	}
	return all
}

// They are keys of which there may be few.
func (d *objectDecoder) counted() map[string]int {
	all := map[string]int{}
	for i := range len(d.data) - 20 {
		all[string(d.data[i:i+20])]++ // no batch-strings
	}
	return all
}

func objectCounted(data []byte) int { return len((&objectDecoder{data}).counted()) }

// They are long.
func (d *objectDecoder) long() (all []string) {
	for range 64 {
		all = append(all, string(d.data)) // no batch-strings
	}
	return all
}

func objectLong(data []byte) int { return len((&objectDecoder{data}).long()) }

// There are few.
func (d *objectDecoder) few() (all []string) {
	for i := range 10 {
		all = append(all, string(d.data[i:i+4])) // no batch-strings
	}
	return all
}

func objectFewTexts(data []byte) int { return len((&objectDecoder{data}).few()) }

// The last one is all that is left.
func (d *objectDecoder) last() {
	for i := range len(d.data) - 20 {
		objectLastText = string(d.data[i : i+20]) // no batch-strings
	}
}

func objectLastOf(data []byte) { (&objectDecoder{data}).last() }

var objectLastText string

type objectRoute struct {
	path   string
	params [20]string
}

type objectCandidate struct {
	route objectRoute
	score int
}

func objectMatching(routes []objectRoute, prefix string) []objectCandidate {
	candidates := make([]objectCandidate, 0, len(routes)) // want large-elements
	for _, r := range routes {
		if len(r.path) > len(prefix) {
			candidates = append(candidates, objectCandidate{r, len(r.path)})
		}
	}
	slices.SortFunc(candidates, func(a, b objectCandidate) int { return a.score - b.score })
	return candidates
}

func objectRoutes(candidates []objectCandidate) []objectRoute {
	routes := make([]objectRoute, 0, len(candidates)) // want large-elements
	for _, c := range candidates {
		routes = append(routes, c.route)
	}
	return routes
}

// The copies are changed.
func objectChanged(all []objectUser) []objectUser {
	users := make([]objectUser, 0, len(all)) // no large-elements
	for _, u := range all {
		users = append(users, u)
	}
	for i := range users {
		users[i].name += "!"
	}
	return users
}

type objectUser struct {
	name  string
	roles [20]string
}

// The elements are small.
func objectPairs(all []objectPair) []objectPair {
	pairs := make([]objectPair, 0, len(all)) // no large-elements
	for _, x := range all {
		pairs = append(pairs, x)
	}
	return pairs
}

// The structs are new.
func objectNewRoutes(names []string) []objectRoute {
	routes := make([]objectRoute, 0, len(names)) // no large-elements
	for _, name := range names {
		routes = append(routes, objectRoute{path: name})
	}
	return routes
}

// Only a part is copied.
func objectPaths(all []objectRoute) []string {
	paths := make([]string, 0, len(all)) // no large-elements
	for _, r := range all {
		paths = append(paths, r.path)
	}
	return paths
}
