// Package lever finds, for a line that allocates, the change that would save it: a
// lever looks at the source around the line and says what it has seen there. Without
// evidence there is no lever.
//
// The levers are heuristics about programs, and no proof: what each looks for and when
// it is wrong stands with it, and lessgc advise -explain NAME prints it.
package lever

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

// A Lever is a kind of change, and when it fits.
type Lever struct {
	Name  string // for -explain and JSON
	Title string // what to do, in a few words

	// Subject is what Edits do, as the subject of a commit: "presize the slice". Each lever with Rewrite has one. A
	// finding may name the variable, see Finding.What.
	Subject string

	Looks  string // what the lever looks for
	Wrong  string // cases in which the advice is wrong all the same
	Before string // an example
	After  string // and what to make of it
	Model  string // the source of the numbers of Saves
	Risk   Risk   // what may break if it is done without a look around

	// Rewrite states what the lever shows of a line, from types and data flow, before it offers its change as a
	// whole: what could differ afterwards (order of evaluation, nil against empty, aliasing, capacity that callers
	// see, panics, concurrent use, text of errors), and why it does not. Edits of a lever without it are for a
	// person to read, and never applied.
	Rewrite string

	// Asks is the question that the source does not answer and a person has to before the change is
	// made: its lever names a candidate, with the evidence that there is something to save, and no proof.
	// Candidates are named where no lever is, and are not added up. It is empty for the other levers. Of a
	// finding with a complete change nothing is asked, see Match.Question.
	Asks string

	// way groups levers that make the same change in their own manner; a second candidate makes another change.
	way way

	// Saves is the share of the cost of the bytes covered by the finding that goes away.
	Saves Saves

	// callee says that the change is in a function that the line calls: it counts for lines of tests, too.
	callee bool

	// find looks at a line. Levers of the whole program have none.
	find func(*Line) Finding
}

// A way names a change that several levers have in common.
type way string

const (
	reuse       way = "reuse"    // memory is used again
	size        way = "size"     // memory has the right size at once
	together    way = "together" // one object instead of many
	fewerCopies way = "copies"   // of a text
)

// otherwise reports whether two levers do different things.
func (r *Lever) otherwise(than *Lever) bool { return r.way == "" || r.way != than.way }

// Risk names what a change touches besides the memory.
type Risk string

const (
	NoRisk      Risk = "none"        // nobody can tell but by the memory
	API         Risk = "API"         // callers see another signature, or another promise
	Aliasing    Risk = "aliasing"    // the same memory has two names, or has them longer
	Lifetime    Risk = "lifetime"    // memory is used again, and nobody may keep it
	Concurrency Risk = "concurrency" // memory is shared that each goroutine had for itself
)

// Saves are parts of costs, 0 to 1.
type Saves struct {
	Alloc   Range // of finding memory and zeroing it
	Copy    Range // of copying what grows; the zero Range is as Alloc
	Collect Range // of collecting: the bytes that no longer hasten the next collection
	Work    Range // of the rest of the CPU time in Finding.Calls, below the line
}

// A Range has the smallest and the largest of something.
type Range struct{ Lo, Hi float64 }

// A Finding is the evidence of a lever at a line; without any it has found nothing.
type Finding struct {
	Evidence []Evidence
	Share    float64  // of the line's bytes that it is about, 0 to 1
	Also     []Also   // memory of other lines that the change saves, too
	Calls    []string // the functions, as profiles name them, of which Saves.Work is meant
	Saves    Saves    // what goes of Share with this change, where it is not what Lever.Saves says; see Match.Saved
	Edits    []Edit   // the change, made from the source, if the lever knows it; all or none
	Alone    []Edit   // Edits without those of other statements that are the same; nil if there are none
	InPlace  bool     // Edits replace expressions where they stand, so that of those others the lines matter, and not their functions
	Sketch   bool     // Edits show what to do, and are not all of it
	What     string   // what Edits do, with names, for the subject of a commit: "presize the slice ids"; "" for Lever.Subject
}

// An Also is memory that another line allocates, and that is saved with the line's.
type Also struct {
	Line  prof.Frame             // its file and number
	Share func(*site.Site) Range // of the bytes of a site of that line, 0 to 1: a stack need not tell whose they are
}

// An Edit puts text in the place of part of a file.
type Edit struct {
	File     string
	Pos, End int // in bytes; the part is empty where text is only put in
	Text     string
	Stack    string // part of Text that makes memory which the compiler has to leave on the stack; "" if there is none
}

