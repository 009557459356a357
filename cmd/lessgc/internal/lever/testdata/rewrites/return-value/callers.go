package values

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// What follows is refused for what callers do, for when there is no struct, or for how types are written.

func comparedWithNil(n int) *pair {
	return &pair{left: n} // refused: a caller compares it with nil
}

func useComparedWithNil(n int) int {
	p := comparedWithNil(n)
	if p == nil {
		return 0
	}
	return p.left
}

func comparedWithOther(n int) *pair {
	return &pair{left: n} // refused: a caller compares it with another pointer
}

func useComparedWithOther(n int) bool {
	p, q := comparedWithOther(n), comparedWithOther(n)
	return p == q
}

func storedByCaller(n int) *pair {
	return &pair{left: n} // refused: a caller stores it
}

func useStoredByCaller(n int) int {
	p := storedByCaller(n)
	kept = p
	p.left++
	return kept.left
}

func returnedByCaller(n int) *pair {
	return &pair{left: n} // refused: a caller returns it
}

func useReturnedByCaller(n int) *pair { return returnedByCaller(n) }

func copiedPointer(n int) *pair {
	return &pair{left: n} // refused: a caller has two variables with the pointer
}

func useCopiedPointer(n int) int {
	p := copiedPointer(n)
	q := p
	q.left++
	return p.left
}

func setAgain(n int) *pair {
	return &pair{left: n} // refused: a caller sets its variable again, and has kept the first
}

func useSetAgain(n int) int {
	p := setAgain(n)
	q := &p.left
	p = setAgain(n + 1)
	return *q + p.left
}

func inLoopHead(n int) *pair {
	return &pair{left: n} // refused: each iteration would have a copy of the variable
}

func useInLoopHead(n int) int {
	all := []*int{}
	for p := inLoopHead(n); p.left < 3+n; p.left++ {
		all = append(all, &p.left)
	}
	return *all[0]
}

func heldByMethod(n int) *pair {
	return &pair{left: n} // refused: a method that a caller calls keeps it
}

func useHeldByMethod(n int) int {
	p := heldByMethod(n)
	p.remember()
	p.left++
	return kept.left
}

func heldByFunction(n int) *pair {
	return &pair{left: n} // refused: a function that a caller calls keeps it
}

func useHeldByFunction(n int) int {
	p := heldByFunction(n)
	hold(p)
	p.left++
	return kept.left
}

func asValue(n int) *pair {
	return &pair{left: n} // refused: the function is a value, too
}

func useAsValue(n int) int {
	f := asValue
	return f(n).left + asValue(n).left
}

type shower interface{ shown() *pair }

type screen struct{ n int }

func (s screen) shown() *pair {
	return &pair{left: s.n} // refused: an interface has the method
}

func useShown(n int) int {
	p := screen{n}.shown()
	var s shower = screen{p.left}
	return s.shown().left
}

func asInterface(n int) *pair {
	return &pair{left: n} // refused: a caller makes an interface of it
}

func useAsInterface(n int) string {
	p := asInterface(n)
	return fmt.Sprintf("%T", p)
}

func pointerMethod(n int) *pair {
	return &pair{left: n} // refused: a caller calls a method of the pointer where there is no variable
}

func usePointerMethod(n int) bool { return pointerMethod(n).known() }

func nilWithoutError(n int) (*pair, error) {
	if n < 0 {
		return nil, nil // a caller panics
	}
	return &pair{left: n}, nil // refused: nil is returned without an error
}

func useNilWithoutError(n int) int {
	p, err := nilWithoutError(n)
	if err != nil {
		return -1
	}
	return p.left
}

func nilUnchecked(n int) (*pair, error) {
	if n < 0 {
		return nil, errors.New("negative")
	}
	return &pair{left: n}, nil // refused: a caller does not ask for the error
}

func useNilUnchecked(n int) int {
	p, _ := nilUnchecked(n)
	return p.left
}

func nilCheckedLate(n int) (*pair, error) {
	if n < 0 {
		return nil, errors.New("negative")
	}
	return &pair{left: n}, nil // refused: a caller uses it before it asks for the error
}

func useNilCheckedLate(n int) int {
	p, err := nilCheckedLate(n)
	left := p.left
	if err != nil {
		return -1
	}
	return left
}

func nilCheckedOr(n int) (*pair, error) {
	if n < 0 {
		return nil, errors.New("negative")
	}
	return &pair{left: n}, nil // refused: a caller goes on with an error
}

func useNilCheckedOr(n int) int {
	p, err := nilCheckedOr(n)
	if err == nil || n == -2 {
		return p.left
	}
	return -1
}

func unknownError(n int) (*pair, error) {
	if err := check(n); err != nil || n < 0 {
		return nil, err
	}
	return &pair{left: n}, nil // refused: the error may be nil
}

func useUnknownError(n int) int {
	p, err := unknownError(n)
	if err != nil {
		return -1
	}
	return p.left
}

