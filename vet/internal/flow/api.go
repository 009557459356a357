package flow

import (
	_ "embed"
	"fmt"
	"go/types"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"lessgc/vet/internal/code"
)

// A Kind says what is acquired, and with it what a mistake costs.
type Kind uint8

// The kinds.
const (
	None     Kind = iota
	Item          // a value of a pool
	Safe          // an arena whose memory is left to the collector: only the arena itself must not be used after Free
	Std           // an arena whose memory is gone after Free
	Typed         // a recycled arena whose strings stay valid
	Recycled      // a recycled arena
	OffHeap       // an arena outside the heap that nobody else frees
)

var kinds = map[string]Kind{"item": Item, "safe": Safe, "std": Std, "typed": Typed, "recycled": Recycled, "offheap": OffHeap}

// Arena says whether k is an arena of any kind.
func (k Kind) Arena() bool { return k >= Safe }

// A Release says whether a function releases its parameter.
type Release uint8

// How sure a release is.
const (
	Never   Release = iota
	Perhaps         // on some paths, for reasons the caller cannot see: a count, a flag
	Always          // on all paths, or else it is dropped for its size
)

// A Summary is what a function does with its parameters and captured variables, and where
// its results come from. The receiver counts as the first parameter; captured variables
// follow the last. It is the fact that packages hand on, and the form of the table.
type Summary struct {
	Params   []Param    `json:",omitempty"`
	Acquires []Acquired `json:",omitempty"` // by result; may be shorter than the results

	// Requests is what becomes of requests, if the function is an interceptor that keeps them, or
	// returns one: "stored in a map".
	Requests string `json:",omitempty"`
}

// A Param is what happens to one parameter. Sets of results or parameters are bits.
type Param struct {
	Release  Release  `json:",omitempty"`
	Reset    bool     `json:",omitempty"` // what was allocated from it before is released, itself not
	Keep     bool     `json:",omitempty"` // is stored where it outlives the call
	Unknown  bool     `json:",omitempty"` // gets to where nobody looks
	KeptIn   uint64   `json:",omitempty"` // parameters in whose memory it is stored
	Same     uint64   `json:",omitempty"` // results that are the parameter itself
	Alias    uint64   `json:",omitempty"` // results that share its memory
	Content  uint64   `json:",omitempty"` // results that are slices loaded from its fields
	From     []string `json:",omitempty"` // those fields
	Hold     uint64   `json:",omitempty"` // results that hold it
	Alloc    uint64   `json:",omitempty"` // results that are memory of this arena
	Text     uint64   `json:",omitempty"` // results that are strings of this arena
	Detaches []string `json:",omitempty"` // fields that get other memory than they had
	Use      bool     `json:",omitempty"` // is dereferenced
	Scope    bool     `json:",omitempty"` // is a function that must not keep its argument
	Spawn    bool     `json:",omitempty"` // is a function that is called later, or by a goroutine

	// Parts are what happens to what its fields hold, by their names, if somebody releases
	// that.
	Parts map[string]*Param `json:",omitempty"`
}

// An Acquired result has to be released.
type Acquired struct {
	Kind Kind   `json:",omitempty"`
	Pool string `json:",omitempty"` // of the pool, for messages

	// Detached are the fields that are given other memory each time.
	Detached []string `json:",omitempty"`

	// Shared says that somebody else may release it: a goroutine, a list.
	Shared bool `json:",omitempty"`

	// Taken says that it is the slice that a pooled pointer points to.
	Taken bool `json:",omitempty"`
}

func (p *Param) zero() bool {
	return p.Release == Never && !p.Reset && !p.Keep && !p.Unknown && p.KeptIn == 0 && p.Same|p.Alias|p.Content|p.Hold|p.Alloc|p.Text == 0 && len(p.Detaches) == 0 && !p.Use && !p.Scope && !p.Spawn && len(p.Parts) == 0
}

func (p *Param) equal(q *Param) bool { return reflect.DeepEqual(p, q) }

// param returns the summary of parameter i; the zero one if nothing is known to happen
// to it.
func (s *Summary) param(i int) *Param {
	if i < len(s.Params) {
		return &s.Params[i]
	}
	return new(Param)
}

// grow makes room for parameter i.
func (s *Summary) grow(i int) *Param {
	for len(s.Params) <= i {
		s.Params = append(s.Params, Param{})
	}
	return &s.Params[i]
}

func (s *Summary) growResult(i int) *Acquired {
	for len(s.Acquires) <= i {
		s.Acquires = append(s.Acquires, Acquired{})
	}
	return &s.Acquires[i]
}

