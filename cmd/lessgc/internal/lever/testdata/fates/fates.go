// Package fates has functions that each make an object first: in those whose name begins with
// leaves it outlives them, in those with stays it does not, and in those with lent it is given to
// code that must not keep it.
package fates

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"os"
	"reflect"
	"sort"
	"strconv"
	"sync"
	"unsafe"
)

type result struct {
	buf  []byte
	n    int
	next *result
}

type sink interface{ take(b []byte) }

var (
	global  []byte
	globals []result
	table   = map[string][]byte{}
	channel = make(chan result, 1)
	hold    []byte
	hook    func([]byte)
	hooks   []func()
)

func leavesReturn() []byte { b := make([]byte, 512); return b }

func leavesStructCopy() result {
	b := make([]byte, 512)
	return result{buf: b}
}

func leavesStructVariable() int {
	b := make([]byte, 512)
	e := result{buf: b}
	channel <- e
	return e.n
}

func leavesSend() {
	b := make([]byte, 512)
	channel <- result{buf: b}
}

func leavesNested() (out struct{ r result }) {
	b := make([]byte, 512)
	out.r = result{buf: b, n: 1}
	return out
}

func leavesArray() [2][]byte {
	b := make([]byte, 512)
	var pair [2][]byte
	pair[1] = b
	return pair
}

func leavesSliceOfSlices() [][]byte {
	b := make([]byte, 512)
	all := make([][]byte, 4)
	all[0] = b
	return all
}

func leavesAppended(all [][]byte) [][]byte {
	b := make([]byte, 512)
	return append(all, b)
}

func leavesAppendedLocal() int {
	b := make([]byte, 512)
	globals = append(globals, result{buf: b})
	return len(globals)
}

func leavesUnsafeString() string {
	b := make([]byte, 512)
	return unsafe.String(&b[0], len(b))
}

func leavesUnsafeStringData() string {
	b := make([]byte, 512)
	return unsafe.String(unsafe.SliceData(b), len(b))
}

func leavesUnsafeCast() string {
	b := make([]byte, 512)
	return *(*string)(unsafe.Pointer(&b))
}

func leavesUnsafeSlice() []byte {
	b := make([]byte, 512)
	return unsafe.Slice(&b[0], 8)
}

func leavesUintptr() uintptr {
	b := make([]byte, 512)
	return uintptr(unsafe.Pointer(&b[0]))
}

func view(b []byte) string { return *(*string)(unsafe.Pointer(&b)) }

func leavesOwnConverter() string {
	b := make([]byte, 512)
	return view(b)
}

func leavesConcat(prefix string) string {
	b := make([]byte, 512)
	return prefix + view(b)
}

func leavesReflection() {
	b := make([]byte, 512)
	reflect.ValueOf(&global).Elem().Set(reflect.ValueOf(b))
}

func (r *result) bytes() []byte { return r.buf }

func leavesMethodValue() func() []byte {
	r := &result{buf: make([]byte, 10)}
	return r.bytes
}

func leavesMethodValueResult() []byte {
	b := make([]byte, 512)
	r := result{buf: b}
	get := r.bytes
	return get()
}

func leavesMethodExpression() []byte {
	b := make([]byte, 512)
	return (*result).bytes(&result{buf: b})
}

func leavesClosure() func() byte {
	b := make([]byte, 512)
	return func() byte { return b[0] }
}

func leavesClosureResult() []byte {
	b := make([]byte, 512)
	get := func() []byte { return b }
	return get()
}

func leavesClosureStore() {
	b := make([]byte, 512)
	func() { global = b }()
}

func leavesCapturedVariable() []byte {
	b := make([]byte, 512)
	var out []byte
	set := func() { out = b }
	set()
	return out
}

func leavesCapturedTwice() []byte {
	b := make([]byte, 512)
	var out []byte
	func() {
		func() { out = b }()
	}()
	get := func() []byte { return out }
	return get()
}

func leavesHooks() {
	b := make([]byte, 512)
	hooks = append(hooks, func() { b[0] = 1 })
}

func leavesGo(wg *sync.WaitGroup) {
	b := make([]byte, 512)
	wg.Go(func() { b[0] = 1 })
}

func leavesGoStatement() {
	b := make([]byte, 512)
	go fmt.Sprint(b)
}

func leavesMap() {
	b := make([]byte, 512)
	table["x"] = b
}

func leavesMapLocal() map[string][]byte {
	b := make([]byte, 512)
	return map[string][]byte{"x": b}
}

func leavesPanic() {
	b := make([]byte, 512)
	panic(b)
}

func leavesParameter(r *result) {
	b := make([]byte, 512)
	r.buf = b
}

