package lever

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

var costlyCall = &Lever{
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
	Saves: Saves{Alloc: Range{0.5, 1}, Collect: Range{0.5, 1}, Work: Range{0, 1}},
	find:  findCostlyCall,
}

const leastCostly = 0.3 // of the line's bytes

func findCostlyCall(p *Line) (f Finding) {
	text, share := p.most(func(l site.Leaf) string {
		if len(l.Path) == 0 {
			return ""
		}
		return otherWays()[l.Path[0].Func]
	})
	if share >= leastCostly {
		if f = p.costlyHere(text, share); f.Evidence != nil {
			return f
		}
	}
	if f = p.boxedFor(); f.Evidence != nil {
		return f
	}
	if f = p.literalFor(); f.Evidence != nil {
		return f
	}
	if f = p.boxedToFormat(); f.Evidence != nil {
		return f
	}
	return p.costlyBelow()
}

// costlyHere is about a call of the line that there is something to say of.
func (p *Line) costlyHere(text string, share float64) (f Finding) {
	var all []string
	for _, l := range p.site.Leaves {
		if len(l.Path) > 0 && otherWays()[l.Path[0].Func] == text && !slices.Contains(all, l.Path[0].Func) {
			all = append(all, l.Path[0].Func)
		}
	}
	for _, s := range p.spots() {
		call, ok := s.node.(*ast.CallExpr)
		if !ok {
			continue
		}
		i := slices.IndexFunc(all, func(name string) bool { return p.callsNamed(call, name) })
		if i < 0 {
			continue
		}
		name := all[i]
		if fits := wayFits()[name]; fits != nil && !slices.ContainsFunc(p.callsOnLine(), func(c *ssa.Call) bool { return c.Pos() == call.Lparen && fits(p, c) }) {
			continue
		}
		said := name[strings.LastIndexByte(name, '/')+1:] + ": " + text
		if p.readsTag(call) {
			said = tagRead
		}
		if p.formatsAny(call) {
			said = anyText
		}
		if pattern := p.patternOf(call); pattern != "" {
			said += "; the pattern is " + pattern
		}
		return Finding{Share: share, Calls: all, Evidence: []Evidence{p.at(call.Pos(), said)}}
	}
	return f
}

// callsNamed reports whether an expression calls a function with the last name of one in a profile, or, as the only one of
// the line, a function value.
func (p *Line) callsNamed(call *ast.CallExpr, name string) bool {
	if fn := p.callee(call); fn != nil {
		return fn.Name() == name[strings.LastIndexByte(name, '.')+1:]
	}
	return p.isOnlyValue(call)
}

// isOnlyValue reports whether a call is one of a function value, and the only one of the line.
func (p *Line) isOnlyValue(call *ast.CallExpr) bool {
	n, found := 0, false
	for _, c := range p.callsOnLine() {
		if _, builtin := c.Call.Value.(*ssa.Builtin); !builtin && !c.Call.IsInvoke() && c.Call.StaticCallee() == nil {
			n++
			found = found || c.Pos() == call.Lparen
		}
	}
	return found && n == 1
}

// boxedFor is about a value that becomes an object of its own, as an interface for a function that sorts or for a
// container.
func (p *Line) boxedFor() (f Finding) {
	share := p.direct()
	if share < leastCostly || p.others() {
		return f
	}
	for _, c := range p.callsOnLine() {
		name := nameOfCall(c)
		if !strings.HasPrefix(name, "sort.") && !strings.HasPrefix(name, "container/") && !strings.HasPrefix(name, "(*sync.Map).") && !strings.HasPrefix(name, "(*container/") {
			continue
		}
		text := otherWay(name)
		if text == "" || !slices.ContainsFunc(c.Call.Args, boxesValue) {
			continue
		}
		return Finding{Share: share, Evidence: []Evidence{p.at(c.Pos(), name+" is given a value as an interface, an object for each call: "+text)}}
	}
	return f
}

// literalFor is about a function literal that is made for a call.
func (p *Line) literalFor() (f Finding) {
	share := p.direct()
	if share < leastCostly {
		return f
	}
	for _, c := range p.callsOnLine() {
		name := nameOfCall(c)
		text := otherWay(name)
		if text != "" && wayFits()[profiledName(name)] == nil && slices.ContainsFunc(c.Call.Args, isClosure) {
			return Finding{Share: 1, Evidence: []Evidence{p.at(c.Pos(), name+" is given a function literal, an object for each call: "+text)}}
		}
	}
	return f
}

// boxedToFormat is about values that become interfaces for a function of the program which hands them to package fmt.
func (p *Line) boxedToFormat() (f Finding) {
	share := p.direct()
	if share < leastCostly {
		return f
	}
	for _, c := range p.callsOnLine() {
		callee := c.Call.StaticCallee()
		if callee == nil || !callee.Signature.Variadic() || len(callee.Blocks) == 0 || !boxesRest(c) || errorResult(callee.Signature) >= 0 {
			continue
		}
		if by := formatsRest(callee); by != "" {
			return Finding{Share: share, Evidence: []Evidence{p.at(c.Pos(), fmt.Sprintf("values become interfaces for %s, which gives them to %s: a form of it that takes a string, and one for numbers by the Append functions of strconv, needs none", nameOf(callee), by))}}
		}
	}
	return f
}

