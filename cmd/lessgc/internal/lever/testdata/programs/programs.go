// Package programs has, for each rule, functions that it is about and near misses. A line
// with the comment "want RULE" allocates and has that lever; one with "no RULE" allocates
// and has not. What both are about is in the comment of the function.
package programs

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

type user struct {
	name string
	id   int
}

func names(users []user) []string {
	var all []string
	for _, u := range users {
		all = append(all, u.name) // want preallocate
	}
	return all
}

func squares(n int) []int {
	all := []int{}
	for i := 0; i < n; i++ {
		all = append(all, i*i) // want preallocate
	}
	return all
}

// How many are kept is not known.
func grownUp(users []user) []string {
	var all []string
	for _, u := range users {
		if u.id%2 == 0 {
			all = append(all, u.name) // no preallocate
		}
	}
	return all
}

// Some turns go on before they append.
func skipped(users []user) []string {
	var all []string
	for _, u := range users {
		if u.id == 3 {
			continue
		}
		all = append(all, u.name) // no preallocate
	}
	return all
}

// How long the text is nobody knows before.
func words(r *bufio.Scanner) []string {
	var all []string
	for r.Scan() {
		all = append(all, "word") // no preallocate
	}
	return all
}

// There is room, but not enough.
func roomy(users []user) []string {
	all := make([]string, 0, 2)
	for _, u := range users {
		all = append(all, u.name) // no preallocate
	}
	return all
}

func count(words []string) map[string]int {
	m := make(map[string]int)
	for _, w := range words {
		m[w]++ // want presize-map
	}
	return m
}

func each(words []string, f func(string)) {
	for _, w := range words {
		f(w)
	}
}

func lengths(words []string) map[string]int {
	m := map[string]int{}
	each(words, func(w string) {
		m[w] = len(w) // want presize-map
	})
	return m
}

type index struct{ byName map[string]int }

func (x *index) reset(words []string) {
	x.byName = make(map[string]int)
	for i, w := range words {
		x.byName[w] = i // want presize-map
	}
}

// It is made with a size, which is too small.
func sized(words []string) map[string]int {
	m := make(map[string]int, 1)
	for _, w := range words {
		m[w]++ // no presize-map
	}
	return m
}

// The loops run more often than there are keys.
func within(words []string) map[string]int {
	m := make(map[string]int)
	for range 3 {
		for _, w := range words {
			m[w]++ // no presize-map
		}
	}
	return m
}

// Few of the turns set anything.
func some(words []string) map[string]int {
	m := make(map[string]int)
	for _, w := range words {
		if strings.HasSuffix(w, "5") || strings.HasSuffix(w, "6") {
			m[w]++ // no presize-map
		}
	}
	return m
}

// All that is allocated here are strings: there is one key.
func firstOf(raw [][]byte) map[string][]byte {
	m := make(map[string][]byte)
	for _, b := range raw {
		m[string(b[:2])] = b // no presize-map
	}
	return m
}

// It is new each time, and so is its map.
func indexed(words []string) *index {
	x := new(index)
	x.byName = make(map[string]int)
	for {
		for i, w := range words {
			x.byName[w] = i // no presize-map
		}
		return x
	}
}

type cache struct{ byName map[string][]byte }

// The map is made once.
func (c *cache) add(name string) {
	if c.byName == nil {
		c.byName = map[string][]byte{}
	}
	c.byName[name] = nil // no presize-map
}

func join(words []string) string {
	s := ""
	for _, w := range words {
		s += w // want builder
	}
	return s
}

func quoted(words []string) string {
	s := ""
	for _, w := range words {
		s = s + "'" + w + "'" // want builder
	}
	return s
}

// There is no loop around what becomes longer.
func suffixed(words []string) int {
	n := 0
	for _, w := range words {
		s := w
		s += "-suffix-that-is-long-enough-for-the-heap" // no builder
		n += len(s)
		sink = s
	}
	return n
}

func key(name string, id int) string {
	return fmt.Sprintf("%s:%d", name, id) // want plain-format
}

type bag struct{ all []any }

func (b *bag) add(v any) { b.all[0] = v }

func fill(b *bag, users []user) {
	for _, u := range users {
		b.add(u) // want boxing
	}
}

// The stack of an interpreter has values of all types.
func (b *bag) push(v any) { b.all = append(b.all[:0], v) }

func run(b *bag, users []user) {
	for _, u := range users {
		b.push(u) // no boxing
		b.push(b.all[0])
	}
}

var poolOfBuffers sync.Pool

// What is put into a pool is a slice, whose header has to be copied for that.
func putBuffer(b []byte) {
	poolOfBuffers.Put(b[:0]) // want pool-pointer
}

var poolOfPairs sync.Pool

// An array is no slice.
func putPair(a, b int) {
	poolOfPairs.Put([32]int{a, b}) // no pool-pointer
}

// A pointer fits an interface as it is, and what allocates is the user.
func fillPointers(b *bag, users []user) {
	for _, u := range users {
		b.add(&user{u.name, u.id}) // no boxing
	}
}

