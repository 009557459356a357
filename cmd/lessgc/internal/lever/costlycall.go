package lever

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

var costlyCall = &Rule{
	Name:  "costly-call",
	Title: "do without the call, or with the form of it that allocates less",
	Looks: "calls of functions of the standard library that allocate for convenience, where there is another way: regexp, sort, splitting, formatting, reading lines, containers of interfaces and others.",
	Wrong: "when what the call does beside is wanted, or it is not called often.",
	Before: `name := nameOf.FindString(line) // regexp.MustCompile("[A-Za-z0-9-]+")
line, err := r.ReadString('\n')`,
	After: `n := 0
for n < len(line) && isNameByte(line[n]) {
	n++
}
name := line[:n]
line, err := r.ReadSlice('\n') // and a copy of what is kept`,
	Model: "What the call allocates goes, or most of it.",
	Risk:  NoRisk,
	Asks:  "Does the other way do all that is wanted of the call here?",
	Saves: Saves{Alloc: Range{0.5, 1}, Collect: Range{0.5, 1}, Work: Range{0, 0.7}},
	find:  findCostlyCall,
}

const leastCostly = 0.3 // of the line's bytes

func findCostlyCall(p *Place) (f Finding) {
	shares := map[string]float64{}
	most := ""
	for _, l := range p.site.Leaves {
		if len(l.Path) == 0 || otherWays()[l.Path[0].Func] == "" {
			continue
		}
		name := l.Path[0].Func
		shares[name] += float64(l.Bytes) / float64(max(p.site.Bytes, 1))
		if most == "" || shares[name] > shares[most] {
			most = name
		}
	}
	if most == "" || shares[most] < leastCostly {
		return p.costlyBelow()
	}
	called := most[strings.LastIndexByte(most, '.')+1:]
	for _, s := range p.spots() {
		call, ok := s.node.(*ast.CallExpr)
		if !ok || p.calleeName(call) != called {
			continue
		}
		text := most[strings.LastIndexByte(most, '/')+1:] + ": " + otherWays()[most]
		if p.readsTag(call) {
			text = tagRead
		}
		if pattern := p.patternOf(call); pattern != "" {
			text += "; the pattern is " + pattern
		}
		return Finding{Share: shares[most], Calls: []string{most}, Evidence: []Evidence{p.at(call.Pos(), text)}}
	}
	return f
}

// deepWays says what to do about functions somewhere below a call.
var deepWays = map[string]string{
	"bufio.NewReaderSize": "it makes a bufio.Reader with its buffer, unless it is given one that is large enough: give it one that is used again",
	"bufio.NewWriterSize": "it makes a bufio.Writer with its buffer, unless it is given one that is large enough: give it one that is used again",
	"time.newParseError":  failedTry,
	"strconv.syntaxError": failedTry,
	"strconv.rangeError":  failedTry,
	"github.com/antlr4-go/antlr/v4.(*ParserATNSimulator).AdaptivePredict":               predicted,
	"github.com/antlr/antlr4/runtime/Go/antlr/v4.(*ParserATNSimulator).AdaptivePredict": predicted,
}

const (
	failedTry = "it fails, and makes an error with a copy of the text, for each try: look at the text first, or try the usual form first"
	tagRead   = "a struct tag is read for each value: what it says is the same for all of a type, and can be kept in a sync.Map by reflect.Type"
	predicted = "the parser predicts with full context: parse in SLL mode first (SetPredictionMode of its interpreter), and again in LL mode only if that finds an error"
)

// costlyBelow is about a call that does something below which costs.
func (p *Place) costlyBelow() (f Finding) {
	shares := map[string]float64{}
	for _, l := range p.site.Leaves {
		for _, text := range waysBelow(l.Path) {
			shares[text] += float64(l.Bytes) / float64(max(p.site.Bytes, 1))
		}
	}
	for text, share := range shares {
		if share < leastCostly || share <= f.Share {
			continue
		}
		for _, s := range p.spots() {
			if call, ok := s.node.(*ast.CallExpr); ok && p.calleeName(call) != "" {
				if p.readsTag(call) {
					text = tagRead
				}
				f = Finding{Share: share, Evidence: []Evidence{p.at(call.Pos(), types.ExprString(call.Fun)+": "+text)}}
				break
			}
		}
	}
	return f
}

