package programs

import (
	"strings"
	"sync"
)

// repeatMessage has a header that several steps need.
type repeatMessage struct {
	header  string
	notes   []string
	parts   []*repeatMessage
	width   int
	counter int
}

func repeatHandle(m *repeatMessage) int {
	return repeatSetUp(m) + repeatDetect(m)
}

func repeatSetUp(m *repeatMessage) int {
	m.width++ // of no concern to what is parsed
	fields, err := repeatParse(m.header)
	if err != nil {
		return 0
	}
	return len(fields)
}

func repeatDetect(m *repeatMessage) int {
	fields, err := repeatParse(m.header)
	if err != nil {
		return 0
	}
	return len(fields["type"])
}

func repeatParse(header string) (map[string]string, error) {
	all := map[string]string{}
	for field := range strings.SplitSeq(header, ";") {
		name, value, _ := strings.Cut(field, "=")
		all[strings.ToUpper(name)] = value // want repeated-call
	}
	return all, nil
}

// repeatLoop asks for the same in each iteration.
func repeatLoop(lines []string, pattern string) (n int) {
	for _, line := range lines {
		for _, word := range repeatWords(pattern) {
			if strings.Contains(line, word) {
				n++
			}
		}
	}
	return n
}

func repeatWords(pattern string) []string {
	return strings.Split(strings.ToUpper(pattern), ",") // want repeated-call
}

// repeatField has a name that is quoted anew for each record.
type repeatField struct{ name string }

type repeatCodec struct{ first, second repeatField }

func (c *repeatCodec) encode(to []byte) []byte {
	to = append(to, c.first.quoted()...)
	return append(to, c.second.quoted()...)
}

func (f *repeatField) quoted() string {
	name := strings.ReplaceAll(f.name, "_", "-")
	return "\"" + name + "\"" // want repeated-call
}

// repeatEach has another argument in each iteration.
func repeatEach(lines []string) (n int) {
	for _, line := range lines {
		n += len(repeatSplit(line))
	}
	return n
}

func repeatSplit(line string) []string {
	return strings.Split(strings.ToUpper(line), ",") // no repeated-call
}

// repeatData is given data that happens to be the same.
func repeatData(lines []string) (n int) {
	for _, line := range lines {
		n += len(repeatUpper(line))
	}
	return n
}

func repeatUpper(line string) string {
	return strings.Join(strings.Fields(line), "-") // no repeated-call
}

// repeatOwn wants a result of its own each time.
func repeatOwn(header string) int {
	a, b := repeatSet(header), repeatSet(header)
	a["x"], b["y"] = true, true
	return len(a) + len(b)
}

func repeatSet(header string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.SplitSeq(header, ";") {
		all[strings.ToUpper(word)] = true // no repeated-call
	}
	return all
}

// repeatCounted is called twice, and counts that.
func repeatTwice(m *repeatMessage) int {
	return len(m.count()) + len(m.count())
}

func (m *repeatMessage) count() []string {
	m.counter++
	return strings.Split(m.header, ";") // no repeated-call
}

var repeatSeen struct {
	sync.Mutex
	n int
}

// repeatLogged is called twice, and leaves a trace outside.
func repeatLogged(header string) int {
	first := repeatTraced(header)
	second := repeatTraced(header)
	return len(first) + len(second)
}

func repeatTraced(header string) []string {
	repeatSeen.n++
	return strings.Split(header, ";") // no repeated-call
}

// repeatReader is read twice, and is at another place then.
type repeatReader struct {
	text string
	at   int
}

func repeatRead(r *repeatReader) int {
	return len(r.next()) + len(r.next())
}

func (r *repeatReader) next() string {
	word := strings.ToUpper(r.text[r.at : r.at+4]) // no repeated-call
	r.at += 4
	return word
}

// repeatOnce is called once by each operation: what a benchmark repeats says nothing.
func repeatOnce(header string) int { return len(repeatAlone(header)) }

func repeatAlone(header string) []string {
	return strings.Split(strings.ToUpper(header), ";") // no repeated-call
}

// repeatRecords encodes some records by one codec.
func repeatRecords(c *repeatCodec) (n int) {
	var to []byte
	for range 10 {
		to = c.encode(to[:0])
		n += len(to)
	}
	return n
}

// repeatSums happen to be of the same number.
func repeatSums(a, b int) int { return repeatLeft(a) + repeatRight(b) }

func repeatLeft(n int) int { return len(repeatDigits(n)) }

func repeatRight(n int) int { return len(repeatDigits(n)) }

func repeatDigits(n int) []string {
	return strings.Split(strings.Repeat("1,", n), ",") // no repeated-call
}

type repeatRule struct {
	selector string
	parts    []string
}

// The rule of a selector is made for each element, by a function value.
func repeatTimes(n int, do func(int)) {
	for i := range n {
		do(i)
	}
}

func repeatMatch(selectors []string, elements int) (all []*repeatRule) {
	for _, s := range selectors {
		repeatTimes(elements, func(int) {
			all = append(all, repeatNewRule(s))
		})
	}
	return all
}

func repeatNewRule(selector string) *repeatRule {
	return &repeatRule{selector, repeatParts(selector)}
}

func repeatParts(selector string) []string {
	return strings.FieldsFunc(selector, func(r rune) bool { return r == '.' }) // want repeated-work
}

// The class is looked for, for each element, by way of a function value, too.
func repeatClasses(selectors []string, elements int) (n int) {
	for _, s := range selectors {
		repeatTimes(elements, func(int) { n += repeatClass(s) })
	}
	return n
}

func repeatClass(selector string) int {
	return len(strings.ReplaceAll(selector, ".", " and ")) // want repeated-work
}

// Each element has a selector of its own.
func repeatDistinct(selectors []string) (n int) {
	repeatTimes(len(selectors), func(i int) { n += repeatOther(selectors[i]) })
	return n
}

func repeatOther(selector string) int {
	return len(strings.ReplaceAll(selector, ".", " or ")) // no repeated-work
}