// boxesRest reports whether a value that is not a pointer is made an interface for the last, variadic parameter.
func boxesRest(c *ssa.Call) bool {
	rest := c.Call.Args[len(c.Call.Args)-1]
	return isVarargs(rest) && slices.ContainsFunc(storesInto(rest.(*ssa.Slice).X), func(s *ssa.Store) bool { return boxesValue(s.Val) })
}

// formatsRest is the function of package fmt that one hands its last parameter to, and does nothing else with; "" if there is none.
func formatsRest(fn *ssa.Function) (by string) {
	for _, in := range *fn.Params[len(fn.Params)-1].Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef:
		case *ssa.Call:
			if name := nameOfCall(in); strings.HasPrefix(name, "fmt.") && name != "fmt.Errorf" && by == "" {
				by = name
				continue
			}
			return ""
		default:
			return ""
		}
	}
	return by
}

func isClosure(v ssa.Value) bool {
	_, ok := v.(*ssa.MakeClosure)
	return ok
}

// boxesValue reports whether a value is made an interface here, and takes memory for it.
func boxesValue(v ssa.Value) bool {
	box, ok := v.(*ssa.MakeInterface)
	return ok && mayAllocate(box)
}

// deepWays maps functions somewhere below a call to what to do about them.
var deepWays = map[string]string{
	"bufio.NewReaderSize": "it makes a bufio.Reader with its buffer, unless it is given one that is large enough: give it one that is used again",
	"bufio.NewWriterSize": "it makes a bufio.Writer with its buffer, unless it is given one that is large enough: give it one that is used again",
	"github.com/go-openapi/validate.(*Result).addRootObjectSchemata": "the result collects a copy of the schema of each value: validate.WithSkipSchemataResult(true) leaves these out where only the errors are wanted",
	"time.FixedZone":                                                      "a zone is made for each time with an offset of its own: keep a *time.Location for each offset, or take the time as UTC where the offset does not matter",
	"compress/flate.NewWriter":                                            compressorMade,
	"compress/flate.NewWriterDict":                                        compressorMade,
	"github.com/klauspost/compress/flate.NewWriter":                       compressorMade,
	"github.com/klauspost/compress/flate.NewWriterDict":                   compressorMade,
	"image.(*RGBA).At":                                                    pixelsAsked,
	"image.(*NRGBA).At":                                                   pixelsAsked,
	"image.(*Gray).At":                                                    pixelsAsked,
	"image.(*YCbCr).At":                                                   pixelsAsked,
	"image/color.rgbaModel":                                               pixelsAsked,
	"image/color.(*modelFunc).Convert":                                    pixelsAsked,
	"os.(*unixDirent).Info":                                               "each file is asked for by lstat: an fs.DirEntry knows name and type without; ask for Info only where the size or the time is wanted",
	"encoding/json.(*decodeState).objectInterface":                        decodedToAny,
	"encoding/json.(*decodeState).arrayInterface":                         decodedToAny,
	"github.com/mitchellh/mapstructure.Decode":                            byStructure,
	"github.com/mitchellh/mapstructure.WeakDecode":                        byStructure,
	"github.com/mitchellh/mapstructure.(*Decoder).Decode":                 byStructure,
	"github.com/go-viper/mapstructure/v2.Decode":                          byStructure,
	"github.com/go-viper/mapstructure/v2.WeakDecode":                      byStructure,
	"github.com/go-viper/mapstructure/v2.(*Decoder).Decode":               byStructure,
	"net/netip.parseIPv4Fields":                                           failedTry,
	"time.newParseError":                                                  failedTry,
	"strconv.syntaxError":                                                 failedTry,
	"strconv.rangeError":                                                  failedTry,
	"github.com/antlr4-go/antlr/v4.(*ParserATNSimulator).AdaptivePredict": predicted,
	"github.com/antlr/antlr4/runtime/Go/antlr/v4.(*ParserATNSimulator).AdaptivePredict": predicted,
}

const (
	decodedToAny   = "objects become maps and lists of any, with each value an object: decode into a struct of what is wanted, or go over the tokens"
	byStructure    = "mapstructure makes a decoder, and goes by reflection: convert the usual types in a type switch before it"
	copies32       = "io.Copy makes a buffer of 32 KB where neither side has WriteTo or ReadFrom: give io.CopyBuffer one that is used again, or the writer a ReadFrom"
	failedTry      = "it fails, and makes an error with a copy of the text, for each try: look at the text first, or try the usual form first"
	tagRead        = "a struct tag is read for each value: what it says is the same for all of a type, and can be kept in a sync.Map by reflect.Type"
	anyText        = "a value of any type is formatted: in a type switch before it, a string is the text as it is, and strconv makes that of numbers"
	compressorMade = "the first Write of a writer that compresses makes its compressor, of up to 800 KB: keep the writer in a sync.Pool, and Reset it for the next stream; it is unused after Close"
	pixelsAsked    = "each pixel is asked for by At, or set by Set, which makes a color an object: call it in the form that knows the type of the image (without a mask, or with an image that it has a loop for), or give it a wrapper whose At returns a pointer to one color that is used again"
	predicted      = "the parser predicts with full context: parse in SLL mode first (SetPredictionMode of its interpreter), and again in LL mode only if that finds an error"
)

