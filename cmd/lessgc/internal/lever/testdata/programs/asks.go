package programs

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"net/netip"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"
)

type askQueue struct {
	events []askEvent
	head   int
	jobs   []askEvent
	log    []askEvent
	log2   []askEvent
	moved  []askEvent
	at     int
}

type askEvent struct {
	kind int
	text string
	more [4]int
}

// What was taken is never dropped.
func (q *askQueue) push(n int) {
	q.events, q.head = nil, 0
	for i := range n {
		q.events = append(q.events, askEvent{kind: i}) // want slide-queue
		if i%2 == 0 {
			e := &q.events[q.head]
			q.head++
			e.text = ""
		}
	}
}

// The front is cut off, and the slice moves on in its memory.
func (q *askQueue) post(n int) {
	q.jobs = nil
	for i := range n {
		q.jobs = append(q.jobs, askEvent{kind: i}) // want slide-queue
		if i%2 == 0 {
			q.jobs = q.jobs[1:]
		}
	}
}

// Nothing is taken from it.
func (q *askQueue) note(n int) {
	q.log = nil
	for i := range n {
		q.log = append(q.log, askEvent{kind: i}) // no slide-queue
	}
}

// It is set back to its begin.
func (q *askQueue) noteAgain(n int) {
	q.log2 = nil
	for i := range n {
		if i%50 == 49 {
			q.log2 = q.log2[1:]
			q.log2 = q.log2[:0]
		}
		q.log2 = append(q.log2, askEvent{kind: i}) // no slide-queue
	}
}

// What waits is copied to the front.
func (q *askQueue) move(n int) {
	q.moved, q.at = nil, 0
	for i := range n {
		if q.at > 8 {
			k := copy(q.moved, q.moved[q.at:])
			q.moved, q.at = q.moved[:k], 0
		}
		q.moved = append(q.moved, askEvent{kind: i}) // no slide-queue
		_ = q.moved[q.at]
		q.at++
	}
}

func askQueues(n int) {
	q := new(askQueue)
	q.push(n)
	q.post(n)
	q.note(n)
	q.noteAgain(n)
	q.move(n)
}

// One type writes and reads: what is read was given whole, and is no queue of what is written.
type askBits struct{ stream []byte }

func askBitReader(b []byte) askBits { return askBits{stream: b} }

func (b *askBits) write(v byte) {
	b.stream = append(b.stream, v) // no slide-queue
}

func (b *askBits) read() byte {
	v := b.stream[0]
	b.stream = b.stream[1:]
	return v
}

//go:noinline
func askWritten(n int) (all []byte) {
	w := new(askBits)
	for i := range n {
		w.write(byte(i))
	}
	sink = w
	return w.stream
}

func askRoundTrip(n int) (sum int) {
	r := askBitReader(askWritten(n))
	for range n {
		sum += int(r.read())
	}
	return sum
}

// A local slice is no queue of an object.
func askLocal(n int) int {
	var all []askEvent
	for i := range n {
		all = append(all, askEvent{kind: i}) // no slide-queue
	}
	return len(all)
}

type askName struct {
	data [40]byte
	n    int
}

func (n *askName) String() string { return string(n.data[:n.n]) } // no compare-text

func (n *askName) full() string { return string(n.data[:n.n]) } // want compare-text

// Both are made only to be compared.
func askEqual(a, b *askName) bool {
	return strings.EqualFold(a.full(), b.full())
}

func askFind(names []string, domain, name string) int {
	for i, x := range names {
		full := x + "." + domain // want compare-text
		if full == name {
			return i
		}
	}
	return -1
}

// A function of the program compares it.
func askSame(a, b string) bool { return len(a) == len(b) && a == b }

func askFindBy(names []string, domain, name string) int {
	for i, x := range names {
		if askSame(x+"."+domain, name) { // want compare-text
			return i
		}
	}
	return -1
}

