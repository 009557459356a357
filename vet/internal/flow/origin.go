package flow

import (
	"go/token"
	"go/types"
	"iter"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
)

// What does a function acquire, so that it has to release it?
//
//	b := pool.Get().(*bytes.Buffer) // from the catalog: Direct
//	e := parent.copy()              // by a wrapper, whose summary says that its result is acquired
//	c := NewConfig()                // not, if nothing in it is pooled
//
// It takes the summaries of the callees and gives origins with aliases, effects and states. Of
// several results one that is not used is no origin.

// An Origin is a value that has to be released, or memory that ends with one.
type Origin struct {
	Kind     catalog.Kind
	Pos      token.Pos // of the call that acquires it; of the parameter, or what is released
	Name     string    // of the variable that it is assigned to, or what else it is called
	Pool     string    // the name of the variable or field that is the pool
	Param    bool      // it came from the caller: who may miss a release is not known
	Given    bool      // it came from the caller, who has left it to the goroutine that the function is
	Direct   bool      // it was acquired by a function of the table, not by a wrapper
	By       string    // the function that acquires it
	from     *types.Func
	Arena    *Origin // of memory: the arena that it is in
	Handle   bool    // of memory: it allocates from the arena itself
	Shared   bool    // whoever acquired it for the function may have given it to others too
	Mixed    bool    // on some paths of the function that acquires it, it is a value that must not be put back
	Taken    bool    // it is the slice that a pooled pointer points to: one that is never put back may be meant to be kept
	Despite  bool    // it is there even if the call that acquires it returns an error
	Held     bool    // it is in a field of a struct that came from a call, and is not released
	Whole    bool    // of held: it is followed by that struct, so that only whether it is lost can be told
	OwnPool  bool    // its pool ends with the function
	Queued   bool    // it was received from a channel of the package that only pooled values are sent to
	Borrowed bool    // it ends when the function does, by whoever called it

	Received bool // it is the messages of a stream, each of which ends when the next is received

	Stream       *Stream
	Tracked      *Tracked
	Releaser     *Aliases // of a function that came with it and releases it
	WithReleaser bool     // there is such a function, if only discarded
	States       *States
	Siblings     []*Tracked // of memory: all of the same arena
	Elsewhere    bool       // of an interceptor's request: the server is in another package
	Handler      ssa.Value  // of an interceptor's request: the handler; what runs it may outlive f
}

// PoolName returns what the pool is called.
func (o *Origin) PoolName() string {
	if o.Pool == "" {
		return "its pool"
	}
	return o.Pool
}

// summarized returns an iterator over the calls of f that run at once, with their callees of which
// something is known.
func (f *Function) summarized() iter.Seq2[*ssa.Call, Callee] {
	return func(yield func(*ssa.Call, Callee) bool) {
		for _, i := range f.Calls {
			if c, ok := i.(*ssa.Call); ok {
				if k := f.Callee(&c.Call); k.Summary != nil && !yield(c, k) {
					return
				}
			}
		}
	}
}

// acquired finds what f acquires, with its states.
func (f *Function) acquired() []*Origin {
	var all []*Origin
	for c, k := range f.summarized() {
		for r, acq := range k.Summary.Acquires {
			root := firstResult(c, 1<<r)
			if acq.Kind == catalog.None || root == nil {
				continue
			}
			o := &Origin{Kind: acq.Kind, Pos: c.Pos(), Pool: acq.Pool, Shared: acq.Shared, Mixed: acq.Mixed, Taken: acq.Taken, Despite: acq.Despite, Direct: k.Func != nil && f.Package.Known(k.Func) != nil}
			o.By, o.from = CalleeName(k), k.Func
			o.OwnPool = o.Direct && len(k.Args) > 0 && f.ownPool(k.Args[0])
			// The catalog knows that the pool hands out arenas; the policy is that of this pool.
			if o.Kind == catalog.Typed && o.Direct && len(k.Args) > 0 {
				o.Kind, _ = f.Package.policy(k.Args[0])
			}
			if o.Pool == "" && len(k.Args) > 0 {
				o.Pool = poolName(k.Args[0])
			}
			o.Tracked = f.track(root, MarkSame, acq.Detached...)
			if o.WithReleaser = acq.By > 0; o.WithReleaser {
				if by := firstResult(c, 1<<(acq.By-1)); by != nil {
					o.Releaser = o.Tracked.withReleaser(by)
				}
			}
			start, _ := root.(ssa.Instruction)
			o.States = &States{Aliases: o.Tracked.Aliases, Effects: o.Tracked.Effects, Start: start, releaser: o.Releaser, present: acq.Present, despite: acq.Despite}
			o.States.solve()
			all = append(all, o)
		}
	}
	return all
}

// Lent reports whether the acquiring function says that the value has to be given back: it is in the
// catalog, or has a telling name, or another of its callers gives back what it returns.
//
// A constructor that takes its result from a pool may mean it to be kept, so a value that is never
// released is reported only if something says that it is to go back. That is a guess, and errs
// towards silence:
//
//	buf := getBuffer()  // by its name
//	cfg := defaults()   // no, unless another caller puts back what it returns
func (o *Origin) Lent() bool {
	if o.Direct || o.Held || o.Queued || o.WithReleaser || o.Kind.Arena() {
		return true
	}
	word := strings.ToLower(o.By)
	for _, prefix := range []string{"get", "acquire", "borrow", "take", "obtain", "alloc", "checkout", "clone", "copy", "dup"} {
		if strings.HasPrefix(word, prefix) {
			return true
		}
	}
	if strings.Contains(word, "pool") || strings.HasPrefix(o.By, "new") {
		return true
	}
	return o.Tracked != nil && o.Tracked.Func.Package.isGivenBack(o.from)
}

// MayStay reports whether an origin that is never released may be meant to be kept: the result of a
// constructor, or a slice that was taken out of what is pooled.
//
// Such a slice is lost if another caller gives back what the same function returns, and this one
// does no more than to use it:
//
//	func send(w io.Writer) {
//		b := getSlice() // putSlice is called by others
//		w.Write(fill(b))
//	}
func (o *Origin) MayStay() bool {
	if o.Taken && !(o.States.unsent && o.Tracked.Func.Package.isGivenBack(o.from)) {
		return true
	}
	return !o.Lent()
}

// isGivenBack reports whether a function of the package, or a test of it, releases what another returns.
func (a *Package) isGivenBack(from *types.Func) bool {
	if from == nil {
		return false
	}
	if a.givenBack == nil {
		a.givenBack = map[*types.Func]bool{}
		for _, f := range a.Order {
			for _, o := range f.acquiredOrigins {
				if o.from != nil && o.Tracked.Has(EffectRelease, EffectReleaseIf, EffectMayRelease, EffectDefer, EffectMayDefer) {
					a.givenBack[o.from] = true
				}
			}
		}
	}
	return a.givenBack[from]
}