// waysBelow is what there is to say of the functions on a path, but for the first, each once.
func waysBelow(path []prof.Frame) (all []string) {
	for i, f := range path {
		text := deepWays[f.Func]
		if i > 0 && text != "" && !strings.HasPrefix(path[0].Func, "bufio.") && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// readsTag reports whether a call is given what a struct tag says.
func (p *Place) readsTag(call *ast.CallExpr) bool {
	for _, c := range p.callsOnLine() {
		if c.Pos() == call.Lparen && slices.ContainsFunc(c.Call.Args, func(v ssa.Value) bool { return fromTag(v, 0) }) {
			return true
		}
	}
	return false
}

// fromTag reports whether a string is what a method of reflect.StructTag returns.
func fromTag(v ssa.Value, depth int) bool {
	switch v := v.(type) {
	case *ssa.Call:
		return strings.HasPrefix(nameOfCall(v), "(reflect.StructTag).")
	case *ssa.Extract:
		return fromTag(v.Tuple, depth)
	case *ssa.Phi:
		return depth < 2 && slices.ContainsFunc(v.Edges, func(v ssa.Value) bool { return fromTag(v, depth+1) })
	}
	return false
}

// calleeName is the name of the function or method that is called, "" if it is a value.
func (u *unit) calleeName(call *ast.CallExpr) string {
	if fn := u.callee(call); fn != nil {
		return fn.Name()
	}
	return ""
}

// patternOf is the pattern of the regular expression whose method is called, if a variable of the package
// is made of it; "" if it is not known.
func (p *Place) patternOf(call *ast.CallExpr) string {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || short(p.typeOf(sel.X)) != "*regexp.Regexp" {
		return ""
	}
	v := p.object(sel.X)
	if v == nil {
		return ""
	}
	found := ""
	for _, file := range p.pkg.Syntax {
		for _, d := range file.Decls {
			ast.Inspect(d, func(n ast.Node) bool {
				spec, ok := n.(*ast.ValueSpec)
				for i := 0; ok && i < len(spec.Names) && len(spec.Names) == len(spec.Values); i++ {
					made, isCall := spec.Values[i].(*ast.CallExpr)
					if p.pkg.TypesInfo.Defs[spec.Names[i]] == v && isCall && len(made.Args) == 1 {
						found, _ = p.stringOf(made.Args[0])
					}
				}
				return found == ""
			})
		}
	}
	return found
}

const (
	byLoop   = "a loop over the text, or functions of package strings, find the same without its own memory, if the pattern is as plain as most"
	byCut    = "go from one separator to the next, by strings.Cut, strings.IndexByte or an iterator such as strings.SplitSeq, without a slice of the parts"
	bySorts  = "slices.SortFunc takes no interface and no function for swaps; where the elements are mostly in order, look first whether they are"
	byAppend = "the Append form writes into a buffer that is there"
	byTyped  = "elements become interfaces and objects of their own: a list or heap of the type itself, with the links in the element, needs none"
	bySlice  = "ReadSlice gives the line where it is read; what is kept can be copied into a chunk of several"
	byCase   = "it copies as soon as a letter changes: bring the text into one case where it comes in, or compare by EqualFold"
	byBytes  = "where the bytes are there, a function of the package, such as Checksum, Update or Sum256, takes them without an object; else keep it, with Reset"
	byWriter = "write or read in turn, or keep the object in the owner: it has only references"
	byPlain  = "many patterns are plain text with an anchor or a star: strings.HasPrefix, HasSuffix, Cut and a loop match these; compile only the others, and each once"
	byNetip  = "values of package net/netip are no objects"
)

// otherWays says what to do instead of functions, by their names in profiles.
var otherWays = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for name, instead := range ways {
		all[profiledName(name)] = instead
	}
	return all
})

