package flow

import (
	"encoding/json"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"lessgc/vet/internal/catalog"
)

// A packageFact is the fact of a package that was looked at: what its exported functions do.
// Those that are not in it do nothing that matters. A package's fact goes to all that
// import it, directly or not, most of which ask it nothing: it stays packed until one does.
type packageFact struct{ Data []byte }

func (*packageFact) AFact()         {}
func (*packageFact) String() string { return "looked" }

// summaries holds the summaries of a package's functions, by name and receiver type.
type summaries map[string]*Summary

// factKey returns the name of a function within its package.
func factKey(f *types.Func) string {
	recv := f.Signature().Recv()
	if recv == nil {
		return f.Name()
	}
	t := recv.Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name() + "." + f.Name()
	}
	return "." + f.Name()
}

// imported returns the summary of a function of another package; nil if it is not known.
//
// A package without a fact was not looked at, so nothing is known of it. In one that has a fact, a
// function that is missing there does nothing that matters.
func (a *Package) imported(f *types.Func) *Summary {
	pkg := f.Pkg()
	if pkg == nil {
		return nil
	}
	known, ok := a.packages[pkg]
	if !ok {
		var r packageFact
		if a.Pass.ImportPackageFact(pkg, &r) && json.Unmarshal(r.Data, &known) != nil {
			known = nil
		}
		a.packages[pkg] = known
	}
	if s := known[factKey(f)]; s != nil || known == nil {
		return s
	}
	return new(Summary)
}

// export makes a fact of what callers in other packages need to know.
func (a *Package) export() error {
	all := summaries{}
	add := func(f *types.Func, s *Summary) {
		if s = s.external(); f.Exported() && !s.zero() {
			all[factKey(f)] = s
		}
	}
	for _, f := range a.Order {
		if obj, ok := f.Object().(*types.Func); ok && obj.Pkg() == a.Pass.Pkg && a.summaries[f.Function] != nil {
			add(obj, a.summaries[f.Function])
		}
	}
	for _, file := range a.Pass.Files {
		for _, decl := range file.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && d.Body == nil {
				if obj, ok := a.Pass.TypesInfo.Defs[d.Name].(*types.Func); ok && !a.noEscape[obj] {
					add(obj, bodyless(obj.Signature()))
				}
			}
		}
	}
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	a.Pass.ExportPackageFact(&packageFact{data})
	return nil
}

// external returns the summary for other packages. It leaves out whether a function only reads, as
// most do.
func (s *Summary) external() *Summary {
	t := &Summary{Params: append([]Param(nil), s.Params...), Acquires: s.Acquires}
	for i := range t.Params {
		t.Params[i].Use, t.Params[i].Through = false, nil
	}
	return t
}

// bodyless is the summary of a function without a body.
func bodyless(sig *types.Signature) *Summary {
	s := new(Summary)
	n := sig.Params().Len()
	if sig.Recv() != nil {
		n++
	}
	for i := range n {
		s.grow(i).Unknown = true
	}
	return s
}

func (s *Summary) zero() bool {
	for i := range s.Params {
		if !s.Params[i].zero() {
			return false
		}
	}
	for _, r := range s.Acquires {
		if r.Kind != catalog.None || len(r.Held) > 0 || len(r.Within) > 0 {
			return false
		}
	}
	return true
}

// A Release reports whether a function releases its parameter.
type Release uint8

// How sure a release is.
const (
	ReleaseNever      Release = iota
	ReleasePerhaps            // on some paths; on others it may have an owner: a count says so, or a mark in it
	ReleaseUnlessTold         // like the next, but results tell which: who does not look at them cannot know
	ReleaseOrDropped          // on some paths; on all others it is dropped for reasons that the caller cannot know
	ReleaseAlways             // on all paths, or else it is dropped for its size
)

// certain reports whether a caller must take the parameter for released.
//
// With ReleasePerhaps and ReleaseUnlessTold the value may still be the caller's.
func (r Release) certain() bool { return r >= ReleaseOrDropped }

// A Summary describes what a function does with its parameters and captured variables, and where
// its results come from. The receiver counts as the first parameter; captured variables follow the
// last. It is part of the fact that packages export.
type Summary struct {
	Params   []Param    `json:",omitempty"`
	Acquires []Acquired `json:",omitempty"` // by result; may be shorter than the results
}