// What takes any number of any is a logger.
func logf(format string, args ...any) { sink = args }

func report(users []user) {
	for _, u := range users {
		logf("user %d", u.id) // no boxing
	}
}

// It is what reflection is for.
func same(users []user) bool {
	return reflect.DeepEqual(user{"x", len(users)}, users[0]) // no boxing
}

// strconv does not know the format.
func table(name string, share float64) string {
	return fmt.Sprintf("%-20s %6.2f", name, share) // no plain-format
}

// Errors are rare, and should be clear.
func check(id int) error {
	return errors.New(fmt.Sprintf("no user %d", id)) // no plain-format
}

func even(text string) int {
	fields := strings.Fields(text)
	var kept []string
	for _, f := range fields {
		if len(f)%2 == 0 {
			kept = append(kept, f) // want reuse-in-place
		}
	}
	return len(strings.Join(kept, " "))
}

// The fields are used again.
func evenAndAll(text string) int {
	fields := strings.Fields(text)
	var kept []string
	for _, f := range fields {
		if len(f)%2 == 0 {
			kept = append(kept, f) // no reuse-in-place
		}
	}
	return len(strings.Join(kept, " ")) + len(fields[0])
}

// Somebody else has the fields, too.
func evenOfShared(text string) int {
	fields := strings.Fields(text)
	shared := fields
	var kept []string
	for _, f := range fields {
		if len(f)%2 == 0 {
			kept = append(kept, f) // no reuse-in-place
		}
	}
	return len(strings.Join(kept, " ")) + len(shared[0])
}

// An element has a pointer to it.
func evenOfPointed(text string) int {
	fields := strings.Fields(text)
	first := &fields[0]
	var kept []string
	for _, f := range fields {
		if len(f)%2 == 0 {
			kept = append(kept, f) // no reuse-in-place
		}
	}
	return len(strings.Join(kept, " ")) + len(*first)
}

// The caller has the users too.
func active(users []user) []user {
	var kept []user
	for _, u := range users {
		if u.id%2 == 0 {
			kept = append(kept, u) // no reuse-in-place
		}
	}
	return kept
}

func sumOfEven(in []int) int {
	evens := make([]int, 0, len(in)) // want lazy-pipeline
	for _, v := range in {
		if v%2 == 0 {
			evens = append(evens, v)
		}
	}
	total := 0
	for _, v := range evens {
		total += v
	}
	return total
}

func doubled(in []int) []int {
	out := make([]int, 0, len(in)) // want lazy-pipeline
	for _, v := range in {
		out = append(out, 2*v)
	}
	return out
}

func sumOfDoubled(in []int) int {
	total := 0
	for _, v := range doubled(in) {
		total += v
	}
	return total
}

// The values have to be there all at once.
func median(in []int) int {
	all := make([]int, 0, len(in)) // no lazy-pipeline
	for _, v := range in {
		all = append(all, v+1)
	}
	slices.Sort(all)
	total := 0
	for _, v := range all {
		total += v
	}
	return total + all[len(all)/2]
}

// What is done in between may have to be.
func locked(mu *sync.Mutex, in []int) int {
	mu.Lock()
	all := make([]int, 0, len(in)) // no lazy-pipeline
	for _, v := range in {
		all = append(all, v+1)
	}
	mu.Unlock()
	total := 0
	for _, v := range all {
		total += v
	}
	return total
}

// It is gone over later.
func later(in []int) func() int {
	all := make([]int, 0, len(in)) // no lazy-pipeline
	for _, v := range in {
		all = append(all, v+1)
	}
	return func() int {
		total := 0
		for _, v := range all {
			total += v
		}
		return total
	}
}

// It is gone over for each of many.
func products(in []int) int {
	all := make([]int, 0, len(in)) // no lazy-pipeline
	for _, v := range in {
		all = append(all, v+1)
	}
	total := 0
	for _, v := range in {
		for _, w := range all {
			total += v * w
		}
	}
	return total
}

// It is gone over twice.
func variance(in []int) int {
	all := make([]int, 0, len(in)) // no lazy-pipeline
	for _, v := range in {
		all = append(all, v*v)
	}
	mean := 0
	for _, v := range all {
		mean += v
	}
	mean /= len(in)
	total := 0
	for _, v := range all {
		total += (v - mean) * (v - mean)
	}
	return total
}

func encode(u user) []byte {
	b := make([]byte, 0, 40+len(u.name)) // want caller-buffer
	b = append(b, u.name...)
	return strconv.AppendInt(b, int64(u.id), 10)
}

func send(w io.Writer, users []user) {
	for _, u := range users {
		w.Write(encode(u))
	}
}

func encodeKept(u user) []byte {
	b := make([]byte, 0, 40+len(u.name)) // no caller-buffer
	return append(b, u.name...)
}

// The caller keeps what it gets.
func collect(all map[string][]byte, users []user) {
	for _, u := range users {
		all[u.name] = encodeKept(u)
	}
}

func write(w io.Writer, n int) {
	var buf bytes.Buffer
	for range n {
		buf.WriteString("some words for the buffer ") // want typed-pool
	}
	w.Write(buf.Bytes())
}