func sometimesNil(n int) *pair {
	if n < 0 {
		return nil
	}
	return &pair{left: n} // refused: nil is returned, too
}

func useSometimesNil(n int) int { return sometimesNil(n).left }

func recovers(n int, all []int) *pair {
	defer func() { _ = recover() }()
	return &pair{left: all[n]} // refused: after a panic it returns nil
}

func useRecovers(n int) int { return recovers(n, nil).left }

func deferred(n int) *pair {
	p := &pair{left: n} // refused: a deferred call changes it when it is returned
	defer p.add(1)
	return p
}

func useDeferred(n int) int { return deferred(n).left }

func namedResult(n int) (p *pair) {
	p = &pair{left: n} // refused: the result has a name
	return
}

func useNamedResult(n int) int { return namedResult(n).left }

func testedByValue(n int) *pair {
	return &pair{left: n} // refused: a test has the function as a value
}

func useTestedByValue(n int) int { return testedByValue(n).left }

func testedByCall(n int) *pair {
	return &pair{left: n} // refused: a test compares it with nil
}

func useTestedByCall(n int) int { return testedByCall(n).left }

// A keeper keeps what it is given to read into or write.
type keeper struct{ last []byte }

func (k *keeper) Read(b []byte) (int, error)  { k.last = b; return len(b), nil }
func (k *keeper) Write(b []byte) (int, error) { k.last = b; return len(b), nil }

type head struct {
	bytes [20]byte
	n     int
}

func readFull(r io.Reader) *head {
	h := &head{} // refused: the reader may keep what it fills
	io.ReadFull(r, h.bytes[:])
	return h
}

func useReadFull(k *keeper) byte {
	h := readFull(k)
	k.last[0] = 7
	return h.bytes[0]
}

func readAtLeast(r io.Reader) *head {
	h := &head{} // refused: the reader may keep what it fills
	io.ReadAtLeast(r, h.bytes[:], 2)
	return h
}

func useReadAtLeast(k *keeper) byte {
	h := readAtLeast(k)
	k.last[0] = 7
	return h.bytes[0]
}

func copyBuffer(w io.Writer, r io.Reader) *head {
	h := &head{} // refused: the writer may keep what it is given
	io.CopyBuffer(w, io.LimitReader(r, 4), h.bytes[:])
	return h
}

func useCopyBuffer(k *keeper) byte {
	h := copyBuffer(k, k)
	k.last[0] = 7
	return h.bytes[0]
}

func bufferedRead(r *bufio.Reader) *head {
	h := &head{} // refused: what is read by may keep it
	r.Read(h.bytes[:])
	return h
}

func useBufferedRead(k *keeper) byte {
	h := bufferedRead(bufio.NewReaderSize(k, 16))
	k.last[0] = 7
	return h.bytes[0]
}

func bufferedWrite(w *bufio.Writer) *head {
	h := &head{} // refused: what is written to may keep it
	w.Write(h.bytes[:])
	return h
}

func useBufferedWrite(k *keeper) byte {
	h := bufferedWrite(bufio.NewWriterSize(k, 16))
	k.last[0] = 7
	return h.bytes[0]
}

func filledByCaller(n int) *head {
	return &head{n: n} // refused: a caller reads into it, from what may keep it
}

func useFilledByCaller(k *keeper) byte {
	h := filledByCaller(1)
	io.ReadFull(k, h.bytes[:])
	k.last[0] = 7
	return h.bytes[0]
}

func newInParentheses() *pair {
	return new((pair)) // refused: the type of a literal must not stand in parentheses
}

func useNewInParentheses() int { return newInParentheses().left }

func resultInParentheses(n int) (*(pair), error) {
	if n < 0 {
		return nil, errors.New("negative")
	}
	return &pair{left: n}, nil // refused: the type of a literal must not stand in parentheses
}

func useResultInParentheses(n int) int {
	p, err := resultInParentheses(n)
	if err != nil {
		return -1
	}
	return p.left
}

func makerInParentheses(n int) *pair {
	p := (new)(pair) // rewritten
	p.left = n
	return p
}

func useMakerInParentheses(n int) int { return makerInParentheses(n).left }

func variableInParentheses(n int) *pair {
	p := new((pair)) // rewritten
	p.left = n
	return p
}

func useVariableInParentheses(n int) int { return variableInParentheses(n).left }

func onlyOverwritten(n int) *pair {
	return &pair{left: n} // refused: a variable of a caller is only set as a whole, which is no use of a variable
}

func useOnlyOverwritten(n int) int {
	p := onlyOverwritten(n)
	(*p) = pair{}
	return n
}

func ranged(n int) *pair {
	return &pair{left: n} // refused: a variable of a caller is only set by the head of a loop
}

func useRanged(all []pair) int {
	p := ranged(1)
	for _, *p = range all {
	}
	return len(all)
}
