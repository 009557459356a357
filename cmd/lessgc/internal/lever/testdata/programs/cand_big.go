package programs

import (
	"bytes"
	"errors"
	"hash/crc32"
	"image"
	"io"
	"strings"
	"sync"
)

// bigLabel has a name and a value.
type bigLabel struct{ name, value string }

func bigMarshal(labels []bigLabel) string {
	size := 0
	for _, l := range labels {
		size += 2 + len(l.name) + len(l.value)
	}
	out := make([]byte, 0, size) // want stack-buffer
	for i := range labels {
		out = append(out, byte(len(labels[i].name)))
		out = append(out, labels[i].name...)
		out = append(out, byte(len(labels[i].value)))
		out = append(out, labels[i].value...)
	}
	return string(out)
}

func bigJoin(all []bigLabel, part string) string {
	var names []string
	for _, l := range all {
		if l.name != part {
			names = append(names, l.value) // want stack-buffer
		}
	}
	return strings.Join(names, part)
}

// The slice is the result.
func bigNames(all []bigLabel, part string) (names []string) {
	for _, l := range all {
		if l.name != part {
			names = append(names, l.value) // no stack-buffer
		}
	}
	return names
}

var bigKept []byte

func bigKeep(n int) {
	b := make([]byte, n) // no stack-buffer
	b[0] = 1
	bigKept = b
}

// What a writer does with it is not known to the compiler.
func bigWrite(w io.Writer, n int) {
	b := make([]byte, n) // no stack-buffer
	b[0] = 1
	w.Write(b)
}

// It is too large for the stack.
func bigLarge(n int) (sum int) {
	b := make([]int, 1000*n) // no stack-buffer
	for i := range b {
		b[i] = i
		sum += b[len(b)-1-i]
	}
	return sum
}

// bigRecord is an answer.
type bigRecord struct {
	name string
	next *bigRecord
}

type bigZone struct {
	host, text *bigRecord
	last       []*bigRecord
	sent       chan []*bigRecord
}

//go:noinline
func (z *bigZone) hosts(n int) []*bigRecord {
	return []*bigRecord{z.host, z.text} // want append-form
}

func (z *bigZone) texts(n int) []*bigRecord {
	all := make([]*bigRecord, 0, n) // want append-form
	for range n {
		all = append(all, z.text)
	}
	return all
}

//go:noinline
func (z *bigZone) stored() []*bigRecord {
	return []*bigRecord{z.host, z.text} // no append-form
}

//go:noinline
func (z *bigZone) returned() []*bigRecord {
	return []*bigRecord{z.host, z.text} // no append-form
}

//go:noinline
func (z *bigZone) sending() []*bigRecord {
	return []*bigRecord{z.host, z.text} // no append-form
}

//go:noinline
func (z *bigZone) counted() []*bigRecord {
	return []*bigRecord{z.host, z.text} // no append-form
}

func (z *bigZone) answer(n int) (all, more []*bigRecord) {
	all, more = z.hosts(n), z.texts(n)
	for range n {
		all = append(all, z.hosts(n)...)
		more = append(more, z.texts(n)...)
	}
	z.last = z.stored()
	z.sent <- z.sending()
	<-z.sent
	if len(z.counted()) != n {
		bigAll = z.returned()
	}
	return all, more
}

func bigAnswers(n int) int {
	r := &bigRecord{name: "name"}
	z := &bigZone{host: r, text: r, sent: make(chan []*bigRecord, 1)}
	all, more := z.answer(n)
	bigShow(all, more)
	return len(all) + len(z.last)
}

var bigShow = func(all, more []*bigRecord) { bigAll, bigMore = all, more }

var bigAll, bigMore []*bigRecord

// bigDiff is a part of a text.
type bigDiff struct {
	kind int
	text string
}

func bigMerge(diffs []bigDiff) (out []string) {
	text := []rune(nil)
	for i := range diffs {
		if diffs[i].kind == 0 {
			out = append(out, string(text))
			text = nil
			continue
		}
		for _, r := range diffs[i].text {
			text = append(text, r) // want begin-again
		}
	}
	return out
}