// ways are otherWays by the functions' full names.
var ways = map[string]string{
	"(*regexp.Regexp).FindString": byLoop, "(*regexp.Regexp).FindStringIndex": byLoop, "(*regexp.Regexp).FindStringSubmatch": byLoop,
	"(*regexp.Regexp).FindStringSubmatchIndex": byLoop, "(*regexp.Regexp).FindAllString": byLoop, "(*regexp.Regexp).FindAllStringSubmatch": byLoop,
	"(*regexp.Regexp).FindAllStringIndex": byLoop, "(*regexp.Regexp).Find": byLoop, "(*regexp.Regexp).FindIndex": byLoop, "(*regexp.Regexp).FindSubmatch": byLoop,
	"(*regexp.Regexp).ReplaceAllString": byLoop, "(*regexp.Regexp).ReplaceAllStringFunc": byLoop, "(*regexp.Regexp).ReplaceAllLiteralString": byLoop,
	"(*regexp.Regexp).Split": byLoop, "(*regexp.Regexp).MatchString": byLoop,

	"strings.Split": byCut, "strings.SplitN": byCut, "strings.SplitAfter": byCut, "strings.Fields": byCut, "strings.FieldsFunc": byCut,
	"bytes.Split": byCut, "bytes.SplitN": byCut, "bytes.Fields": byCut,

	"sort.Slice": bySorts, "sort.SliceStable": bySorts, "sort.Sort": bySorts, "sort.Stable": bySorts,

	"encoding/hex.EncodeToString": byAppend, "(*encoding/base64.Encoding).EncodeToString": byAppend,
	"(*encoding/base64.Encoding).DecodeString": "Decode takes a buffer, and the bytes need no string", "encoding/hex.DecodeString": "Decode takes a buffer",

	"(*container/list.List).PushBack": byTyped, "(*container/list.List).PushFront": byTyped, "(*container/list.List).InsertBefore": byTyped,
	"(*container/list.List).InsertAfter": byTyped, "container/heap.Push": byTyped, "container/heap.Pop": byTyped,
	"(*sync.Map).Store": "keys and values become interfaces: a map of the types, with a lock, needs none", "(*sync.Map).LoadOrStore": "keys and values become interfaces, also those that are there already: Load first, or take a map of the types with a lock",

	"(*bufio.Reader).ReadString": bySlice, "(*bufio.Reader).ReadBytes": bySlice, "(*bufio.Scanner).Text": "Bytes gives the token where it is read; what is kept can be copied into a chunk of several",
	"io.ReadAll":        "its buffer grows from 512 bytes: where the length is known, io.ReadFull reads into one slice of that; what is in memory already needs no copy",
	"io/ioutil.ReadAll": "its buffer grows from 512 bytes: where the length is known, io.ReadFull reads into one slice of that; what is in memory already needs no copy",

	"fmt.Sprintf": "strconv and + make the text without interfaces and a verb for each value", "fmt.Sprint": "strconv and + make the text without interfaces",
	"fmt.Fprintf": "the parts can be written one by one, or by the Append functions of strconv", "fmt.Fprint": "the parts can be written one by one",
	"fmt.Sscanf": "strings.Cut and strconv read it without interfaces", "fmt.Sscan": "strings.Fields and strconv read it without interfaces", "fmt.Fscanf": "a bufio.Scanner and strconv read it without interfaces",

	"encoding/binary.Read": "one io.ReadFull into an array, and the methods of binary.BigEndian or LittleEndian for each field", "encoding/binary.Write": "the Append methods of binary.BigEndian or LittleEndian into one buffer",
	"(*net/url.URL).Query": "all parameters are parsed, into a map, at each call: keep the result, or look for the one that is wanted in RawQuery", "net/url.ParseQuery": "all parameters are parsed, into a map: look for those that are wanted in the text",
	"mime.ParseMediaType": "the same few texts come again: compare with the usual ones first, or keep what was parsed",
	"net.ParseIP":         byNetip, "net.ParseCIDR": byNetip, "(net.IP).String": byNetip, "net.ParseMAC": byNetip,
	"encoding/json.MarshalIndent": "the text is made twice: an Encoder with SetIndent makes it once", "encoding/json.Indent": "an Encoder with SetIndent indents while it encodes",
	"(*encoding/csv.Reader).Read": "with ReuseRecord the slice of a row is used again: its strings can be kept, the slice cannot",
	"hash/crc32.New":              byBytes, "hash/crc32.NewIEEE": byBytes, "hash/adler32.New": byBytes, "hash/crc64.New": byBytes, "hash/fnv.New32": byBytes, "hash/fnv.New32a": byBytes,
	"hash/fnv.New64": byBytes, "hash/fnv.New64a": byBytes, "crypto/sha256.New": byBytes, "crypto/sha1.New": byBytes, "crypto/md5.New": byBytes, "crypto/sha512.New": byBytes,
	"io.MultiWriter": byWriter, "io.TeeReader": byWriter, "io.MultiReader": byWriter, "io.LimitReader": byWriter, "io.NewSectionReader": byWriter,
	"(*encoding/xml.Decoder).DecodeElement": "it reads by reflection: for text, a loop over Token up to the end of the element gathers it in one buffer",
	"regexp.Compile":                        byPlain, "regexp.MustCompile": byPlain,
	"strings.ToLower": byCase, "strings.ToUpper": byCase, "bytes.ToLower": byCase, "bytes.ToUpper": byCase,
	"fmt.Errorf":          "an error of a type of its own formats when it is printed; where it only says no, a bool or an error made once does",
	"runtime/debug.Stack": "it is wanted only if somebody looks at it: take runtime.Callers, and format later",
}