// It is kept where it is the one.
func askFindName(names []string, domain, name string) string {
	for _, x := range names {
		full := x + "." + domain // no compare-text
		if full == name {
			return full
		}
	}
	return ""
}

// It becomes a part of another text.
func askPath(a *askName) string {
	return "/" + a.String() // no compare-text
}

// A method of an interface gets it.
//
//go:noinline
func askLookup(known interface{ has(string) bool }, a *askName) bool {
	return known.has(string(a.data[:a.n])) // no compare-text
}

type askSet map[string]bool

func (s askSet) has(name string) bool { return s[name] }

type askLogger struct{ on bool }

func (l *askLogger) Debugf(format string, args ...any) {
	if l.on {
		sink = fmt.Sprintf(format, args...)
	}
}

func (l *askLogger) Debug(msg string, args ...any) {
	if l.on {
		sink = args
	}
}

func (l *askLogger) Errorf(format string, args ...any) { sink = args }

func (l *askLogger) DebugInt(msg string, args ...int) {
	if l.on {
		sink = args
	}
}

type askLevels interface {
	Debugf(format string, args ...any)
	Debug(msg string, args ...any)
	Errorf(format string, args ...any)
	DebugInt(msg string, args ...int)
}

func askRead(l askLevels, n int, from string) {
	l.Debugf("read %d bytes from %s", n, from) // want guard-log
	l.Debug("read", "bytes", n)                // want guard-log
	l.Errorf("read %d bytes from %s", n, from) // no guard-log
	l.DebugInt("read", n, n+1)                 // no guard-log
	sink = fmt.Sprintf("%d %s", n, from)       // no guard-log
	traceAll("all", n, from)                   // no guard-log
}

func traceAll(name string, values ...any) { sink = values }

type askField struct {
	Name  string
	value string
}

// The keys of each record are the same.
func askRecords(data []byte) (all []map[string]int) {
	for line := range bytes.Lines(data) {
		m := map[string]int{}
		for word := range bytes.FieldsSeq(line) {
			key := string(word) // want intern-text
			m[key] = len(word)
		}
		all = append(all, m)
	}
	return all
}

func askFields(data []byte) (all []askField) {
	for word := range bytes.FieldsSeq(data) {
		f := askField{}
		f.Name = string(word) // want intern-text
		all = append(all, f)
	}
	return all
}

// Values are many.
func askValues(data []byte) (all []askField) {
	for word := range bytes.FieldsSeq(data) {
		f := askField{}
		f.value = string(word) // no intern-text
		all = append(all, f)
	}
	return all
}

// One in each operation is none too many.
func askOne(data []byte, m map[string]int) {
	m[string(data[:36])] = 1 // no intern-text
}

// The text is long.
func askLong(data []byte, m map[string]int) {
	for i := range 40 {
		m[string(data[i:i+100])] = i // no intern-text
	}
}

// The number is no text.
func askSums(data []byte) map[int][]int {
	m := map[int][]int{}
	for i := range data[:40] {
		m[i] = append(m[i], len(data)) // no intern-text
	}
	return m
}

// What is written needs no string of its own.
func askWrite(w io.Writer, name, value string) {
	io.WriteString(w, name+": "+value+"\r\n") // want write-parts
}

func askWriteBytes(w *bufio.Writer, name, value string) {
	w.WriteString(name + "=" + value) // want write-parts
}

// It is returned, too.
func askWriteKept(w io.Writer, name, value string) string {
	line := name + ": " + value // no write-parts
	io.WriteString(w, line)
	return line
}

// A constant takes no memory; the buffer does.
func askWriteConstant(w *bytes.Buffer, n int) {
	w.Write(make([]byte, n)) // no write-parts
}

// It is a path, not a text that is written.
func askOpen(open func(string) error, dir, name string) error {
	return open(dir + "/" + name + ".json") // no write-parts
}