func bigCounts(diffs []bigDiff) (sum int) {
	for i := range diffs {
		var seen []int
		for at, r := range diffs[i].text {
			if r != 'e' {
				seen = append(seen, at) // want reuse-in-place
			}
		}
		sum += seen[len(seen)/2] * len(seen)
	}
	return sum
}

// Each is kept.
func bigGroups(diffs []bigDiff) (out [][]rune) {
	var text []rune
	for i := range diffs {
		if diffs[i].kind == 0 {
			out = append(out, text)
			text = nil
			continue
		}
		for _, r := range diffs[i].text {
			text = append(text, r) // no begin-again
		}
	}
	return out
}

// It is cut to length 0 already.
func bigCut(diffs []bigDiff) (sum int) {
	var text []rune
	for i := range diffs {
		text = text[:0]
		for _, r := range diffs[i].text {
			text = append(text, r) // no begin-again
		}
		sum += len(text)
	}
	return sum
}

// It does not begin again.
func bigOnce(diffs []bigDiff) (sum int) {
	var text []rune
	for i := range diffs {
		for _, r := range diffs[i].text {
			text = append(text, r) // no begin-again
		}
	}
	for _, r := range text {
		sum += int(r)
	}
	return sum
}

var bigCallback = func(all []string) { bigStrings = all }

var bigStrings []string

// What is called may keep it.
func bigCalled(diffs []bigDiff) {
	for i := range diffs {
		var all []string
		for range len(diffs[i].text) {
			all = append(all, diffs[i].text) // no begin-again
		}
		bigCallback(all)
	}
}

func bigHeader(fields []bigLabel) map[string][]string {
	m := make(map[string][]string, len(fields))
	for _, f := range fields {
		m[f.name] = append(m[f.name], f.value) // want one-value
	}
	return m
}

// bigForm has values by key.
type bigForm struct{ values map[string][]*bigLabel }

func (f *bigForm) add(l *bigLabel) {
	f.values[l.name] = append(f.values[l.name], l) // want one-value
}

func bigForms(fields []bigLabel) *bigForm {
	f := &bigForm{map[string][]*bigLabel{}}
	for i := range fields {
		f.add(&fields[i])
	}
	return f
}

func bigLasts(fields []bigLabel) map[string]string {
	m := map[string]string{}
	for _, f := range fields {
		m[f.name] = f.value // no one-value
	}
	return m
}

// The slices are of another map.
func bigOther(fields []bigLabel, other map[string][]string) map[string][]string {
	m := map[string][]string{}
	for _, f := range fields {
		m[f.name] = append(other[f.value], f.value) // no one-value
	}
	return m
}

// There is only one.
func bigSingle(f bigLabel) map[string][]string {
	m := map[string][]string{}
	m[f.name] = append(m[f.name], f.value) // no one-value
	return m
}

func bigLiterals(fields []bigLabel) map[string][]string {
	m := map[string][]string{}
	for _, f := range fields {
		m[f.name] = []string{f.value} // want one-value
	}
	return m
}

// bigFile is a reader, and no more.
type bigFile struct{ r *strings.Reader }

func (f *bigFile) Read(b []byte) (int, error) { return f.r.Read(b) }

func bigSum(s string) uint32 {
	h := crc32.NewIEEE()
	r := &bigFile{strings.NewReader(s)}
	io.Copy(h, r) // want costly-call
	return h.Sum32()
}

func bigSumN(s string) uint32 {
	h := crc32.NewIEEE()
	r := &bigFile{strings.NewReader(s)}
	io.CopyN(h, r, 1100) // want costly-call
	return h.Sum32()
}

func bigToBuffer(s string, b *bytes.Buffer) int {
	r := &bigFile{strings.NewReader(s)}
	io.Copy(b, r) // no costly-call
	return b.Len()
}

func bigToDiscard(s string) {
	r := &bigFile{strings.NewReader(s)}
	io.Copy(io.Discard, r) // no costly-call
}

var bigReader io.Reader

func bigFromText(s string) uint32 {
	h := crc32.NewIEEE()
	bigReader = strings.NewReader(s)
	io.Copy(h, io.MultiReader(strings.NewReader(s), bigReader)) // no costly-call
	return h.Sum32()
}

