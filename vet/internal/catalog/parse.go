package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// An operand is the kind of text that follows a verb.
type operand uint8

const (
	operandWord        operand = iota // one of the verb's words
	operandFunction                   // the full name of a function
	operandType                       // the full name of a type
	operandParam                      // the number of a parameter
	operandParamOrNone                // the same, or - for none
	operandMethods                    // names with commas between
)

// A statement is one line, checked.
type statement struct {
	word     string
	function *Function
	second   string // another function
	typ      *Type
	params   []int // -1 for none
	methods  []string
}

// A verb begins a statement.
type verb struct {
	name     string
	form     string // of its operands, for errors
	operands []operand
	words    []string // more than form has, which are not for users
	wide     bool     // PACKAGE.* stands for all functions and methods of a package
	set      func(*statement)
}

const oneParam = "FUNCTION PARAMETER, with the receiver or the first as parameter 0"

// of is a verb about a parameter.
func of(name string, set func(*Param)) verb {
	return verb{name: name, form: oneParam, operands: []operand{operandFunction, operandParam}, set: func(s *statement) {
		s.function.Flows = true
		set(s.function.param(s.params[0]))
	}}
}

// wide is a verb about a function, or all of a package.
func wide(name string, set func(*Function)) verb {
	return verb{name: name, form: "FUNCTION, or PACKAGE.* for all of a package", operands: []operand{operandFunction}, wide: true,
		set: func(s *statement) { set(s.function) }}
}

// plain is a verb about a function.
func plain(name string, set func(*Function)) verb {
	return verb{name: name, form: "FUNCTION", operands: []operand{operandFunction}, set: func(s *statement) { set(s.function) }}
}

// about is a verb about a type.
func about(name string, set func(*Type)) verb {
	return verb{name: name, form: "TYPE", operands: []operand{operandType}, set: func(s *statement) { set(s.typ) }}
}

var (
	kinds    = map[string]Kind{"item": Item, "safe": Safe, "std": Std, "typed": Typed, "recycled": Recycled, "offheap": OffHeap}
	memories = map[string]Memory{"typed": UnscannedType, "bytes": UnscannedRaw, "text": UnscannedText}
	locks    = map[string]Locks{"element": LocksElement, "type": LocksType, "slice": LocksSlice, "arguments": LocksArguments}
	pools    = map[string]Pool{"any": AnyPool, "typed": TypedPool, "buffers": BufferPool, "arenas": ArenaPool}
)