// It is sent.
func askSend(c chan string, name, value string) {
	c <- name + ": " + value + "\r\n" // no write-parts
}

type askHandler func(int) int

func askMiddleware(add, times int) func(askHandler) askHandler {
	return func(next askHandler) askHandler {
		return func(n int) int { return next(n*times) + add } // want build-once
	}
}

var askChain = []func(askHandler) askHandler{askMiddleware(1, 2), askMiddleware(2, 3)}

func askServe(n int) int {
	h := askHandler(func(n int) int { return n })
	for _, m := range askChain {
		h = m(h)
	}
	return h(n)
}

//go:noinline
func askLess(by string) func(a, b askField) bool {
	return func(a, b askField) bool { return a.Name < b.Name || by == "value" && a.value < b.value } // want build-once
}

//go:noinline
func askSorted(fields []askField, by string) bool {
	less := askLess(by)
	return sort.SliceIsSorted(fields, func(i, j int) bool { return less(fields[i], fields[j]) })
}

// An iterator is made for each loop.
//
//go:noinline
func askAll(fields []askField) iter.Seq[string] {
	return func(yield func(string) bool) { // no build-once
		for _, f := range fields {
			if !yield(f.Name) {
				return
			}
		}
	}
}

// It is not returned.
func askEach(fields []askField, visit func(func(askField) bool)) (n int) {
	count := make([]int, len(fields)) // no build-once
	visit(func(f askField) bool { n += len(f.Name); return len(count) > 0 })
	return n
}

// What is returned is no function.
func askBoxed(n int) any {
	return &askField{Name: "x"} // no build-once
}

// It gives something back, and belongs to this call.
//
//go:noinline
func askBorrow(s *askField) (*askField, func()) {
	return s, func() { s.Name = "" } // no build-once
}

// It is stored in the object.
type askObject struct{ on func() int }

func (o *askObject) set(n int) {
	o.on = func() int { return n } // no build-once
}

// It grows with what is read.
func askLines(r *bufio.Scanner) (all []int) {
	for r.Scan() {
		all = append(all, len(r.Bytes())) // want estimate-size
	}
	return all
}

// The reader writes all that it has at once.
func askWhole(r io.Reader) []byte {
	var b bytes.Buffer
	io.Copy(&b, r) // no estimate-size
	return b.Bytes()
}

func askJoin(words iter.Seq[string]) string {
	var b strings.Builder
	for w := range words {
		b.WriteString(w) // want estimate-size
	}
	return b.String()
}

// It has room for all.
func askRoom(r *bufio.Scanner) []int {
	all := make([]int, 0, 1000) // no estimate-size
	for r.Scan() {
		all = append(all, len(r.Bytes()))
	}
	return all
}

// One element needs no room.
func askSingle(s string) []string {
	var all []string
	return append(all, s) // no estimate-size
}

// The array is full.
func askFull(hash *[20]byte, mode byte) []byte {
	return append(hash[:], mode, mode, mode) // no estimate-size
}

// Two parts of a known length are put together.
func askBoth(a, b []int) []int {
	both := append(a[:len(a):len(a)], b...) // no estimate-size
	return both
}

var askWord = regexp.MustCompile("[a-z]+")

func askFirst(s string) string {
	return askWord.String() + s // no costly-call
}

func askIndex(s []byte) []int {
	return askWord.FindIndex(s) // want costly-call
}

type askReader interface{ ReadString(byte) (string, error) }

func askReadAll(r askReader) (n int) {
	for {
		line, err := r.ReadString('\n') // want costly-call
		n += len(line)
		if err != nil {
			return n
		}
		askKept = append(askKept[:0], line)
	}
}

var askKept []string

// Its own memory is most of it.
func askParse(s string) *askField {
	return &askField{Name: s, value: strings.Clone(s)} // no costly-call
}

// A function of the program may split as it likes.
func askSplit(s string) (all []string) {
	for i := range s[:30] {
		all = append(all, s[i:]) // no costly-call
	}
	return all
}