// A Table has summaries of functions by their full names, without type arguments.
type Table map[string]*Summary

//go:embed presets.txt
var presets string

// known is the table of functions that are known in advance. It is not changed.
var known = sync.OnceValue(func() Table {
	t := Table{}
	if err := t.Add(presets); err != nil {
		panic("presets.txt: " + err.Error())
	}
	return t
})

var knownNames = sync.OnceValue(func() map[string]bool { return known().names() })

// names are those of the functions, without their packages and types.
func (t Table) names() map[string]bool {
	all := make(map[string]bool, len(t))
	for full := range t {
		all[full[strings.LastIndexByte(full, '.')+1:]] = true
	}
	return all
}

// Add adds what the lines of text say; docs/vetting.md describes them. The error names
// the line.
func (t Table) Add(text string) error {
	n := 0
	for line := range strings.Lines(text) {
		n++
		if strings.ContainsRune(line, 0) {
			return fmt.Errorf("line %d holds a NUL character: it is no file of lines", n)
		}
		line, _, _ := strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if err := t.line(words); err != nil {
			return fmt.Errorf("line %d, %.200q: %w", n, strings.TrimSpace(line), err)
		}
	}
	return nil
}

func (t Table) line(words []string) error {
	verb, args := words[0], words[1:]
	form := "FUNCTION PARAMETER, with the receiver or the first as parameter 0"
	switch verb {
	case "acquire":
		form = "item|safe|std|typed|recycled|offheap FUNCTION"
	case "borrow":
		form = "FUNCTION"
	case "store":
		form = "FUNCTION PARAMETER INTO, with the receiver or the first as parameter 0"
	case "release", "reset", "keep", "own", "same", "alias", "hold", "alloc", "text", "scope", "spawn":
	default:
		return fmt.Errorf("there is no %.40q; it is acquire, release, reset, alloc, text, alias, same, hold, store, keep, own, scope, spawn or borrow", verb)
	}
	usage := fmt.Errorf("it should be: %s %s", verb, form)
	function, numbers := "", args
	switch {
	case verb == "acquire" && len(args) == 2 && kinds[args[0]] != None:
		function, numbers = args[1], nil
	case verb != "acquire" && len(args) > 0:
		function, numbers = args[0], args[1:]
	default:
		return usage
	}
	if !strings.Contains(function, ".") || strings.ContainsFunc(function, func(r rune) bool { return !unicode.IsGraphic(r) }) {
		return fmt.Errorf("function %s should be named with its package, such as example.com/frames.Get or (*example.com/frames.Pool).Get", shown(function))
	}
	var at [2]int
	if len(numbers) != numberOf(verb) {
		return usage
	}
	for n, word := range numbers {
		i, err := strconv.Atoi(word)
		if err != nil || i < 0 || i > 63 {
			return fmt.Errorf("parameter %s should be a number, 0 for the receiver or the first", shown(word))
		}
		at[n] = i
	}
	t.set(verb, args[0], function, at)
	return nil
}

// shown is a word in an error: quoted if it could be anything else on a terminal, and cut.
func shown(word string) string {
	if quoted := fmt.Sprintf("%.100q", word); quoted != `"`+word+`"` {
		return quoted
	}
	return word
}

// numberOf is how many parameters a statement names.
func numberOf(verb string) int {
	switch verb {
	case "acquire", "borrow":
		return 0
	case "store":
		return 2
	}
	return 1
}

// set adds one statement.
func (t Table) set(verb, kind, function string, at [2]int) {
	s := t.of(function)
	switch verb {
	case "acquire":
		s.growResult(0).Kind = kinds[kind]
		return
	case "borrow":
		return
	}
	p := s.grow(at[0])
	switch verb {
	case "release":
		p.Release = Always
	case "reset":
		p.Reset = true
	case "store":
		p.KeptIn |= 1 << at[1]
	case "scope":
		p.Scope = true
	case "spawn":
		p.Spawn = true
	case "keep":
		p.Keep = true
	case "own":
		p.Unknown = true
	case "same":
		p.Same = 1
	case "alias":
		p.Alias = 1
	case "hold":
		p.Hold = 1
	case "alloc":
		p.Alloc = 1
	case "text":
		p.Text = 1
	}
}

func (t Table) of(name string) *Summary {
	if t[name] == nil {
		t[name] = new(Summary)
	}
	return t[name]
}

// name is the full name of a function without type parameters.
func name(f *types.Func) string { return code.Plain(f.FullName()) }