// A Param describes what happens to one parameter. Sets of results or parameters are bits.
type Param struct {
	Release   Release  `json:",omitempty"`
	Reset     bool     `json:",omitempty"` // what was allocated from it before is released, itself not
	Keep      bool     `json:",omitempty"` // is stored where it outlives the call
	KeepOut   bool     `json:",omitempty"` // is stored in what a closure has captured; it is unknown too
	Unknown   bool     `json:",omitempty"` // it escapes to code that is not analyzed
	KeptIn    uint64   `json:",omitempty"` // parameters in whose memory it is stored
	Same      uint64   `json:",omitempty"` // results that are the parameter itself
	Alias     uint64   `json:",omitempty"` // results that share its memory
	Content   uint64   `json:",omitempty"` // results that are slices loaded from its fields
	From      []string `json:",omitempty"` // those fields
	Hold      uint64   `json:",omitempty"` // results that hold it
	HeldFrom  []string `json:",omitempty"` // fields that these results hold slices of, if they hold nothing else
	Alloc     uint64   `json:",omitempty"` // results that are memory of this arena
	Text      uint64   `json:",omitempty"` // results that are strings of this arena
	Elements  uint64   `json:",omitempty"` // of those that are memory: slices whose elements lead to such memory too
	Detaches  []string `json:",omitempty"` // fields that get other memory than they had
	Empties   []string `json:",omitempty"` // fields with maps from which something is deleted
	Use       bool     `json:",omitempty"` // is dereferenced
	UsedAfter uint64   `json:",omitempty"` // parameters and captured variables after whose release it is dereferenced
	Through   []string `json:",omitempty"` // fields that hold pointers which are dereferenced too
	Scope     bool     `json:",omitempty"` // is a function that must not keep its argument
	Spawn     bool     `json:",omitempty"` // is a function that is called later, or by a goroutine
	Leaves    bool     `json:",omitempty"` // a goroutine may run it, if it is a function, or use its memory, when the call has returned

	// Parts holds the summaries of its fields whose values are released somewhere, by field name.
	Parts map[string]*Param `json:",omitempty"`

	keptAt  token.Pos // where it is stored, in this package
	keptMap string    // the field with the map that it is stored in, if it is one

	// Told says how a caller can tell whether it was released, if any way is known.
	Told *Told `json:",omitempty"`

	// Names are the fields, variables and functions that decide whether it is released or dropped. A
	// caller that looks at them may know.
	Names []string `json:",omitempty"`
}

// An Acquired result has to be released.
type Acquired struct {
	Kind catalog.Kind `json:",omitempty"`
	Pool string       `json:",omitempty"` // of the pool, for messages

	// Detached are the fields that are given other memory each time.
	Detached []string `json:",omitempty"`

	// Shared says that others may release it: a goroutine, a list.
	Shared bool `json:",omitempty"`

	// Mixed reports that on some paths it is a value that must not be put back, such as a shared one.
	Mixed bool `json:",omitempty"`

	// Present are other results that are integers, with the constant that each has unless this one is nil.
	Present map[int]string `json:",omitempty"`

	// Taken says that it is the slice that a pooled pointer points to.
	Taken bool `json:",omitempty"`

	// Despite reports that it is there although the last result is an error.
	Despite bool `json:",omitempty"`

	// By is another result, from 1 on, that is a function which releases it; 0 if there is none.
	By int `json:",omitempty"`

	// Held are the pooled values in its fields, by their names, each with its pool: the result itself
	// is not pooled.
	Held map[string]string `json:",omitempty"`

	// Within are the arenas in its fields, by their names, with the fields that hold memory of each.
	Within map[string]Within `json:",omitempty"`
}

func (p *Param) zero() bool {
	return p.Release == ReleaseNever && !p.Reset && !p.Keep && !p.KeepOut && !p.Unknown && p.KeptIn == 0 && p.Same|p.Alias|p.Content|p.Hold|p.Alloc|p.Text == 0 && len(p.Detaches) == 0 && len(p.Empties) == 0 && !p.Use && p.UsedAfter == 0 && len(p.Through) == 0 && !p.Scope && !p.Spawn && !p.Leaves && len(p.Parts) == 0
}

func (p *Param) equal(q *Param) bool { return reflect.DeepEqual(p, q) }

// Param returns the summary of parameter i; the zero one if nothing is known to happen
// to it.
func (s *Summary) Param(i int) *Param {
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

// fromCatalog returns the summary that the catalog has of a function, or nil.
func fromCatalog(f *catalog.Function) *Summary {
	if !f.Flows {
		return nil
	}
	s := new(Summary)
	if f.Acquires != catalog.None {
		s.growResult(0).Kind = f.Acquires
	}
	bit := func(b bool) uint64 {
		if b {
			return 1 // the first result
		}
		return 0
	}
	for i, p := range f.Params {
		*s.grow(i) = Param{Reset: p.Reset, Keep: p.Keep, Unknown: p.Own, KeptIn: p.Stored, Same: bit(p.Same), Alias: bit(p.Alias), Hold: bit(p.Hold),
			Alloc: bit(p.Alloc), Text: bit(p.Text), Scope: p.Scope, Spawn: p.Spawn}
		if p.Release {
			s.Params[i].Release = ReleaseAlways
		}
	}
	return s
}