func bigOwnBuffer(s string, n int) uint32 {
	h := crc32.NewIEEE()
	io.CopyBuffer(h, &bigFile{strings.NewReader(s)}, make([]byte, n)) // no costly-call
	return h.Sum32()
}

var bigSeen *bigRecord

var errBig = errors.New("no match")

func bigSequence(text string, all []byte) ([]any, bool) {
	values := make([]any, 0, len(all)) // want late-make
	for i, c := range all {
		if text[i] != c {
			return nil, false
		}
		values = append(values, text)
	}
	return values, true
}

func bigParse(text string) (*bigRecord, error) {
	r := &bigRecord{name: text} // want late-make
	if len(text) > 3 {
		return nil, errBig
	}
	return r, nil
}

// It fails seldom.
func bigSeldom(text string) (*bigRecord, error) {
	r := &bigRecord{name: text} // no late-make
	if len(text) > 300 {
		return nil, errBig
	}
	return r, nil
}

// Somebody has it before it fails.
func bigShown(text string) (*bigRecord, error) {
	r := &bigRecord{name: text} // no late-make
	bigSeen = r
	if len(text) > 3 {
		return nil, errBig
	}
	return r, nil
}

// It is not what is returned.
func bigUnused(text string) (int, error) {
	values := make([]any, len(text), 2*len(text)) // no late-make
	if len(text) > 3 {
		return 0, errBig
	}
	values[0] = text
	return len(values), nil
}

func bigAlways(text string, all []byte) ([]any, bool) {
	values := make([]any, 0, len(all)) // no late-make
	for range all {
		values = append(values, text)
	}
	return values, len(text) > len(all)
}

func bigParallel(n int, do func(int)) {
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			do(i * n)
		}()
	}
	wg.Wait()
}

// bigWeights is used by goroutines that are waited for.
func bigWeights(n int) []int {
	weights := make([]int, n) // want scratch
	for i := range weights {
		weights[i] = 2 * i
	}
	return weights
}

func bigScale(n int) int {
	var sums [2]int
	weights := bigWeights(n)
	bigParallel(1, func(x int) {
		for _, w := range weights {
			sums[x] += w
		}
	})
	return sums[0] + sums[1]
}

func bigBeside(n int, do func(int), done chan int) {
	go func() {
		do(n)
		done <- n
	}()
}

// Nobody waits in the function that starts it.
func bigAside(n int, done chan int) {
	weights := make([]int, n) // no scratch
	bigBeside(1, func(x int) { weights[x]++ }, done)
}

func bigHorizontal(src image.Image) *image.Gray {
	dst := image.NewGray(src.Bounds()) // want scratch
	bigPasses(src, dst)
	return dst
}

func bigVertical(src image.Image) *image.Gray {
	dst := image.NewGray(src.Bounds()) // no scratch
	bigPasses(src, dst)
	return dst
}

func bigPasses(src image.Image, dst *image.Gray) {
	for i := range dst.Pix {
		r, _, _, _ := src.At(i%dst.Stride, i/dst.Stride).RGBA()
		dst.Pix[i] = byte(r / 2)
	}
}

// BigBlur returns an image that the caller keeps.
func BigBlur(src image.Image) *image.Gray { return bigVertical(bigHorizontal(src)) }

// bigInput reads more when it is needed.
type bigInput struct {
	r    io.Reader
	buf  []byte
	from int
	all  []byte
}

func (in *bigInput) more(n int) {
	buf := make([]byte, len(in.buf)-in.from, 2*n+len(in.buf)) // want slide-queue
	copy(buf, in.buf[in.from:])
	in.buf, in.from = buf, 0
}

func (in *bigInput) grow(n int) {
	all := make([]byte, len(in.all), 2*n+len(in.all)) // no slide-queue
	copy(all, in.all)
	in.all = all
}

func bigRead(n int) *bigInput {
	in := &bigInput{buf: make([]byte, 100), all: make([]byte, 100)}
	in.from = 30
	in.more(n)
	in.grow(n)
	return in
}
