package programs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
)

// boxValue is a number or a text.
type boxValue struct {
	number int64
	text   string
}

var boxErrKind = errors.New("no such kind")

func boxMust(x any) boxValue {
	v, err := boxNew(x)
	if err != nil {
		panic(fmt.Errorf("no value of %T: %w", x, err))
	}
	return v
}

func boxNew(x any) (boxValue, error) {
	switch x := x.(type) {
	case int64:
		return boxValue{number: x}, nil
	case float64:
		return boxValue{number: int64(x)}, nil
	case string:
		return boxValue{text: x}, nil
	}
	return boxValue{}, boxErrKind
}

// BoxSum makes an interface of each number, for a function that formats it before it panics.
func BoxSum(numbers []int64) (sum int64) {
	for _, n := range numbers {
		sum += boxMust(n).number // want error-escape
	}
	return sum
}

// A BoxError is of a text that is no number.
type BoxError struct{ Text string }

func (e *BoxError) Error() string { return "no number: " + e.Text }

func boxNumber(s string) (int, error) {
	sum := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, &BoxError{Text: s}
		}
		sum = 10*sum + int(s[i]-'0')
	}
	return sum, nil
}

// BoxNumbers makes strings, for a function that stores them in its error.
func BoxNumbers(numbers [][]byte) (sum int) {
	for _, b := range numbers {
		n, err := boxNumber(string(b)) // want error-escape
		if err != nil {
			return -1
		}
		sum += n
	}
	return sum
}

// A boxRange is some of the numbers.
type boxRange struct{ from, to, step int }

func boxCheck(r *boxRange) error {
	if r.from > r.to {
		return boxBad(r, "is the wrong way round")
	}
	if r.step == 0 {
		return fmt.Errorf("%v has no step", r)
	}
	return nil
}

func boxBad(r *boxRange, why string) error { return fmt.Errorf("%v %s", r, why) }

// BoxRanges checks ranges by a function that formats them if they are wrong.
func BoxRanges(n int) (good int) {
	for i := range n {
		r := boxRange{i, 2 * i, 1} // want error-escape
		if boxCheck(&r) == nil {
			good++
		}
	}
	return good
}

var boxLast any

func boxKeeps(x any) error {
	switch x.(type) {
	case int64:
		boxLast = x
		return nil
	}
	return fmt.Errorf("bad type %T", x)
}

// BoxKept is of a function that keeps the value.
func BoxKept(numbers []int64) (bad int) {
	for _, n := range numbers {
		if boxKeeps(n) != nil { // no error-escape
			bad++
		}
	}
	return bad
}

func boxText(x any) (string, error) {
	s := fmt.Sprintf("%v", x)
	if s == "" {
		return "", fmt.Errorf("nothing of %T", x)
	}
	return s, nil
}

// BoxTexts is of a function that formats each value.
func BoxTexts(numbers []int64) (size int) {
	for _, n := range numbers {
		s, _ := boxText(n) // no error-escape
		size += len(s)
	}
	return size
}

func boxFirst(s string) (string, error) {
	if s == "" {
		return "", &BoxError{Text: s}
	}
	return s[:1], nil
}

var boxFirsts []string

// BoxParts is of a function whose result is a part of what it is given.
func BoxParts(texts [][]byte) int {
	boxFirsts = boxFirsts[:0]
	for _, b := range texts {
		first, _ := boxFirst(string(b)) // no error-escape
		boxFirsts = append(boxFirsts, first)
	}
	return len(boxFirsts)
}

func boxWrap(err error) error {
	if err != nil {
		return fmt.Errorf("it failed: %w", err)
	}
	return nil
}

// A boxCode is an error that is a number.
type boxCode struct{ code, of int }

func (c boxCode) Error() string { return strconv.Itoa(c.code) }

// BoxWrapped is of a function whose error has the value in it.
func BoxWrapped(n int) (bad int) {
	for i := range n {
		if boxWrap(boxCode{i, n}) != nil { // no error-escape
			bad++
		}
	}
	return bad
}

func boxUnless(x any) (n int, err error) {
	v, ok := x.(int64)
	if ok {
		return int(v), nil
	}
	text := fmt.Sprint(x)
	n, err = strconv.Atoi(text)
	return n, err
}