// costlyBelow is about a call that does something below which costs.
func (p *Line) costlyBelow() (f Finding) {
	text, share := p.most(func(l site.Leaf) string { return wayBelow(l.Path) })
	if share < leastCostly {
		return f
	}
	for _, s := range p.spots() {
		call, ok := s.node.(*ast.CallExpr)
		if !ok || p.calleeName(call) == "" && !p.isOnlyValue(call) || !p.leadsBelow(call, text) {
			continue
		}
		if p.readsTag(call) {
			text = tagRead
		}
		return Finding{Share: share, Evidence: []Evidence{p.at(call.Pos(), types.ExprString(call.Fun)+": "+text)}}
	}
	return f
}

// leadsBelow reports whether a call is one that the stacks with something to say begin with: by its name, or by an
// interface or a function value.
func (p *Line) leadsBelow(call *ast.CallExpr, text string) bool {
	return slices.ContainsFunc(p.site.Leaves, func(l site.Leaf) bool {
		return len(l.Path) > 0 && wayBelow(l.Path) == text && p.callsNamed(call, l.Path[0].Func)
	})
}

// wayBelow returns the advice for the functions on a path, or "".
func wayBelow(path []prof.Frame) string {
	if len(path) == 0 || strings.HasPrefix(path[0].Func, "bufio.") {
		return ""
	}
	for _, f := range path {
		if text := deepWays[f.Func]; text != "" {
			return text
		}
	}
	return leafWays[path[len(path)-1].Func]
}

// leafWays maps functions that allocate themselves to what to do about them.
var leafWays = map[string]string{
	"io.copyBuffer":       copies32,
	"net/netip.ParseAddr": failedTry,
}

// formatsAny reports whether a call formats one value of any type, and nothing else.
func (p *Line) formatsAny(call *ast.CallExpr) bool {
	value := 0
	switch p.calleeName(call) {
	case "Sprint":
	case "Sprintf":
		if len(call.Args) == 0 {
			return false
		}
		if format, _ := p.stringOf(call.Args[0]); format != "%v" && format != "%s" {
			return false
		}
		value = 1
	default:
		return false
	}
	if len(call.Args) != value+1 || call.Ellipsis.IsValid() {
		return false
	}
	is, ok := p.typeOf(call.Args[value]).Underlying().(*types.Interface)
	return ok && is.NumMethods() == 0
}

// readsTag reports whether a call is given what a struct tag says.
func (p *Line) readsTag(call *ast.CallExpr) bool {
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
func (p *Line) patternOf(call *ast.CallExpr) string {
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
	byNetip  = "values of package net/netip are not objects"

	byReplacer = "a Replacer of texts longer than a byte makes a buffer and a string for each text, also where nothing is to be replaced: look first, by strings.ContainsAny or IndexByte, and return the text as it is"
	byTitle    = "it copies the text rune by rune: keep the result for each name, or change the first letter only where it is lower case"
	byParts    = "the parts can be appended one by one to a strings.Builder or a buffer that is there, without a slice and a string of them"
	byClean    = "it puts the path together and cleans it: where both parts are clean, + or an append to a buffer that is there does"
	byAddress  = "most addresses are plain, a@b or name <a@b>: look for these by hand first, and leave the others to the parser; where the same come again, keep what was parsed"
	byKey      = "a name that is not in canonical form is copied: canonicalize each once, look for the usual ones in a table by switch string(b), and do not canonicalize again what is canonical"
	byFound    = "it copies the bytes also where it finds nothing: look first, by bytes.Contains or IndexByte, and take them as they are"
	byReplaced = "each call makes a whole copy where it finds something: one pass over the text, which appends to a strings.Builder, does for several"
)

// otherWays maps functions, by their names in profiles, to what to do instead.
var otherWays = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, table := range []map[string]string{ways, moreWays} {
		for name, instead := range table {
			all[profiledName(name)] = instead
		}
	}
	return all
})

// otherWay returns the alternative to a function, by its full name, or "".
func otherWay(name string) string { return otherWays()[profiledName(name)] }

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

	"(*strings.Replacer).Replace": byReplacer, "strings.Title": byTitle, "strings.Join": byParts, "bytes.Join": byParts, "path.Join": byClean, "path/filepath.Join": byClean,
	"net/mail.ParseAddress": byAddress, "net/mail.ParseAddressList": byAddress, "(*net/mail.AddressParser).Parse": byAddress, "(*net/mail.AddressParser).ParseList": byAddress,
	"net/textproto.CanonicalMIMEHeaderKey": byKey, "net/http.CanonicalHeaderKey": byKey,
	"strings.ReplaceAll": byReplaced, "strings.Replace": byReplaced, "bytes.ReplaceAll": byFound, "bytes.Replace": byFound,

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
	"runtime/debug.Stack": "it is wanted only if it is read: take runtime.Callers, and format later",
}