// Fprintf to a file of the test is not what the line allocates.
func askGrow(n int) []byte {
	return bytes.Repeat([]byte("x"), n) // no costly-call
}

// The characters are only looked at.
func askRunes(s string) (n int) {
	runes := []rune(s) // want scan-text
	for i := range runes {
		if runes[i] == 'e' {
			n++
		}
	}
	return n
}

func askLetters(s string) int {
	return askCount([]rune(s)) // want scan-text
}

func askCount(runes []rune) (n int) {
	for _, r := range runes {
		n += int(r)
	}
	return n
}

// They are changed.
func askReverse(s string) string {
	runes := []rune(s) // no scan-text
	for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
		runes[i], runes[j] = runes[j], runes[i]
	}
	return string(runes) // no scan-text
}

// They are kept.
func askKeep(s string) []byte {
	return []byte(s) // no scan-text
}

// They are sent somewhere.
func askHand(w io.Writer, s string) {
	w.Write([]byte(s)) // no scan-text
}

// A goroutine for each.
func askAllAtOnce(fields []askField) (n int) {
	results := make(chan int, len(fields)) // want fewer-goroutines
	for _, f := range fields {
		go func() { results <- len(f.Name) }() // want fewer-goroutines
	}
	for range fields {
		n += <-results
	}
	return n
}

// The slice of the results is no channel.
func askInTurn(fields []askField) []int {
	results := make([]int, 0, len(fields)) // no fewer-goroutines
	for _, f := range fields {
		results = append(results, len(f.Name))
	}
	return results
}

// A function that is not started is none.
func askLater(fields []askField) func() int {
	return func() int { return len(fields) } // no fewer-goroutines
}

var askJobs = make(chan *askField, 1)

// The goroutine is there.
func askSendJob(f askField) {
	askJobs <- &askField{Name: f.Name} // no fewer-goroutines
	sink = <-askJobs
}

// A timer is none.
func askMap(n int) map[int]chan int {
	return make(map[int]chan int, n) // no fewer-goroutines
}

//go:noinline
func askInsert(all []*askField, f *askField) []*askField { return append(all, f) }

// The copy is kept, in place of the element.
func askIndexed(fields []askField) (all []*askField) {
	for i := range fields {
		f := fields[i] // want point-into
		all = askInsert(all, &f)
	}
	return all
}

type askPair struct{ first, second askField }

func askFirsts(pairs []*askPair) (all []*askField) {
	for _, p := range pairs {
		f := p.first // want point-into
		all = askInsert(all, &f)
	}
	return all
}

// The copy is changed.
func askChanged(fields []askField) (all []*askField) {
	for i := range fields {
		f := fields[i] // no point-into
		f.value = "changed"
		all = askInsert(all, &f)
	}
	return all
}

// It is made, and no copy.
func askNew(fields []askField) (all []*askField) {
	for i := range fields {
		f := askField{Name: fields[i].Name} // no point-into
		all = askInsert(all, &f)
	}
	return all
}

//go:noinline
func askMake(i int) askField { return askField{value: fmt.Sprint(i)} }

// A function returns it.
func askResults(n int) (all []*askField) {
	for i := range n {
		f := askMake(i) // no point-into
		all = askInsert(all, &f)
	}
	return all
}

// It is one of two.
func askEither(fields []askField) (all []*askField) {
	for i := range fields {
		f := fields[i] // no point-into
		if i%2 == 0 {
			f = fields[0]
		}
		all = askInsert(all, &f)
	}
	return all
}

// The usual value is a string.
func askValid(v any) bool {
	switch v := v.(type) {
	case string:
		return v != ""
	case int:
		return v > 0
	}
	return false
}

var askLast any

//go:noinline
func askFirstOf(s string) any {
	return s // want typed-form
}

func askEither2(s string) any { return askFirstOf(s) }