// BoxUnless is of a function that formats in a branch which may end well.
func BoxUnless(numbers []int64) (sum int) {
	for _, v := range numbers {
		n, _ := boxUnless(v) // no error-escape
		sum += n
	}
	return sum
}

// A boxOp is a literal or a match.
type boxOp interface{ Len() int }

type boxLit struct{ b byte }

func (boxLit) Len() int { return 1 }

type boxMatch struct{ distance, n int }

func (m boxMatch) Len() int { return m.n }

//go:noinline
func boxNext(i int) (op boxOp, err error) {
	if i%3 == 0 {
		return boxLit{byte(i)}, nil
	}
	if i%3 == 1 {
		op = boxMatch{i, i} // want variant-struct
		return op, nil
	}
	return boxMatch{i, 3}, nil // want variant-struct
}

// BoxOps takes operations apart.
func BoxOps(n int) (size int) {
	for i := range n {
		op, err := boxNext(i)
		if err != nil {
			return -1
		}
		switch op := op.(type) {
		case boxLit:
			size += int(op.b)
		case boxMatch:
			size += op.distance
		}
		size += op.Len()
	}
	return size
}

// A boxShape is an interface that is printed.
type boxShape interface{ Area() int }

type boxSquare struct{ a, b, c int }

func (s boxSquare) Area() int { return s.a * s.b }

//go:noinline
func boxShapeOf(i int) boxShape {
	return boxSquare{i, i, i} // no variant-struct
}

// BoxShapes prints shapes.
func BoxShapes(n int) (size int) {
	for i := range n {
		s := boxShapeOf(i)
		if s.Area() < 0 {
			fmt.Println(s)
		}
		size += s.Area()
	}
	return size
}

// A BoxToken is an interface of a large struct.
type BoxToken interface{ Size() int }

type boxWord struct {
	from, to int
	of       [6]int
}

func (w boxWord) Size() int { return w.to - w.from }

//go:noinline
func boxToken(i int) BoxToken {
	return boxWord{from: i, to: i + 3} // no variant-struct
}

// BoxTokens has tokens.
func BoxTokens(n int) (size int) {
	for i := range n {
		size += boxToken(i).Size()
	}
	return size
}

// A boxTree is an interface whose values have others of it.
type boxTree interface{ Sum() int }

type boxLeaf struct{ n int }

func (l boxLeaf) Sum() int { return l.n }

type boxNode struct{ left, right boxTree }

func (n boxNode) Sum() int { return n.left.Sum() + n.right.Sum() }

//go:noinline
func boxJoin(a, b boxTree) boxTree {
	return boxNode{a, b} // no variant-struct
}

// BoxTrees makes trees.
func BoxTrees(n int) (sum int) {
	for i := range n {
		var t boxTree = boxLeaf{i + 1000} // no variant-struct
		t = boxJoin(t, t)
		sum += t.Sum()
	}
	return sum
}

// A boxState is an interface with pointers in it, too.
type boxState interface{ Next() int }

type boxCount struct{ n, of int }

func (c boxCount) Next() int { return c.n + 1 }

type boxIdle struct{ since int }

func (c *boxIdle) Next() int { c.since++; return 0 }

//go:noinline
func boxStateOf(i int) boxState {
	if i == 0 {
		return &boxIdle{}
	}
	return boxCount{i, i} // no variant-struct
}

// BoxStates has states.
func BoxStates(n int) (sum int) {
	for i := range n {
		sum += boxStateOf(i).Next()
	}
	return sum
}

// A boxEntry is an element of a map.
type boxEntry struct {
	key   string
	value reflect.Value
}

var boxEntries []boxEntry

// BoxMap keeps the elements of a map, of which some are interfaces.
func BoxMap(v reflect.Value) int {
	boxEntries = boxEntries[:0]
	for iter := v.MapRange(); iter.Next(); {
		value := iter.Value() // want library-setting
		if value.Kind() == reflect.Interface && value.IsNil() {
			continue
		}
		boxEntries = append(boxEntries, boxEntry{"", value})
	}
	return len(boxEntries)
}