// byPlace puts edits in order: what is put in stands before what is taken away there.
func byPlace(a, b Edit) int {
	return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.End, b.End))
}

// Evidence is something in the source.
type Evidence struct {
	Text string
	File string
	Line int
}

// A Match is a lever that has found something.
type Match struct {
	*Lever
	Finding
}

// Complete reports whether the edits are the whole change, and may be applied without a person.
func (m Match) Complete() bool { return m.Rewrite != "" && len(m.Edits) > 0 && !m.Sketch }

// Saved returns the share of the cost that goes away: that of the change, or what the lever saves as a rule.
func (m Match) Saved() Saves { return cmp.Or(m.Finding.Saves, m.Lever.Saves) }

// Question is what a person has to answer before the change is made; "" if there is nothing to ask, as of a change that
// is complete.
func (m Match) Question() string {
	if m.Complete() {
		return ""
	}
	return m.Asks
}

// OfCallee reports whether the change is in a function that the line calls, and not at the line.
func (r *Lever) OfCallee() bool { return r.callee }

// All are all levers, the cheapest change first.
//
// Left out are: weak caches (they need to know the data), goroutine pools (a goroutine's stack is used again
// by the runtime already), smaller types by order of fields (the savings are a few percent of a size class)
// and off-heap memory (the collector does not see pointers in it).
var All = []*Lever{
	GCSetting,
	unusedValue,
	preallocate,
	growOnce,
	nilBuffer,
	presizeMap,
	smallMap,
	sentinelError,
	compileOnce,
	compileCache,
	repeatedCall,
	constantTable,
	constantVariable,
	indexMap,
	librarySetting,
	reuseTimer,
	oneContextValue,
	concatenate,
	builder,
	stringBuilder,
	byteOrder,
	oneShotHash,
	heapFix,
	hoistClosure,
	interfaceCopy,
	passPointer,
	plainFormat,
	appendText,
	equalFold,
	substring,
	cutText,
	splitSeq,
	splitLocal,
	textConversion,
	knownKey,
	structKey,
	concatBytes,
	wholeText,
	stringWriter,
	sortFunc,
	mapForJSON,
	errorEscape,
	variantStruct,
	poolPointer,
	boxing,
	chunk,
	stringChunk,
	slab,
	inPlace,
	receiverBuffer,
	makeOnWrite,
	buildInBranch,
	lazyPipeline,
	callerBuffer,
	typedPool,
	arenas,
	protobufArena,
	// candidates, which ask: of those that are about nearly as much of a line, the first is named
	repeatedWork,
	byType,
	keepParsed,
	slideQueue,
	compareText,
	unchangedText,
	unchangedTree,
	guardLog,
	writeParts,
	plainLoop,
	plainArguments,
	buildOnce,
	scanText,
	grownText,
	sameText,
	keepText,
	constantBytes,
	runeText,
	tokenText,
	pointInto,
	fewerGoroutines,
	droppedResult,
	droppedError,
	readAgain,
	typedForm,
	keepBox,
	largeElements,
	rareAddress,
	returnValue,
	reflectDirect,
	reflectValue,
	resetReader,
	poolFunction,
	stackValues,
	onDemand,
	mapAgain,
	mergeMap,
	ownerPool,
	fewEntries,
	oneValue,
	beginAgain,
	stackBuffer,
	passValue,
	joinVariables,
	scratch,
	appendForm,
	lateMake,
	embedArray,
	copyOnce,
	copyLater,
	roundTrip,
	sortedCopy,
	mapResult,
	lookupText,
	bufferForm,
	internText,
	textTwice,
	batchStrings,
	batch,
	batchSlices,
	embedObject,
	objectPool,
	reuseItem,
	reuseVariable,
	callObject,
	chunkedBuffer,
	estimateSize,
	sizeMap,
	exactSize,
	costlyCall,
	largeObject,
	inlineArray,
	poolEmpty,
}

// Find returns what the levers find about a site, the cheapest change first: nil if there
// is no source. Where levers are about less than half of the bytes, or a candidate about clearly more of them, a
// candidate comes last (repeated-call does not count: it leaves the first call as it is): the first of those that are about most of the bytes. Where no lever is, a second one may follow that
// does something else, and is about half as much or more.
func (p *Program) Find(s *site.Site) []Match {
	line := p.lineOf(s)
	if line == nil {
		return nil
	}
	all := line.proposed()
	for _, m := range line.complete(all) {
		if !slices.ContainsFunc(all, func(o Match) bool { return o.Lever == m.Lever }) {
			all = append(all, m)
		}
	}
	return all
}