func askAllValid(fields []askField) bool {
	for _, f := range fields {
		v := askEither2(f.Name)
		askLast = v
		if !askValid(v) {
			return false
		}
	}
	return len(fields) > 0
}

//go:noinline
func askParsed(s string) any {
	if len(s) > 3 {
		return s // want typed-form
	}
	return nil
}

func askParsedAll(fields []askField) (n int) {
	for _, f := range fields {
		v := askParsed(f.Name)
		if s, ok := v.(string); ok {
			n += len(s)
		}
		askLast = v
	}
	return n
}

// It is kept as it is.
func askAny(fields []askField) (all []any) {
	for _, f := range fields {
		all = append(all, any(f.Name)) // no typed-form
	}
	return all
}

// What is given it keeps it.
func askBox(fields []askField) {
	for _, f := range fields {
		askKeepAny(f.Name) // no typed-form
	}
}

//go:noinline
func askKeepAny(v any) { sink = v }

// An error is an interface anyway.
func askFail(fields []askField) (n int) {
	for _, f := range fields {
		if err := askError(f.Name); err != nil {
			n++
		}
	}
	return n
}

type askFault struct{ text string }

func (e askFault) Error() string { return e.text }

//go:noinline
func askError(s string) error {
	return askFault{s} // no typed-form
}

// A pointer takes no memory; the object does.
func askPointers(fields []askField) bool {
	for range fields {
		v := any(&askField{}) // no typed-form
		askLast = v
		if !askValid(v) {
			return true
		}
	}
	return false
}

// The room is for more than there is.
func askWords(data []byte) (all [][]byte) {
	for line := range bytes.Lines(data) {
		word := askUpper(line[:10])
		all = append(all, word)
		askLast = word
	}
	return all
}

func askUpper(line []byte) []byte {
	out := make([]byte, 0, 256) // want exact-size
	for _, c := range line {
		out = append(out, c&^0x20)
	}
	return out
}

func askIndexes(data []byte) (all [][]int) {
	for range bytes.Lines(data) {
		out := make([]int, 0, 32) // want exact-size
		out = append(out, len(all))
		all = append(all, out)
	}
	return all
}

// It does not leave.
func askSum(data []byte) (n int) {
	for range bytes.Lines(data) {
		out := make([]int, 0, 20000) // no exact-size
		out = append(out, n)
		n += len(out)
	}
	return n
}

// The length is that of what there is.
func askExact(data []byte) (all [][]byte) {
	for line := range bytes.Lines(data) {
		out := make([]byte, 0, len(line)) // no exact-size
		all = append(all, append(out, line...))
	}
	return all
}

// It has all its elements.
func askTable(data []byte) (all [][]int) {
	for range bytes.Lines(data) {
		all = append(all, make([]int, 32)) // no exact-size
	}
	return all
}

// The room is small.
func askSmall(data []byte) (all [][]byte) {
	for line := range bytes.Lines(data) {
		out := make([]byte, 0, 16) // no exact-size
		all = append(all, append(out, line[:8]...))
	}
	return all
}

// What is copied is a copy, perhaps.
func askCopy(data []byte) []byte {
	return append([]byte(nil), data...) // want copy-once
}

func askCopyMade(fields []askField) []askField {
	all := make([]askField, len(fields)) // want copy-once
	copy(all, fields)
	return all
}

func askClone(data []byte) []byte {
	return bytes.Clone(data) // want copy-once
}

// It is no copy of all.
func askTwo(a, b []byte) []byte {
	return append(append([]byte{'"'}, a...), b...) // no copy-once
}

// Something else is copied into it.
func askRepeat(data []byte) []byte {
	all := make([]byte, 2*len(data)) // no copy-once
	copy(all, data)
	copy(all[len(data):], data)
	return all
}

// It stays here.
func askSortedCopy(all []int) int {
	sorted := append([]int(nil), all...) // no copy-once
	sort.Ints(sorted)
	return sorted[0]
}