// BoxNumberMap keeps the elements of a map, each of which is larger than an interface.
func BoxNumberMap(v reflect.Value) int {
	boxEntries = boxEntries[:0]
	for iter := v.MapRange(); iter.Next(); {
		value := iter.Value() // no library-setting
		if value.Kind() == reflect.Interface && value.IsNil() {
			continue
		}
		boxEntries = append(boxEntries, boxEntry{"", value})
	}
	return len(boxEntries)
}

// BoxPlainMap does not look for interfaces.
func BoxPlainMap(v reflect.Value) int {
	boxEntries = boxEntries[:0]
	for iter := v.MapRange(); iter.Next(); {
		value := iter.Value() // no library-setting
		boxEntries = append(boxEntries, boxEntry{"", value})
	}
	return len(boxEntries)
}

// BoxFill fills a slice and sets it.
func BoxFill(v reflect.Value, n int) {
	s := reflect.MakeSlice(v.Type(), n, n) // want library-setting
	for i := range n {
		s.Index(i).SetInt(int64(i))
	}
	v.Set(s)
}

func boxFilled(v reflect.Value, n int) (reflect.Value, error) {
	if n < 0 {
		return reflect.Value{}, boxErrKind
	}
	s := reflect.MakeSlice(v.Type(), n, n) // want library-setting
	for i := range n {
		s.Index(i).SetInt(int64(i))
	}
	return s, nil
}

// BoxFillBy sets what another function has filled.
func BoxFillBy(v reflect.Value, n int) error {
	filled, err := boxFilled(v, n)
	if err == nil {
		v.Set(filled)
	}
	return err
}

func boxSlice(v reflect.Value, n int) reflect.Value {
	s := reflect.MakeSlice(v.Type(), n, n) // no library-setting
	for i := range n {
		s.Index(i).SetInt(int64(i))
	}
	return s
}

// BoxSetAtOnce makes room for elements.
func BoxSetAtOnce(v reflect.Value, t reflect.Type, n int) {
	if v.Cap() < n {
		v.Set(reflect.MakeSlice(t, n, n)) // want library-setting
	}
	v.SetLen(n)
}

// BoxSetAny may be given a Value of an interface.
func BoxSetAny(v reflect.Value, t reflect.Type, n int) {
	v.Set(reflect.MakeSlice(t, n, n)) // no library-setting
}

// BoxReplace sets it in some cases only: others have their own.
func BoxReplace(v reflect.Value, n int) int {
	filled := boxOther(v, n)
	v.Set(filled)
	return boxOther(v, n).Len()
}

func boxOther(v reflect.Value, n int) reflect.Value {
	s := reflect.MakeSlice(v.Type(), n, n) // no library-setting
	for i := range n {
		s.Index(i).SetInt(int64(i))
	}
	return s
}

// BoxCompare compares a slice with another.
func BoxCompare(v reflect.Value) bool { return boxSlice(v, v.Len()).Len() == v.Len() }

// BoxAppended sets a slice that may have grown.
func BoxAppended(v reflect.Value, n int) {
	s := reflect.MakeSlice(v.Type(), n, n) // no library-setting
	for i := range n {
		s.Index(i).SetInt(int64(i))
	}
	v.Set(reflect.AppendSlice(v, s))
	v.Set(v.Slice(0, n))
}

// BoxSwap sets a slice in another than that whose type it has.
func BoxSwap(v, to reflect.Value, n int) {
	s := reflect.MakeSlice(v.Type(), n, n) // no library-setting
	reflect.Copy(s, v)
	to.Set(s)
}

// A BoxVars has variables by name.
type BoxVars interface{ Get(name string) int }

type boxVars struct {
	names  []string
	values [4]int
}

func (v boxVars) Get(name string) int {
	for i, n := range v.names {
		if n == name {
			return v.values[i&3]
		}
	}
	return 0
}

// A boxScope has other variables below it.
type boxScope struct{ outer BoxVars }

func (s *boxScope) Get(name string) int { return s.outer.Get(name) + 1 }

//go:noinline
func boxEval(names []string, v BoxVars) (sum int) {
	inner := &boxScope{v}
	for _, name := range names {
		sum += boxGet(inner, name)
	}
	return sum
}