// proposed returns what the levers find, and candidates where they are needed.
func (p *Line) proposed() []Match {
	all := p.match(func(r *Lever) bool { return r.Asks == "" })
	proved := covered(slices.DeleteFunc(slices.Clone(all), func(m Match) bool { return m.Lever == repeatedCall }))
	if proved >= mostWithCandidate {
		return all
	}
	candidates := p.match(func(r *Lever) bool { return r.Asks != "" })
	if len(candidates) == 0 || proved >= 0.5 && covered(candidates) < proved+leastBeyond {
		return all
	}
	most := covered(candidates)
	first := candidates[slices.IndexFunc(candidates, func(m Match) bool { return m.Share >= 0.9*most })]
	if len(all) > 0 {
		return append(all, first)
	}
	second := slices.IndexFunc(candidates, func(m Match) bool {
		return m.Lever != first.Lever && m.Share >= 0.5*most && m.otherwise(first.Lever)
	})
	if second < 0 {
		return []Match{first}
	}
	return []Match{first, candidates[second]}
}

// complete returns what the levers that ask find and can change as a whole, as far as none of some others does the same.
func (p *Line) complete(others []Match) []Match {
	return slices.DeleteFunc(p.match(func(r *Lever) bool { return r.Asks != "" && r.Rewrite != "" }), func(m Match) bool {
		return !m.Complete() || slices.ContainsFunc(others, func(o Match) bool { return o.Asks == "" && o.Complete() && !m.otherwise(o.Lever) })
	})
}

// leastBeyond is the share of a line's bytes that a candidate has to save beyond the levers, where these save about
// half of them or more, as a lever does that saves every second call. Beyond mostWithCandidate no candidate can.
const (
	leastBeyond       = 0.4
	mostWithCandidate = 1 - leastBeyond
)

// covered is the share of the bytes that some levers are about: of the largest, as they may be about the same.
func covered(all []Match) (most float64) {
	for _, m := range all {
		most = max(most, m.Share)
	}
	return most
}

// leastCandidate is the share of a line's bytes that a candidate is about at least.
const leastCandidate = 0.2

// match returns what some levers find.
func (p *Line) match(wanted func(*Lever) bool) (all []Match) {
	for _, r := range All {
		if r.find == nil || !wanted(r) {
			continue
		}
		if f := r.find(p); len(f.Evidence) > 0 && f.Share > 0 && (r.Asks == "" || f.Share >= leastCandidate) {
			f.Share = min(f.Share, 1)
			if p.generated(p.unit) {
				f.Edits = nil // what is edited is another file
			}
			all = append(all, Match{r, f})
		}
	}
	return all
}

// ByName returns a lever, or nil.
func ByName(name string) *Lever {
	if i := slices.IndexFunc(All, func(r *Lever) bool { return r.Name == name }); i >= 0 {
		return All[i]
	}
	return nil
}

// A Line is a line, in its function, with its share of the profile.
type Line struct {
	*Program
	*unit
	site *site.Site
	fn   *function

	found []spot // see spots; nil until it is asked for
}

// at makes evidence of a position.
func (p *Program) at(pos token.Pos, text string) Evidence {
	x := p.fset.Position(pos)
	return Evidence{text, x.Filename, x.Line}
}

// edit puts text in the place of what stands from a position to another.
func (p *Program) edit(pos, end token.Pos, text string) Edit {
	from, to := p.fset.PositionFor(pos, false), p.fset.PositionFor(end, false)
	return Edit{File: from.Filename, Pos: from.Offset, End: to.Offset, Text: text}
}

// text is an expression or statement as it stands in the source, or "" if that cannot be read.
func (p *Program) text(n ast.Node) string { return p.textBetween(n.Pos(), n.End()) }

// textBetween returns the source from a position to another.
func (p *Program) textBetween(pos, end token.Pos) string {
	from, to := p.fset.PositionFor(pos, false), p.fset.PositionFor(end, false)
	data, err := os.ReadFile(from.Filename)
	if err != nil || to.Offset > len(data) {
		return ""
	}
	return string(data[from.Offset:to.Offset])
}

