package programs

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"text/template"
	"time"
)

type level int

func (l level) String() string { return [...]string{"low", "high"}[l&1] }

type hexadecimal int

func (h hexadecimal) Format(f fmt.State, verb rune) { io.WriteString(f, "0x") }

func label(name string, l level, share float64) string {
	return fmt.Sprintf("%s is %v at %.2f%%", name, l, share) // want plain-format
}

func numbered(name string, id uint16, f float32) string {
	text := fmt.Sprint(name, id, f) // want plain-format
	return text[1:]
}

func pairs(buf *bytes.Buffer, names []string) {
	buf.Reset()
	for i, name := range names {
		fmt.Fprintf(buf, "%s=%d;", name, i+1000) // want plain-format
	}
}

func lined(names []string) string {
	var b strings.Builder
	b.Grow(10000)
	for i, name := range names {
		fmt.Fprintln(&b, name, i) // want plain-format
	}
	return b.String()
}

// Its own method formats it.
func addressed(h hexadecimal) string {
	return fmt.Sprintf("at %d", h) // no plain-format
}

// Who writes it is not known, and has only one call then.
func toWriter(w io.Writer, name string) {
	fmt.Fprintf(w, "%s;", name) // no plain-format
}

// There are flags and widths.
func aligned(buf *bytes.Buffer, name string) {
	buf.Reset()
	fmt.Fprintf(buf, "%-10s|%05d", name, len(name)+1000) // no plain-format
}

// A pointer may be nil, and fmt says so.
func pointed(t *time.Time) string {
	return fmt.Sprintf("at %v", t) // no plain-format
}

// What is allocated are the words.
func fielded(w *bufio.Writer, text string) {
	fmt.Fprintf(w, "%d;", len(strings.Fields(text))&0x7f) // no plain-format
}

func headerText(b []byte) error {
	if len(b) < 4 {
		return errors.New("short header") // want sentinel-error
	}
	return nil
}

func trailer(b []byte) (n int, err error) {
	const text = "short trailer"
	if len(b) < 4 {
		err = fmt.Errorf(text) // want sentinel-error
		if err == io.EOF {
			return 0, nil
		}
	}
	return n, err
}

func otherTrailer(b []byte) error {
	return errors.New("short trailer") // want sentinel-error
}

// Each one is a mark of its own.
func stopped(walk func(func() error) error) bool {
	stop := errors.New("stop here, please") // no sentinel-error
	sink = stop
	err := walk(func() error { return stop })
	return err == stop
}

// It has an operand.
func unknown(name string) error {
	return fmt.Errorf("no %s", name) // no sentinel-error
}

// The text is not constant.
func textual(name string) error {
	return errors.New(name) // no sentinel-error
}

func slug(s string) string {
	return regexp.MustCompile("[^a-z]+").ReplaceAllString(s, "-") // want compile-once
}

func escaped(names []string) (n int) {
	r := strings.NewReplacer("<", "&lt;", ">", "&gt;", "long", "short") // want compile-once
	for _, name := range names {
		n += len(r.Replace(name)) // want compile-once
	}
	return n
}

func pageText(w io.Writer, name string) error {
	t := template.Must(template.New("page").Parse("hello, {{.}}")) // want compile-once
	return t.Execute(w, name)
}

// The pattern is the caller's.
func matches(pattern, s string) bool {
	return regexp.MustCompile(pattern).MatchString(s) // no compile-once
}

// The replacer depends on the name.
func without(name, s string) string {
	return strings.NewReplacer(name, "").Replace(s) // no compile-once
}

// The template is another each time.
func pageWith(w io.Writer, name string) error {
	t := template.Must(template.New("page").Parse("{{template \"name\"}}")) // no compile-once
	template.Must(t.New("name").Parse(name))
	return t.Execute(w, nil)
}

type patterns struct{ digits *regexp.Regexp }

// It is made with the first use.
func (p *patterns) init() {
	if p.digits == nil {
		p.digits = regexp.MustCompile("[0-9]+") // no compile-once
	}
}

func numbersText(b []byte, ids []int) []byte {
	for _, id := range ids {
		b = append(b, strconv.Itoa(id+1e18)...) // want append-text
		b = append(b, ' ')
	}
	return b
}

func stamped(buf *bytes.Buffer, t time.Time, sum []byte) {
	buf.Reset()
	buf.WriteString(t.Format(time.RFC3339))  // want append-text
	buf.WriteString(hex.EncodeToString(sum)) // want append-text
}

func written(w io.Writer, r any) {
	w.Write([]byte(fmt.Sprintf("%v items", r)))    // want append-text
	io.WriteString(w, fmt.Sprintf("%8v items", r)) // want append-text
}

// With fmt.Fprintf, the buffer would be on the heap instead.
func onStack(name string) int {
	var b strings.Builder
	b.WriteString(fmt.Sprintf("%8s", name)) // no append-text
	return b.Len()
}

// So it would be for a loop.
func onStackInLoop(names []string) int {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(fmt.Sprintf("%8s", name)) // no append-text
	}
	return b.Len()
}