//go:noinline
func boxGet(v BoxVars, name string) int { return v.Get(name) }

// BoxEval changes variables between calls.
func BoxEval(names []string, n int) (sum int) {
	vars := boxVars{names: names}
	for i := range n {
		vars.values[0] = i
		sum += boxEval(names, vars) // want pass-pointer
	}
	return sum
}

// BoxEvalOf has a pointer.
func BoxEvalOf(names []string, vars *boxVars) int {
	return boxEval(names, *vars) // want pass-pointer
}

// BoxEvalOnce gives variables once.
func BoxEvalOnce(names []string, n int) int {
	vars := boxVars{names: names}
	vars.values[1] = n
	return boxEval(names, vars) // no pass-pointer
}

var boxLastVars BoxVars

//go:noinline
func boxRemember(v BoxVars) int {
	boxLastVars = v
	return v.Get("a")
}

// BoxRemember is of a function that keeps what it is given.
func BoxRemember(names []string, n int) (sum int) {
	vars := boxVars{names: names}
	for i := range n {
		vars.values[0] = i
		sum += boxRemember(vars) // no pass-pointer
	}
	return sum
}

//go:noinline
func boxPrints(v BoxVars) int { return len(fmt.Sprint(v)) }

// BoxPrinted is of a function that prints what it is given.
func BoxPrinted(names []string, n int) (sum int) {
	vars := boxVars{names: names}
	for i := range n {
		vars.values[0] = i
		sum += boxPrints(vars) // no pass-pointer
	}
	return sum
}

type boxOtherVars struct{ a, b, c int }

func (v boxOtherVars) Get(name string) int { return v.a }

//go:noinline
func boxAsks(v BoxVars) int {
	if o, ok := v.(boxOtherVars); ok {
		return o.b
	}
	return v.Get("a")
}

// BoxAsked is of a type that somebody asks for.
func BoxAsked(n int) (sum int) {
	var vars boxOtherVars
	for i := range n {
		vars.a = i
		sum += boxAsks(vars) // no pass-pointer
	}
	return sum
}

//go:noinline
func boxLater(v BoxVars) func() int { return func() int { return v.Get("a") } }

// BoxLater is of a function that returns another which has what it is given.
func BoxLater(names []string, n int) (sum int) {
	vars := boxVars{names: names}
	for i := range n {
		vars.values[0] = i
		sum += boxLater(vars)() // no pass-pointer
	}
	return sum
}

// A boxAnswerer answers by JSON.
type boxAnswerer interface {
	Answer(code int, v any) error
	Log(v any) error
}

type boxWriter struct{ w io.Writer }

func (b *boxWriter) Answer(code int, v any) error {
	if v == nil {
		return nil
	}
	return json.NewEncoder(b.w).Encode(v)
}

func (b *boxWriter) Log(v any) error {
	_, err := fmt.Fprintln(b.w, v)
	return err
}

// BoxAnswer answers with a map or a text.
func BoxAnswer(a boxAnswerer, err any, name string) error {
	message := err
	switch text := err.(type) {
	case string:
		message = map[string]any{"message": text} // want map-for-json
	case error:
		message = text.Error()
	}
	return a.Answer(400, message)
}

// BoxDirect answers with a map by the method of an interface.
func BoxDirect(a boxAnswerer, text string) error {
	return a.Answer(400, map[string]any{"message": text}) // want map-for-json
}

// BoxLog is of a method that prints what it is given.
func BoxLog(a boxAnswerer, text string) error {
	return a.Log(map[string]any{"message": text}) // no map-for-json
}

// BoxAsksAnswer asks for the type of what it answers.
func BoxAsksAnswer(a boxAnswerer, text string) (int, error) {
	var message any
	if text != "" {
		message = map[string]any{"message": text} // no map-for-json
	}
	m, _ := message.(map[string]any)
	return len(m), a.Answer(400, message)
}

var boxAnswered any

// BoxKeptAnswer keeps what it answers.
func BoxKeptAnswer(a boxAnswerer, text string) error {
	var message any = text
	if text != "" {
		message = map[string]any{"message": text} // no map-for-json
	}
	boxAnswered = message
	return a.Answer(400, message)
}