func leavesParameterDeep(r *result) {
	b := make([]byte, 512)
	e := result{next: r}
	e.next.buf = b
}

func leavesParameterByCell(r *result) {
	b := make([]byte, 512)
	cell := struct {
		out *result
		in  []byte
	}{r, b}
	cell.out.buf = cell.in
}

func set(r *result, b []byte) { r.buf = b }

func leavesBySetter(r *result) {
	b := make([]byte, 512)
	set(r, b)
}

func leavesBySetterAfterOwn(r *result) {
	b := make([]byte, 512)
	var own result
	set(&own, b)
	set(r, b)
}

func leavesInterface(s sink) {
	b := make([]byte, 512)
	s.take(b)
}

func leavesAny() any {
	b := make([]byte, 512)
	return b
}

func leavesError() error {
	b := make([]byte, 512)
	return &bad{b}
}

type bad struct{ text []byte }

func (b *bad) Error() string { return string(b.text) }

func leavesRecursive(n int) []byte {
	b := make([]byte, 512)
	if n > 0 {
		return leavesRecursive(n - 1)
	}
	return b
}

func descend(b []byte, n int) []byte {
	if n > 0 {
		c := descend(b, n-1)
		return c
	}
	return b
}

func leavesByRecursion() []byte {
	b := make([]byte, 512)
	return descend(b, 3)
}

func leavesSum(h hash.Hash) []byte {
	b := make([]byte, 512)
	return h.Sum(b[:0])
}

func leavesPeek(r io.Reader) []byte {
	in := &bufio.Reader{}
	in.Reset(r)
	line, _ := in.ReadSlice('\n')
	return line
}

func leavesAppendInt() []byte {
	b := make([]byte, 0, 512)
	return strconv.AppendInt(b, 3, 10)
}

func leavesBufferBytes() []byte {
	buf := new(bytes.Buffer)
	buf.WriteString("x")
	return buf.Bytes()
}

func leavesBufferString() io.Reader {
	buf := new(bytes.Buffer)
	return buf
}

func leavesEncoder() *json.Encoder {
	buf := new(bytes.Buffer)
	return json.NewEncoder(buf)
}

type scanner struct {
	buf  []byte
	rest []byte
	cur  *byte
	at   func() byte
}

func (s *scanner) first() { s.cur = &s.buf[0] }

func leavesSelfPointer() *byte {
	s := &scanner{}
	s.buf = s.buf[:0]
	s.first()
	return s.cur
}

func (s *scanner) grow() { s.buf = append(s.buf, 1) }

func leavesOwnSlice() []byte {
	s := &scanner{}
	s.grow()
	return s.buf
}

func leavesOwnSliceOfCopy() []byte {
	s := &scanner{}
	s.grow()
	c := *s
	return c.buf
}

func leavesOwnMethodValue() byte {
	s := &scanner{}
	s.at = func() byte { return s.buf[0] }
	hooks = append(hooks, func() { s.at() })
	return 0
}

func leavesRange() (last []byte) {
	b := make([]byte, 512)
	for _, x := range [][]byte{b} {
		last = x
	}
	return last
}

func leavesSwitch(v bool) any {
	b := make([]byte, 512)
	var x any = b
	if s, ok := x.([]byte); ok && v {
		return s
	}
	return nil
}

func leavesDefer() (out []byte) {
	b := make([]byte, 512)
	defer func() { out = b }()
	return nil
}

func leavesDeferredCall() {
	b := make([]byte, 512)
	defer keep(b)
}

func keep(b []byte) { global = b }

func leavesGeneric() []byte {
	b := make([]byte, 512)
	return same(b)
}

func same[T any](x T) T { return x }

func leavesGenericPair() []byte {
	b := make([]byte, 512)
	return pair[[]byte]{b, nil}.first()
}

type pair[T any] struct{ a, b T }

func (p pair[T]) first() T { return p.a }

func leavesFile() *os.File {
	f := new(os.File)
	return f
}

func leavesDynamicResult(f func([]byte) []byte) []byte {
	b := make([]byte, 512)
	return f(b)
}

func leavesCopyOfHolder(out []result) {
	b := make([]byte, 512)
	in := make([]result, 1)
	in[0].buf = b
	copy(out, in)
}

func staysPlain() int {
	b := make([]byte, 512)
	b[3] = 1
	return len(b)
}

func staysCopied() string {
	b := make([]byte, 512)
	b = append(b, "x"...)
	return string(b)
}

func staysStruct() int {
	b := make([]byte, 512)
	e := result{buf: b, n: 3}
	return e.n + len(e.buf)
}

func length(b []byte) int { return len(b) }