// verbs are all of them, in the order in which errors name them.
var verbs = []verb{
	{name: "acquire", form: "item|safe|std|typed|recycled|offheap FUNCTION", operands: []operand{operandWord, operandFunction},
		set: func(s *statement) { s.function.Flows, s.function.Acquires = true, kinds[s.word] }},
	of("release", func(p *Param) { p.Release = true }),
	of("reset", func(p *Param) { p.Reset = true }),
	of("alloc", func(p *Param) { p.Alloc = true }),
	of("text", func(p *Param) { p.Text = true }),
	of("alias", func(p *Param) { p.Alias = true }),
	of("same", func(p *Param) { p.Same = true }),
	of("hold", func(p *Param) { p.Hold = true }),
	of("once", func(p *Param) { p.Hold, p.Once = true, true }),
	{name: "store", form: "FUNCTION PARAMETER INTO, with the receiver or the first as parameter 0", operands: []operand{operandFunction, operandParam, operandParam},
		set: func(s *statement) {
			s.function.Flows = true
			s.function.param(s.params[0]).Stored |= 1 << s.params[1]
		}},
	of("keep", func(p *Param) { p.Keep = true }),
	of("own", func(p *Param) { p.Own = true }),
	of("scope", func(p *Param) { p.Scope = true }),
	of("spawn", func(p *Param) { p.Spawn = true }),
	{name: "go", form: oneParam, operands: []operand{operandFunction, operandParam}, set: func(s *statement) {
		s.function.Flows = true
		s.function.param(s.params[0]).Spawn = true
		if !slices.Contains(s.function.Goroutine, s.params[0]) {
			s.function.Goroutine = append(s.function.Goroutine, s.params[0])
		}
	}},
	plain("borrow", func(f *Function) { f.Flows = true }),
	plain("nonnil", func(f *Function) { f.NonNil = true }),
	{name: "pair", form: "FUNCTION FREE", operands: []operand{operandFunction, operandFunction}, set: func(s *statement) { s.function.FreedBy = s.second }},
	wide("calm", func(f *Function) { f.Calm = true }),
	plain("concurrent", func(f *Function) { f.Concurrent = true }),
	plain("makes", func(f *Function) { f.Makes = true }),
	{name: "slice", form: "FUNCTION LENGTH CAPACITY, which are parameters or -", operands: []operand{operandFunction, operandParamOrNone, operandParamOrNone},
		set: func(s *statement) { s.function.Slice = &Slice{s.params[0], s.params[1]} }},
	{name: "unscanned", form: "typed|bytes|text FUNCTION", operands: []operand{operandWord, operandFunction},
		set: func(s *statement) { s.function.Memory = memories[s.word] }},
	plain("append", func(f *Function) { f.Appends = true }),
	plain("part", func(f *Function) { f.Part = true }),
	wide("fresh", func(f *Function) { f.Fresh = true }),
	{name: "fill", form: oneParam, operands: []operand{operandFunction, operandParam}, set: func(s *statement) {
		if !slices.Contains(s.function.Fills, s.params[0]) {
			s.function.Fills = append(s.function.Fills, s.params[0])
		}
	}},
	plain("limit", func(f *Function) { f.Limits = true }),
	{name: "nolock", form: "element|arguments|type|slice FUNCTION", operands: []operand{operandWord, operandFunction},
		set: func(s *statement) { s.function.Locks = locks[s.word] }},
	wide("few", func(f *Function) { f.Few = true }),
	{name: "single", form: "always|plain FUNCTION", operands: []operand{operandWord, operandFunction},
		set: func(s *statement) { s.function.Single, s.function.Plain = true, s.word == "plain" }},
	{name: "arena", form: "safe|std|typed|recycled|offheap TYPE", operands: []operand{operandWord, operandType},
		set: func(s *statement) { s.typ.Arena = kinds[s.word] }},
	about("handle", func(t *Type) { t.Handle = true }),
	about("buffer", func(t *Type) { t.Buffer = true }),
	{name: "infallible", form: "TYPE METHOD,METHOD", operands: []operand{operandType, operandMethods}, set: func(s *statement) {
		addMethods(&s.typ.Infallible, s.methods)
	}},
	about("lent", func(t *Type) { t.Lent = true }),
	{name: "confined", form: "always|single TYPE", operands: []operand{operandWord, operandType},
		set: func(s *statement) { s.typ.Confined, s.typ.Depends = true, s.word == "single" }},
	about("nocopy", func(t *Type) { t.NoCopy = true }),
	{name: "pool", form: "any|typed TYPE", operands: []operand{operandWord, operandType}, words: []string{"buffers", "arenas"},
		set: func(s *statement) { s.typ.Pool = pools[s.word] }},
	{name: "holder", form: "TYPE METHOD,METHOD", operands: []operand{operandType, operandMethods}, set: func(s *statement) {
		s.typ.Allocates = true
		addMethods(&s.typ.Idle, s.methods)
	}},
	{name: "job", form: "TYPE METHOD,METHOD", operands: []operand{operandType, operandMethods}, set: func(s *statement) {
		addMethods(&s.typ.Job, s.methods)
	}},
}

// addMethods adds names to a set, which may be nil.
func addMethods(set *map[string]bool, names []string) {
	if *set == nil {
		*set = map[string]bool{}
	}
	for _, m := range names {
		(*set)[m] = true
	}
}