// importing returns the name by which the file calls a package, with the edit that imports it, if it
// does not: nil if it does. ok is false where the name means something else there.
func (p *Line) importing(path string) (name string, edit []Edit, ok bool) {
	name = path[strings.LastIndexByte(path, '/')+1:]
	for _, spec := range p.file.Imports {
		if spec.Path.Value != strconv.Quote(path) {
			continue
		}
		if spec.Name != nil {
			name = spec.Name.Name
		} else if known := p.pkg.TypesInfo.PkgNameOf(spec); known != nil {
			name = known.Name()
		}
		return name, nil, name != "_" && name != "." && p.nameMeans(name, path)
	}
	if p.pkg.Types.Scope().Lookup(name) != nil || p.declaredElsewhere(name) || !p.nameMeans(name, path) {
		return "", nil, false
	}
	pos := p.file.Name.End()
	if end, ok := p.endOfLine(pos); ok {
		pos = end // behind a comment
	}
	text := "\n\nimport " + strconv.Quote(path)
	for _, d := range p.file.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT && d.Lparen.IsValid() {
			pos, text = p.amongImports(d, strconv.Quote(path))
			break
		}
	}
	return name, []Edit{p.edit(pos, pos, text)}, true
}

// endOfLine returns where the line of a position ends; ok is false if more than a comment follows there.
func (p *Line) endOfLine(from token.Pos) (pos token.Pos, ok bool) {
	file := p.fset.File(from)
	line := file.Line(from)
	if line >= file.LineCount() {
		return token.NoPos, false
	}
	pos = file.LineStart(line+1) - 1
	rest := p.textBetween(from, pos)
	if strings.HasSuffix(rest, "\r") {
		return token.NoPos, false
	}
	rest = strings.TrimSpace(rest)
	return pos, rest == "" || strings.HasPrefix(rest, "//")
}

// amongImports is where a path is imported, in the order of the first group, as gofmt has it, and the text to put there.
func (p *Line) amongImports(d *ast.GenDecl, quoted string) (pos token.Pos, text string) {
	pos = d.Lparen + 1
	line := 0
	for _, s := range d.Specs {
		spec := s.(*ast.ImportSpec)
		from, to := spec.Pos(), spec.End()
		if spec.Doc != nil {
			from = spec.Doc.Pos()
		}
		if spec.Comment != nil {
			to = spec.Comment.End()
		}
		if line > 0 && p.fset.Position(from).Line > line+1 {
			break // another group
		}
		if spec.Path.Value > quoted {
			return from, quoted + "\n\t"
		}
		pos, line = to, p.fset.Position(to).Line
	}
	return pos, "\n\t" + quoted
}

// nameMeans reports whether a name, in the function, is that of a package or of nothing.
func (p *Line) nameMeans(name, path string) bool {
	scope := p.pkg.Types.Scope().Innermost(p.fn.body.Pos())
	if scope == nil {
		return false
	}
	// Where in the function the name is used is not known: no scope below may have it, either.
	ok := !p.definesName(p.fn.node, name, nil)
	_, object := scope.LookupParent(name, token.NoPos)
	used, isPackage := object.(*types.PkgName)
	return ok && (object == nil || isPackage && used.Imported().Path() == path)
}

// direct is the share of the bytes that the line allocates without a call, but for those
// of the runtime.
func (p *Line) direct() float64 { return p.leaves(directly) }

// others reports whether the line allocates, by itself, something else than what a map or slice
// grows by: a profile does not tell these apart.
func (p *Line) others() bool {
	return slices.ContainsFunc(p.spots(), func(s spot) bool {
		switch n := s.node.(type) {
		case *ast.CallExpr:
			return p.builtin(n, "make") != nil || p.builtin(n, "new") != nil || p.copiesText(n)
		case *ast.BinaryExpr:
			return n.Op == token.ADD && isString(p.typeOf(n)) && !p.constant(n)
		case *ast.AssignStmt:
			return p.setsElement(s) != nil && slices.ContainsFunc(n.Rhs, func(e ast.Expr) bool {
				return len(n.Lhs) == len(n.Rhs) && types.IsInterface(p.typeOf(n.Lhs[slices.Index(n.Rhs, e)])) && p.needsMemory(e)
			})
		case *ast.CompositeLit, *ast.FuncLit:
			return p.onSite(n.Pos()) && p.allocates(s)
		}
		return false
	})
}