// It is text.
func askTextCopy(s string) []byte {
	return append([]byte(nil), s...) // no copy-once
}

// The map grows with the loop.
func askGroups(fields []askField) map[string]int {
	all := map[string]int{}
	for i, f := range fields {
		key := fmt.Sprint(i) // no estimate-size
		if f.Name != "" {
			all[key] = i // want estimate-size
		}
	}
	return all
}

// It has its size.
func askGroupsMade(fields []askField) map[string]int {
	all := make(map[string]int, len(fields)) // no estimate-size
	for _, f := range fields {
		all[f.Name]++
	}
	return all
}

// A day of the week does not begin with the month.
func askTimes(texts []string) (n int) {
	for _, s := range texts {
		if _, err := time.Parse(time.RFC3339, s); err != nil { // want dropped-error
			n++
		}
	}
	return n
}

// Only the bytes of the buffer are returned.
//
//go:noinline
func askPrinted(f *askField) []byte {
	var b bytes.Buffer // no return-value
	fmt.Fprint(&b, f.Name, f.value)
	return b.Bytes()
}

func askPrintedAll(fields []askField) (n int) {
	for i := range fields {
		n += len(askPrinted(&fields[i]))
	}
	return n
}

// The tag says the same each time.
func askTags(x any) (all []string) {
	t := reflect.TypeOf(x)
	for i := range t.NumField() {
		all = append(all, strings.Split(t.Field(i).Tag.Get("json"), ",")...) // want costly-call
	}
	return all
}

// The package has a form that appends.
func askDates(times []time.Time, w io.Writer) {
	for _, t := range times {
		text := t.Format(time.RFC1123Z) // want buffer-form
		io.WriteString(w, text)
	}
}

func askAddresses(all []netip.Addr) (n int) {
	for _, a := range all {
		n += len(a.String()) // want buffer-form
	}
	return n
}

// There is no other form.
func askUpperAll(texts []string) (n int) {
	for _, s := range texts {
		n += len(strings.ToUpper(s)) // no buffer-form
	}
	return n
}

// It appends already.
func askAppended(times []time.Time) (n int) {
	for _, t := range times {
		b := t.AppendFormat(nil, time.RFC1123Z) // no buffer-form
		n += len(b)
	}
	return n
}

// It is the program's own.
func askOwnText(fields []askField) (n int) {
	for i := range fields {
		n += len(askText2(&fields[i]))
	}
	return n
}

//go:noinline
func askText2(f *askField) string {
	return f.Name + "=" + f.value + strings.Repeat("-", 40) // no buffer-form
}

// A number is no text.
func askHashes(texts []string) (n uint32) {
	for _, s := range texts {
		h := crc32.New(crc32.IEEETable) // no buffer-form
		io.WriteString(h, s)
		n += h.Sum32()
	}
	return n
}

// Each turn of the loop needs what is there so far.
func askPrefixes(text string, known map[string]bool) (n int) {
	prefix := ""
	for i := 0; i < len(text) && i < 100; i++ {
		prefix += text[i : i+1] // no builder
		if known[prefix] {
			n++
		}
	}
	return n
}

// Each word begins anew.
func askWordsOf(text string) (all []string) {
	word := ""
	for i := range len(text) {
		if text[i] == ' ' {
			all = append(all, word)
			word = ""
			continue
		}
		word += text[i : i+1] // want builder
	}
	return all
}

// What is returned goes around in a loop, and nothing asks for its type.
func askLastOf(fields []askField) (last any) {
	for i := range fields {
		v := askNameOf(&fields[i])
		if last == nil || i%2 == 0 {
			last = v
		}
	}
	return last
}

//go:noinline
func askNameOf(f *askField) any {
	return f.Name // no typed-form
}

func askCloned(all []int) []int {
	return slices.Clone(all) // want copy-once
}