// Parse reads the lines of text. The error is one line, and names the line.
func Parse(text string) (*Catalog, error) {
	c := &Catalog{functions: map[string]*Function{}, types: map[string]*Type{}, last: map[string]bool{},
		functionsOf: map[string][]*Function{}, typesOf: map[string][]*Type{}}
	n := 0
	for line := range strings.Lines(text) {
		n++
		if strings.ContainsRune(line, 0) {
			return nil, fmt.Errorf("line %d holds a NUL character: it is not a file of lines", n)
		}
		line, _, _ := strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if err := c.add(words); err != nil {
			return nil, fmt.Errorf("line %d, %.200q: %w", n, strings.TrimSpace(line), err)
		}
	}
	return c, nil
}

// verbNamed has the index of each verb by its name.
var verbNamed = sync.OnceValue(func() map[string]int {
	m := map[string]int{}
	for i, v := range verbs {
		m[v.name] = i
	}
	return m
})

// usage returns the error of a statement that has not the verb's form.
func (v *verb) usage() error { return fmt.Errorf("it should be: %s %s", v.name, v.form) }

// add checks one statement and carries it out.
func (c *Catalog) add(words []string) error {
	i, ok := verbNamed()[words[0]]
	if !ok {
		var names []string
		for _, v := range verbs {
			names = append(names, v.name)
		}
		return fmt.Errorf("there is no %.40q; it is %s or %s", words[0], strings.Join(names[:len(names)-1], ", "), names[len(names)-1])
	}
	v, args := &verbs[i], words[1:]
	if len(args) != len(v.operands) || v.operands[0] == operandWord && !v.takes(args[0]) {
		return v.usage()
	}
	var s statement
	for n, arg := range args {
		switch v.operands[n] {
		case operandWord:
			s.word = arg
		case operandFunction:
			if err := checkName("function", arg, "such as example.com/frames.Get or (*example.com/frames.Pool).Get"); err != nil {
				return err
			}
			if isWhole(arg) && !v.wide {
				return fmt.Errorf("%s is about one function, not about all of a package; %w", v.name, v.usage())
			}
			if s.function == nil {
				s.function = c.function(arg)
			} else {
				s.second = arg
			}
		case operandType:
			if err := checkName("type", arg, "such as example.com/frames.Pool"); err != nil {
				return err
			}
			s.typ = c.typeOf(arg)
		case operandParam, operandParamOrNone:
			number, err := strconv.Atoi(arg)
			if v.operands[n] == operandParamOrNone && arg == "-" {
				number, err = -1, nil
			} else if err != nil || number < 0 || number > 63 {
				return fmt.Errorf("parameter %s should be a number, 0 for the receiver or the first", shown(arg))
			}
			s.params = append(s.params, number)
		case operandMethods:
			s.methods = strings.Split(arg, ",")
		}
	}
	v.set(&s)
	return nil
}

// takes reports whether a word is one of those that the form begins with, such as any|typed, or of words.
func (v *verb) takes(word string) bool {
	first, _, _ := strings.Cut(v.form, " ")
	return slices.Contains(strings.Split(first, "|"), word) || slices.Contains(v.words, word)
}

// checkName returns an error if a full name cannot be one.
func checkName(what, name, example string) error {
	if !strings.Contains(name, ".") || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsGraphic(r) }) {
		return fmt.Errorf("%s %s should be named with its package, %s", what, shown(name), example)
	}
	return nil
}

// shown returns a word for an error: quoted if it could be anything else on a terminal, and cut.
func shown(word string) string {
	if quoted := fmt.Sprintf("%.100q", word); quoted != `"`+word+`"` {
		return quoted
	}
	return word
}

// function returns the entry of a function, a new one if there is none.
func (c *Catalog) function(name string) *Function {
	if c.functions[name] == nil {
		c.functions[name] = &Function{name: name}
		path := Unversioned(PackageOf(name))
		c.functionsOf[path] = append(c.functionsOf[path], c.functions[name])
		c.last[name[strings.LastIndexByte(name, '.')+1:]] = true
	}
	return c.functions[name]
}

// typeOf returns the entry of a type, a new one if there is none.
func (c *Catalog) typeOf(name string) *Type {
	if c.types[name] == nil {
		c.types[name] = &Type{name: name}
		path := Unversioned(PackageOf(name))
		c.typesOf[path] = append(c.typesOf[path], c.types[name])
	}
	return c.types[name]
}