// allocates reports whether a literal may be an object of its own.
func (p *Line) allocates(s spot) bool {
	lit, ok := s.node.(*ast.CompositeLit)
	if !ok {
		return true
	}
	switch p.typeOf(lit).Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	}
	u, ok := s.parent().(*ast.UnaryExpr)
	return ok && u.Op == token.AND
}

// copiesText reports whether a call is a conversion between a string and a slice.
func (p *Line) copiesText(call *ast.CallExpr) bool {
	if len(call.Args) != 1 || !p.pkg.TypesInfo.Types[call.Fun].IsType() {
		return false
	}
	_, toSlice := p.typeOf(call).Underlying().(*types.Slice)
	_, fromSlice := p.typeOf(call.Args[0]).Underlying().(*types.Slice)
	return fromSlice && isString(p.typeOf(call)) || toSlice && isString(p.typeOf(call.Args[0]))
}

// leaves is the share of the bytes of some leaves.
func (p *Line) leaves(of func(site.Leaf) bool) float64 {
	sum := int64(0)
	for _, l := range p.site.Leaves {
		if of(l) {
			sum += l.Bytes
		}
	}
	return float64(sum) / float64(max(p.site.Bytes, 1))
}

// most returns the text that about gives for most of the bytes, and their share: of two the one that sorts first,
// "" for none.
func (p *Line) most(about func(site.Leaf) string) (what string, share float64) {
	sums := map[string]int64{}
	for _, l := range p.site.Leaves {
		if text := about(l); text != "" {
			sums[text] += l.Bytes
		}
	}
	for _, text := range slices.Sorted(maps.Keys(sums)) {
		if what == "" || sums[text] > sums[what] {
			what = text
		}
	}
	return what, float64(sums[what]) / float64(max(p.site.Bytes, 1))
}

// mostBelow is the function below which most of the bytes are allocated, of those of which something holds, the
// outermost of each stack: what its caller hands down saves most.
func (p *Line) mostBelow(holds func(prof.Frame) bool) (name string, share float64) {
	return p.most(func(l site.Leaf) string {
		for _, frame := range slices.Backward(append([]prof.Frame{p.site.Frame}, l.Callers...)) {
			if holds(frame) {
				return frame.Func
			}
		}
		return ""
	})
}

// through is the share of the bytes that are allocated by way of one of some functions. Those of a
// package, when the program has it below vendor, have that before it.
func (p *Line) through(names ...string) float64 {
	return p.leaves(func(l site.Leaf) bool {
		return slices.ContainsFunc(l.Path, func(f prof.Frame) bool {
			return slices.ContainsFunc(names, func(name string) bool { return f.Func == name || strings.HasSuffix(f.Func, "/vendor/"+name) })
		})
	})
}

// objectSize is the mean size of an object of the site, in bytes.
func (p *Line) objectSize() float64 {
	return float64(p.site.Bytes) / float64(max(p.site.Objects, 1))
}

// callers are the lines that call the site's function, most bytes first.
func (p *Line) callers() []prof.Frame {
	sums := map[prof.Frame]int64{}
	var all []prof.Frame
	for _, l := range p.site.Leaves {
		if _, ok := sums[l.Caller()]; !ok {
			all = append(all, l.Caller())
		}
		sums[l.Caller()] += l.Bytes
	}
	slices.SortStableFunc(all, func(a, b prof.Frame) int { return cmp.Compare(sums[b], sums[a]) })
	return all
}

// each returns the number of objects that the line makes in an operation of a benchmark: of the one that was profiled,
// or, if there are several, of the one that makes most. What goroutines make is divided by the operations of all
// benchmarks. It returns 0 if the number of operations is not known.
func (p *Line) each() (most float64) {
	if n := cmp.Or(p.site.Ops, p.Ops); n > 0 {
		return float64(p.site.Objects) / float64(n)
	}
	all := int64(0)
	for _, n := range p.OpsOf {
		all += n
	}
	for name, objects := range p.site.Benchmarks {
		n := all
		if i := strings.LastIndex(name, "."); i >= 0 && p.OpsOf[strings.TrimSuffix(name[:i], "_test")+name[i:]] > 0 {
			n = p.OpsOf[strings.TrimSuffix(name[:i], "_test")+name[i:]]
		}
		if n > 0 {
			most = max(most, float64(objects)/float64(n))
		}
	}
	return most
}