// The string is kept, too.
func stampedAndKept(buf *bytes.Buffer, t time.Time) string {
	buf.Reset()
	s := t.Format(time.RFC3339) // no append-text
	buf.WriteString(s)
	return s
}

// It is one element of strings.
func strung(all []string, id int) []string {
	return append(all[:0], strconv.Itoa(id+1e18)) // no append-text
}

type upper struct{}

func (upper) WriteString(s string) (int, error) { sink = strings.ToUpper(s); return 0, nil }

// Nobody knows what WriteString does.
func toUpper(u io.StringWriter, id int) {
	u.WriteString(strconv.Itoa(id + 1e18)) // no append-text
}

func longestText(text string) (most int) {
	for _, field := range strings.Fields(text) { // want split-seq
		most = max(most, len(field))
	}
	lines := strings.Split(text, " ") // want split-seq
	for _, line := range lines {
		most = max(most, len(line))
	}
	return most + len(strings.Split(text, ".")) // want cut
}

func keyed(text string) (string, int) {
	kv := strings.SplitN(text, "=", 2) // want cut
	if len(kv) != 2 {
		return kv[0], 0
	}
	return kv[1], len(kv[0])
}

func host(address string) string {
	name := strings.Split(address, ":")[0] // want cut
	return name
}

// They are joined again.
func rejoined(text string) string {
	fields := strings.Fields(text) // no split-seq
	for _, f := range fields {
		sink = len(f)
	}
	return strings.Join(fields, " ")
}

// It would panic without a second part.
func second(text string) string {
	kv := strings.SplitN(text, "=", 2) // no cut
	return kv[1]
}

// The loop changes what it goes over.
func blanked(text []byte) {
	for _, field := range bytes.Split(text, []byte(" ")) { // no split-seq
		text[len(text)-1] = field[0]
	}
}

// The loop runs often.
func often(text string) (n int) {
	parts := strings.Split(text, " ") // no split-seq
	for range 2 {
		for _, p := range parts {
			n += len(p)
		}
	}
	return n
}

func emitted(w *bufio.Writer, b []byte, s string) {
	w.WriteString(string(b)) // want text-conversion
	w.Write([]byte(s))       // want text-conversion
}

func mentioned(b []byte) bool {
	return strings.Contains(string(b), "nothing of the kind") // want text-conversion
}

func decoded(s string) (x any, err error) {
	err = json.NewDecoder(bytes.NewReader([]byte(s))).Decode(&x) // want text-conversion
	return x, err
}

// io.WriteString asks the writer whether it takes strings.
func toAny(w io.Writer, s string) {
	w.Write([]byte(s)) // want text-conversion
}

// The result has parts of the string.
func fieldsOf(b []byte) []string {
	return strings.Fields(string(b)) // no text-conversion
}

// It is read twice.
func readTwice(w *bufio.Writer, b []byte) string {
	s := string(b) // no text-conversion
	w.WriteString(s)
	return s
}

type byName []user

func (b byName) Len() int           { return len(b) }
func (b byName) Less(i, j int) bool { return b[i].name < b[j].name }
func (b byName) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

func sorted(users []user, words []string) {
	sort.Slice(users, func(i, j int) bool { return users[i].id < users[j].id })           // want sort-func
	sort.SliceStable(users, func(i, j int) bool { return users[j].name < users[i].name }) // want sort-func
	sort.Sort(byName(users))                                                              // want sort-func
	sort.Slice(words, func(i, j int) bool { return words[i] < words[j] })                 // want sort-func
}

// What is compared is in another slice.
func sortedBy(users []user, ranks []int) {
	sort.Slice(users, func(i, j int) bool { return ranks[i] < ranks[j] }) // no sort-func
}

type counted struct {
	byName
	swaps int
}

func (c *counted) Swap(i, j int) { c.swaps++; c.byName.Swap(i, j) }

// It is no slice.
func sortedCounting(users []user) int {
	c := counted{byName(users), 0} // no sort-func
	sort.Sort(&c)
	return c.swaps
}

type large [200]byte

// The elements are large.
func sortedLarge(all []large) {
	sort.Slice(all, func(i, j int) bool { return all[i][0] < all[j][0] }) // no sort-func
}

// The separator may be empty, and then each character is a part.
func firstOf2(text, separator string) string {
	return strings.Split(text, separator)[0] // no cut
}

// The third part is used.
func third(text string) string {
	parts := strings.Split(text, " ") // no cut
	return parts[0] + parts[2]
}

func isWidth(s string) bool {
	return strings.ToLower(s) == "width" // no equal-fold
}

func isHeight(s string) bool {
	return strings.ToUpper(s) != "HEGHT" && // want equal-fold
		"a long heap" != strings.ToLower(s) // want equal-fold
}

// The other side is not constant: some letters fold to others than their own.
func sameName(s, t string) bool {
	return strings.ToLower(s) == t // no equal-fold
}

// What is lower is used.
func lowered(s string) (string, bool) {
	s = strings.ToLower(s) // no equal-fold
	return s, s == "long"
}

var _ = slices.Sort[[]int]