func body(buf *bytes.Buffer, n int) {
	for range n {
		buf.WriteString("some more words") // want typed-pool
	}
}

func writeBody(w io.Writer, n int) {
	var buf bytes.Buffer
	body(&buf, n)
	w.Write(buf.Bytes())
}

func copyAll(w io.Writer, r io.Reader) {
	chunk := make([]byte, 8<<10) // want typed-pool
	for {
		n, err := r.Read(chunk)
		w.Write(chunk[:n])
		if err != nil {
			return
		}
	}
}

func lines(w io.Writer, all []string) {
	out := bufio.NewWriter(w) // want typed-pool
	for _, s := range all {
		out.WriteString(s)
	}
	out.Flush()
}

// The bytes are returned, and pooled ones would change.
func rendered(n int) []byte {
	var buf bytes.Buffer
	for range n {
		buf.WriteString("some words that are returned") // no typed-pool
	}
	return buf.Bytes()
}

// It is stored.
func (c *cache) remember(name string) {
	chunk := make([]byte, 8<<10) // no typed-pool
	c.byName[name] = chunk
}

type holder struct{ chunk []byte }

func hold(chunk []byte) *holder { return &holder{chunk} }

// What is returned has it.
func held() *holder {
	chunk := make([]byte, 8<<10) // no typed-pool
	return hold(chunk)
}

func first(chunk []byte) []byte { return chunk[:1] }

// A part of it is returned by a function that is given it.
func part() []byte {
	chunk := make([]byte, 8<<10) // no typed-pool
	return first(chunk)
}

type scratch struct {
	bytes []byte
	room  [512]byte
}

func (s *scratch) add(b byte)     { s.bytes = append(s.bytes, b) }
func (s *scratch) result() []byte { return s.bytes }

// A slice that it has is returned, and is not used again with it.
func scratched(w io.Writer) []byte {
	s := &scratch{} // want typed-pool
	s.add('x')
	w.Write(s.room[:])
	return s.result()
}

// They are looked at.
func looked(w io.Writer) int {
	s := &scratch{} // want typed-pool
	s.add('x')
	w.Write(s.room[:])
	return len(s.result())
}

// Somebody keeps the first of its results.
func encoded(u user) ([]byte, error) {
	b := make([]byte, 0, 300) // no caller-buffer
	return append(b, u.name...), nil
}

func keepEncoded(u user) {
	b, _ := encoded(u)
	encodings = append(encodings[:0], b)
}

var encodings [][]byte

// What append gets is no object of its own.
func appended(users []user) []user {
	var all []user
	for i, u := range users {
		all = append(all, user{u.name, i}) // no typed-pool
	}
	return all
}

// It is small: a pool costs as much.
func small(w io.Writer) {
	chunk := make([]byte, 16) // no typed-pool
	w.Write(chunk)
}

type node struct {
	name     string
	children []*node
}

func tree(depth int) *node {
	n := &node{} // no arena
	if depth > 0 {
		for range 3 {
			n.children = append(n.children, tree(depth-1)) // no arena
		}
	}
	return n
}

type element struct {
	next *element
	v    int
}

func list(n int) (first *element) {
	for i := range n {
		first = &element{first, i} // no arena
	}
	return first
}

// There are three of them each time.
func few() (first *element) {
	for i := range 3 {
		first = &element{first, i} // no arena
	}
	return first
}

func named(words [][]byte) *node {
	root := new(node)
	for _, w := range words {
		c := new(node)       // no arena
		c.name = copyText(w) //
		root.children = append(root.children, c)
	}
	return root
}

func copyText(b []byte) string {
	return string(b) // no arena
}

// The nodes are values, and hang on nothing.
func values(n int) []element {
	var all []element
	for i := range n {
		all = append(all, element{v: i}) // no arena
	}
	return all
}

// They are there already.
func gather(n *node) []*node {
	var all []*node
	for _, c := range n.children {
		all = append(all, c) // no arena
	}
	return all
}

// One object, no loop.
func leaf(name string) *node {
	return &node{name: name} // no arena
}

type flat struct {
	name string
	id   int
}

// The objects do not hang together.
func flats(n int) (last *flat) {
	for i := range n {
		last = &flat{"x", i} // no arena
		sink = last
	}
	return last
}

// They stay.
func keepTree(n int) {
	for i := range n {
		kept = &element{kept, i} // no arena
	}
}

func decode(data []byte) (*structpb.Struct, error) {
	var s structpb.Struct
	err := proto.Unmarshal(data, &s) // want protobuf-arena
	return &s, err
}

// What it decodes into, only those who call it know.
func decodeAny(data []byte, m proto.Message) error {
	return proto.Unmarshal(data, m) // no protobuf-arena
}

// There is no decoder of this format for arenas.
func decodeText(data []byte) (*structpb.Struct, error) {
	var s structpb.Struct
	err := protojson.Unmarshal(data, &s) // no protobuf-arena
	return &s, err
}

var (
	sink any
	kept *element
)