func staysCalled() int {
	b := make([]byte, 512)
	return length(b)
}

func staysCopyOut(out []byte) int {
	b := make([]byte, 512)
	return copy(out, b)
}

func staysBuffer(w *os.File) error {
	buf := new(bytes.Buffer)
	fmt.Fprintf(buf, "%d", 3)
	_, err := w.Write(buf.Bytes())
	return err
}

func staysEncoder(v any) (string, error) {
	buf := new(bytes.Buffer)
	if err := json.NewEncoder(buf).Encode(v); err != nil {
		return "", err
	}
	return string(buf.Bytes()), nil
}

func staysClosure() int {
	b := make([]int, 512)
	sort.Slice(b, func(i, j int) bool { return b[i] < b[j] })
	return b[0]
}

func staysScanner() byte {
	s := &scanner{}
	s.grow()
	s.grow()
	return s.buf[0]
}

func staysDeferred() (n int) {
	b := make([]byte, 512)
	defer func() { n = len(b) }()
	return 0
}

func staysFile(f *os.File) (int, error) {
	b := make([]byte, 512)
	return io.ReadFull(f, b)
}

func staysElements(names []*result) *result {
	all := make([]*result, 0, 64)
	all = append(all, names...)
	return all[0]
}

func staysAppendInt() int {
	b := make([]byte, 0, 512)
	b = strconv.AppendInt(b, 3, 10)
	return len(b)
}

func staysRecursive() int {
	b := make([]byte, 512)
	return len(descend(b, 3))
}

func lentWriter(w io.Writer) error {
	b := make([]byte, 512)
	_, err := w.Write(b)
	return err
}

// Nothing of its type is a value here.
func leavesUnknownFunction(f func([]byte) int) int {
	b := make([]byte, 512)
	return f(b)
}

func leavesHook() {
	b := make([]byte, 512)
	hook(b)
}

func staysKnownFunction(f func([]byte, int) string) int {
	b := make([]byte, 512)
	return len(f(b, 1))
}

var lookers = []func([]byte, int) string{
	func(b []byte, n int) string { return string(b[n:]) },
	textAt,
}

func textAt(b []byte, n int) string { return string(b[:n]) }

// One of those that are values keeps it.
func leavesKeepingFunction(f func([]byte, string)) {
	b := make([]byte, 512)
	f(b, "x")
}

var keepers = map[string]func([]byte, string){
	"look": func(b []byte, s string) { copy(b, s) },
	"keep": func(b []byte, s string) { hold = b },
}

// One of those that are values returns it.
func leavesReturningFunction(f func([]byte, bool) []byte) []byte {
	b := make([]byte, 512)
	return f(b, true)
}

type cutter struct{ n int }

func (c cutter) cut(b []byte, _ bool) []byte { return b[:c.n] }

var cutters = []func([]byte, bool) []byte{cutter{3}.cut}

// Who ranges over it may have a yield from anywhere.
func leavesYield(yield func([]byte) bool) {
	b := make([]byte, 512)
	yield(b)
}

func yields() int {
	n := 0
	for b := range leavesYield {
		n += len(b)
	}
	return n
}

// The function is known by the time of its second call.
func leavesSecondCall() []byte {
	b := make([]byte, 512)
	c := b[1:]
	_ = tail(b)
	return tail(c)
}

func tail(b []byte) []byte { return b[1:] }

// One of those that are values has no source here.
func leavesExternalFunction(f func([]byte) *bytes.Buffer) *bytes.Buffer {
	b := make([]byte, 512)
	return f(b)
}

var wrappers = []func([]byte) *bytes.Buffer{bytes.NewBuffer}

type ring struct {
	next *ring
	text [512]byte
}

func (r *ring) close() { r.next = r }

// It is found again in itself.
func leavesRing() *ring {
	r := new(ring)
	r.close()
	return r.next
}

// Which function is called is not known, but one of them has it.
func leavesClosureValue(own bool) []byte {
	b := make([]byte, 512)
	get := func() []byte { return nil }
	if own {
		get = func() []byte { return b }
	}
	return get()
}

// Text is copied out of a buffer.
func staysText() string {
	b := new(bytes.Buffer)
	b.WriteByte('x')
	return b.String()
}

func staysLine() ([]byte, error) {
	b := bytes.NewBuffer(make([]byte, 0, 512))
	b.WriteByte('x')
	return b.ReadBytes('x')
}

func leavesBytes() []byte {
	b := new(bytes.Buffer)
	b.WriteByte('x')
	return b.Bytes()
}

func staysCloned(text string) []byte {
	b := make([]byte, len(text))
	copy(b, text)
	return bytes.Clone(b)
}
