package lever

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/tools/go/ssa"
)

const (
	byUnmarshal   = "the Decoder has a buffer of its own, which grows from 512 bytes, for one value: read the body into a buffer that is used again (or of its known length), and json.Unmarshal it; Unmarshal does not accept what follows the value"
	byHeader      = "it makes a slice of one string for each call: assign one that is made once, h[\"Vary\"] = vary with var vary = []string{\"Origin\"}, if the field is not there yet; the key has to be in its canonical form, and no one may write to the slice"
	byRawToken    = "Token makes an interface of each StartElement a second time: RawToken does not, where name spaces and the matching of end tags are not wanted; text is to be copied only where it is kept"
	byBlanks      = "the same few characters again: slice a constant that is long enough, blanks[:n]"
	byReader      = "the text is copied to be read: strings.NewReader reads it where it is"
	byCopyN       = "it makes a LimitedReader for each call: the Discard method of a bufio.Reader skips, and io.ReadFull reads a few bytes into a buffer that is there"
	byDecode      = "a buffer of 1 KB and more: a text that is in memory, or is read whole, is decoded at once by Encoding.Decode"
	byDetect      = "it copies the text and counts all of it: detect on the first few KB, or only where the text is not valid UTF-8 and no character set is declared"
	byEncoder     = "the text is copied out of the encoder's buffer only to be written: json.NewEncoder(w).Encode writes it directly (it adds a newline)"
	byPointer     = "it goes along the path by reflection for each value: look into map[string]any and structs by a type switch first, and keep the numbers of fields by reflect.Type"
	byRoot        = "a transaction is an object: who only reads takes Root() or Get of the tree, and starts a transaction with the first change"
	byNodes       = "it makes a Selection for each node: go over sel.Nodes, and use the *html.Node"
	byMatcher     = "the selector is compiled for each call: compile it once (cascadia.Compile), and take FindMatcher, IsMatcher or FilterMatcher"
	byParser      = "it makes a slice for each section, and an object for each record: a Parser goes from record to record, and skips what is not wanted"
	byRune        = "four bytes for each character, of all: utf8.DecodeRune takes one after the other from the bytes"
	byColor       = "each color becomes an interface: the method of the type, RGBAAt, NRGBAAt, GrayAt or YCbCrAt (or RGBA64At of image.RGBA64Image), or Pix itself, gives it without"
	byGob         = "each Encoder sends the types again, and each Decoder makes its programs for them again: keep one for each stream"
	byEqual       = "it boxes both values and keeps a map of the pointers seen: compare fields by ==, slices.Equal, maps.Equal or bytes.Equal"
	bySmallSource = "a source of math/rand has 4.9 KB, and is seeded by 607 steps: take a PCG of math/rand/v2, of 16 bytes, or its functions, which need no source"
	byResetter    = "what it returns is a flate.Resetter (zlib.Resetter): keep it in a sync.Pool, and Reset it, with its 40 KB"
	byAddrPort    = "the address is a new object for each packet: ReadFromUDPAddrPort and WriteToUDPAddrPort take a netip.AddrPort"
	byFill        = "FillBytes writes into a buffer that is there"
	byKeyed       = "what it makes depends on the key only: keep it for the key (a hash: with Reset)"
	byWalkDir     = "it asks for each file by lstat: filepath.WalkDir gives an fs.DirEntry, which knows name and type without"
	byEntries     = "it asks for each file by lstat: ReadDir gives entries that know name and type without"
	byCollect     = "it grows by append: make the slice with the length of the map, and take slices.AppendSeq"
	byContext     = "each call copies the whole request: put the values in one context, and copy once"
	byStack       = "the error records a stack, some 300 bytes, each time: an error that is expected needs none; fmt.Errorf, or one made once, does"
	byRawTag      = "it makes strings, and a slice of the attributes, of each token: TagName, TagAttr, Text and Raw give the bytes where they are"
	byClone       = "it copies by reflection: a Clone method that is written (or generated) for the type does not"
	byReuse       = "with ReuseRecord, Read gives one row after the other in the same slice; its strings can be kept"
	byFieldIndex  = "all fields of the struct are gone through for each name, with a search of its own: find the numbers of the fields once for each type, by the name, and keep them in a sync.Map by reflect.Type"
	byMapSize     = "the map is made without a size, and grows: reflect.MakeMapWithSize(t, n), with a bound where n is read from input; SetMapIndex copies, so one key and one value, set to zero by SetZero, do for all entries"
	byGrow        = "the elements are made only to be copied: where the slice can be set, Grow(n) and SetLen(n) make them in place (Go 1.20)"
	byFieldsOnce  = "it makes a slice for the Index of each field: keep what is wanted of the fields in a sync.Map by reflect.Type"
	byDecodeRune  = "there is a slice of all units or runes, and then a text: go over them, and append each by utf8.AppendRune or utf16.AppendRune"
	byLine        = "each line is copied: the ReadSlice of its bufio.Reader gives the line where it is read; what is kept can be copied"
	byNext        = "it copies what is in memory: find the end by IndexByte in Bytes(), and take Next(n)"
	byEscaped     = "the text is copied to be written: template.HTMLEscape, or the WriteString of a strings.Replacer, writes it; look first, by strings.ContainsAny, whether there is something to escape"
	byMapBytes    = "it copies the bytes also where nothing changes: look first, or change them in place"
	byPipe        = "each write waits for a reader in another goroutine: write into what takes the bytes, or into a buffer that is read afterwards"
	byParsedKey   = "the same few keys come again: keep what was parsed, by the text"
	bySum         = "Sum(nil) makes a slice for each sum: Sum(sum[:0]) of an array that is there, or Sum256(b), does not"
	byFolder      = "it asks for the working directory, and cleans the path: keep the directory, and clean once"
	byPrefix      = "both paths are cleaned and split: where one begins with the other, strings.CutPrefix gives the rest"
	byASN1        = "it reads by reflection: golang.org/x/crypto/cryptobyte reads field by field without"
	byTemplate    = "it walks the template by reflection, and boxes what it calls: write a text that is made often by code, and one that is seldom read when it is asked for"
	byFits        = "nearly all numbers fit int64 or float64: parse these by strconv, and take package big for the others"
	byMetadata    = "it copies all keys and values into a new map, with a slice for each: put what there is into one metadata.MD as it is found, with keys in lower case"
	byFormat      = "AppendFormat writes into a buffer that is there; the text of the same second, or day, can be kept"
	byContexts    = "each makes a context, with a channel when it is asked for and a timer: one for the whole operation, or a deadline that is set on the connection, does for several"
	byAtomic      = "the value becomes an interface, an object for each: an atomic.Pointer to it needs none"
	byCookies     = "all cookies are parsed for each question: ask once, and keep what is found"
	byForm        = "all parameters are parsed, into maps: look for those that are wanted in RawQuery, or in the body"
	byShuffle     = "it makes a slice of the numbers: Shuffle reorders what is there"
	byScanBuffer  = "a Scanner makes a buffer of 4 KB, and larger ones for long lines: give it one that is used again, by its method Buffer"
	byRawXML      = "it reads by reflection, and copies each token: a loop over RawToken takes what is wanted, where the form of the text is known"
	byTagsByHand  = "it writes by reflection, through a buffer of its own: where the form is fixed, append the tags, and the text by xml.EscapeText"
	byAddressText = "the text of an address is made each time: keep it with the connection, or append it, by netip.AddrPort's AppendTo, where it is written"
	byEscapedURL  = "it copies the text as soon as something has to be escaped: write the escaped characters to what takes the text"
	byQuoted      = "it copies the text also where there is nothing to quote: look first, and take the text with quotation marks around it"
	byCaser       = "a caser is made for each call: make it once for each goroutine, it may be reset and used again"
)

// moreWays are further ones of ways.
var moreWays = map[string]string{
	"encoding/json.NewDecoder": byUnmarshal, "(*encoding/json.Decoder).Decode": byUnmarshal,
	"encoding/json.Marshal": byEncoder,

	"(net/http.Header).Set": byHeader, "(net/http.Header).Add": byHeader, "(net/textproto.MIMEHeader).Set": byHeader, "(net/textproto.MIMEHeader).Add": byHeader,

	"(*encoding/xml.Decoder).Token": byRawToken,
	"strings.Repeat":                byBlanks, "bytes.Repeat": byBlanks,
	"bytes.NewBufferString":      byReader,
	"io.CopyN":                   byCopyN,
	"encoding/base64.NewDecoder": byDecode, "encoding/base32.NewDecoder": byDecode,
	"bytes.Title": byTitle,
	"bytes.Runes": byRune,

	"(reflect.Type).FieldByName": byFieldIndex, "(*reflect.rtype).FieldByName": byFieldIndex, "(reflect.Value).FieldByName": byFieldIndex,
	"(reflect.Type).FieldByNameFunc": byFieldIndex, "(*reflect.rtype).FieldByNameFunc": byFieldIndex, "(reflect.Value).FieldByNameFunc": byFieldIndex,

	"(*regexp.Regexp).FindAllStringSubmatchIndex": byLoop, "(*regexp.Regexp).FindAllSubmatchIndex": byLoop, "(*regexp.Regexp).FindAllIndex": byLoop, "(*regexp.Regexp).FindAll": byLoop,
	"(*regexp.Regexp).FindAllSubmatch": byLoop, "(*regexp.Regexp).FindSubmatchIndex": byLoop, "(*regexp.Regexp).ReplaceAll": byLoop, "(*regexp.Regexp).ReplaceAllLiteral": byLoop,
	"(*regexp.Regexp).ReplaceAllFunc": byLoop,

	"(*image.RGBA).At": byColor, "(*image.NRGBA).At": byColor, "(*image.Gray).At": byColor, "(*image.YCbCr).At": byColor, "(*image.RGBA64).At": byColor,
	"(*image.NRGBA64).At": byColor, "(*image.CMYK).At": byColor, "(*image.Gray16).At": byColor, "(*image.Alpha).At": byColor,

	"encoding/gob.NewEncoder": byGob, "encoding/gob.NewDecoder": byGob, "(*encoding/gob.Encoder).Encode": byGob, "(*encoding/gob.Decoder).Decode": byGob,
	"reflect.DeepEqual":        byEqual,
	"math/rand.NewSource":      bySmallSource,
	"crypto/rand.Int":          "it makes several numbers of arbitrary size: below 2^64, read eight bytes into an array that is kept, and reduce them (without bias)",
	"compress/flate.NewReader": byResetter, "compress/zlib.NewReader": byResetter,
	"(*net.UDPConn).ReadFrom": byAddrPort, "(*net.UDPConn).ReadFromUDP": byAddrPort,
	"(*math/big.Int).Bytes": byFill,
	"crypto/hmac.New":       byKeyed, "crypto/aes.NewCipher": byKeyed, "crypto/cipher.NewGCM": byKeyed,
	"path/filepath.Walk": byWalkDir, "io/ioutil.ReadDir": byEntries, "(*os.File).Readdir": byEntries,
	"slices.Collect": byCollect, "slices.Sorted": byCollect,
	"(*net/http.Request).WithContext":            byContext,
	"(*net/http.Request).Clone":                  byContext,
	"(*encoding/csv.Reader).ReadAll":             byReuse,
	"(*encoding/base32.Encoding).EncodeToString": byAppend,

	"fmt.Sprintln": "strconv and + make the text without interfaces", "fmt.Fprintln": "the parts can be written one by one",
	"bytes.FieldsFunc": byCut, "bytes.SplitAfter": byCut, "bytes.SplitAfterN": byCut, "strings.SplitAfterN": byCut,
	"(*regexp.Regexp).Match":      byLoop,
	"(reflect.Value).SetMapIndex": byMapSize, "reflect.AppendSlice": byGrow,
	"(reflect.Type).Field": byFieldsOnce, "(*reflect.rtype).Field": byFieldsOnce,
	"unicode/utf16.Decode": byDecodeRune, "unicode/utf16.Encode": byDecodeRune,
	"(*net/textproto.Reader).ReadLine": byLine, "(*net/textproto.Reader).ReadLineBytes": byLine, "(*net/textproto.Reader).ReadContinuedLine": byLine,
	"(*net/textproto.Reader).ReadContinuedLineBytes": byLine,
	"(*bytes.Buffer).ReadString":                     byNext, "(*bytes.Buffer).ReadBytes": byNext,
	"html.EscapeString": byEscaped, "html/template.HTMLEscapeString": byEscaped, "text/template.HTMLEscapeString": byEscaped,
	"bytes.Map":                      byMapBytes,
	"io.Pipe":                        byPipe,
	"crypto/x509.ParsePKIXPublicKey": byParsedKey, "crypto/x509.ParsePKCS1PublicKey": byParsedKey, "crypto/x509.ParseCertificate": byParsedKey, "crypto/x509.ParsePKCS8PrivateKey": byParsedKey,
	"encoding/pem.Decode":                          byParsedKey,
	"(*crypto/internal/fips140/sha256.Digest).Sum": bySum, "(*crypto/internal/fips140/sha512.Digest).Sum": bySum, "(*crypto/sha1.digest).Sum": bySum, "(*crypto/md5.digest).Sum": bySum,
	"(*crypto/internal/fips140/hmac.HMAC).Sum": bySum,
	"path/filepath.Abs":                        byFolder, "path/filepath.Rel": byPrefix,
	"(*text/template.Template).Execute": byTemplate, "(*html/template.Template).Execute": byTemplate, "(*text/template.Template).ExecuteTemplate": byTemplate, "(*html/template.Template).ExecuteTemplate": byTemplate,
	"(*math/big.Rat).SetString": byFits, "(*math/big.Int).SetString": byFits, "(*math/big.Float).SetString": byFits, "(*math/big.Float).Parse": byFits, "math/big.ParseFloat": byFits,
	"encoding/asn1.Unmarshal": byASN1, "encoding/asn1.Marshal": byASN1,
	"(*math/big.Int).String": byAppend, "(*math/big.Int).Text": byAppend,

	"(*github.com/gogs/chardet.Detector).DetectBest": byDetect, "(*github.com/gogs/chardet.Detector).DetectAll": byDetect,
	"(*github.com/saintfish/chardet.Detector).DetectBest": byDetect, "(*github.com/saintfish/chardet.Detector).DetectAll": byDetect,
	"(*github.com/wlynxg/chardet.UniversalDetector).Feed":       byDetect,
	"(*github.com/mitchellh/pointerstructure.Pointer).Get":      byPointer,
	"(*github.com/hashicorp/go-immutable-radix.Tree).Txn":       byRoot,
	"(*github.com/hashicorp/go-immutable-radix/v2.Tree).Txn":    byRoot,
	"(*github.com/PuerkitoBio/goquery.Selection).Each":          byNodes,
	"(*github.com/PuerkitoBio/goquery.Selection).EachWithBreak": byNodes,
	"(*github.com/PuerkitoBio/goquery.Selection).Map":           byNodes,
	"(*github.com/PuerkitoBio/goquery.Selection).Find":          byMatcher,
	"(*github.com/PuerkitoBio/goquery.Selection).Is":            byMatcher,
	"(*github.com/PuerkitoBio/goquery.Selection).Filter":        byMatcher,
	"(*golang.org/x/net/dns/dnsmessage.Message).Unpack":         byParser,
	"(*golang.org/x/net/html.Tokenizer).Token":                  byRawTag,
	"google.golang.org/grpc/metadata.Join":                      byMetadata, "google.golang.org/grpc/metadata.Pairs": byMetadata, "google.golang.org/grpc/metadata.New": byMetadata,
	"(google.golang.org/grpc/metadata.MD).Copy": byMetadata, "google.golang.org/grpc/metadata.FromIncomingContext": byMetadata, "google.golang.org/grpc/metadata.FromOutgoingContext": byMetadata,
	"(time.Time).Format": byFormat, "(time.Time).String": byFormat,
	"strconv.Itoa": byAppend, "strconv.FormatInt": byAppend, "strconv.FormatUint": byAppend, "strconv.FormatFloat": byAppend,
	"context.WithCancel": byContexts, "context.WithTimeout": byContexts, "context.WithDeadline": byContexts,
	"(*sync/atomic.Value).Store": byAtomic, "(*sync/atomic.Value).Swap": byAtomic,
	"(*net/http.Request).Cookie": byCookies, "(*net/http.Request).Cookies": byCookies,
	"(*net/http.Request).FormValue": byForm, "(*net/http.Request).ParseForm": byForm,
	"math/rand.Perm": byShuffle, "(*math/rand.Rand).Perm": byShuffle, "math/rand/v2.Perm": byShuffle, "(*math/rand/v2.Rand).Perm": byShuffle,
	"(*bufio.Scanner).Scan":  byScanBuffer,
	"encoding/xml.Unmarshal": byRawXML, "(*encoding/xml.Decoder).Decode": byRawXML,
	"encoding/xml.Marshal": byTagsByHand, "(*encoding/xml.Encoder).Encode": byTagsByHand,
	"(*net.TCPAddr).String": byAddressText, "(*net.UDPAddr).String": byAddressText, "net.JoinHostPort": byAddressText,
	"(*net.IPNet).String": byNetip, "net.CIDRMask": byNetip, "net.IPv4": byNetip, "(net.HardwareAddr).String": byNetip, "(net.IP).To16": byNetip,
	"net/url.QueryEscape": byEscapedURL, "net/url.PathEscape": byEscapedURL,
	"(net/url.Values).Encode": "it sorts the keys, and makes a text of all: append keys and values to a buffer, in an order that is fixed",
	"strconv.Quote":           byQuoted, "strconv.QuoteToASCII": byQuoted, "strconv.QuoteToGraphic": byQuoted,
	"golang.org/x/text/cases.Title": byCaser, "golang.org/x/text/cases.Lower": byCaser, "golang.org/x/text/cases.Upper": byCaser,
	"github.com/mitchellh/copystructure.Copy": byClone, "github.com/jinzhu/copier.Copy": byClone, "github.com/jinzhu/copier.CopyWithOption": byClone,
	"github.com/pkg/errors.New": byStack, "github.com/pkg/errors.Errorf": byStack, "github.com/pkg/errors.Wrap": byStack, "github.com/pkg/errors.Wrapf": byStack, "github.com/pkg/errors.WithStack": byStack,
	"github.com/cespare/xxhash/v2.New": byBytes, "github.com/cespare/xxhash.New": byBytes, "github.com/spaolacci/murmur3.New32": byBytes, "github.com/spaolacci/murmur3.New64": byBytes,
	"github.com/spaolacci/murmur3.New128": byBytes, "golang.org/x/crypto/blake2b.New256": byBytes, "golang.org/x/crypto/blake2b.New512": byBytes,
	"golang.org/x/crypto/sha3.New256": byBytes, "golang.org/x/crypto/sha3.New512": byBytes,
}

// wayFits maps some functions, by their names in profiles, to a test whether ways applies to a call.
var wayFits = sync.OnceValue(func() map[string]func(*Line, *ssa.Call) bool {
	all := map[string]func(*Line, *ssa.Call) bool{}
	for name, fits := range map[string]func(*Line, *ssa.Call) bool{
		"encoding/json.NewDecoder": decodesOne, "(*encoding/json.Decoder).Decode": decodesOne,
		"encoding/json.Marshal": writtenOnly,
		"(net/http.Header).Set": fixedHeader, "(net/http.Header).Add": fixedHeader, "(net/textproto.MIMEHeader).Set": fixedHeader, "(net/textproto.MIMEHeader).Add": fixedHeader,
		"strings.Repeat": repeatsConstant, "bytes.Repeat": repeatsConstant,
		"bytes.NewBufferString":       readOnly,
		"(reflect.Value).SetMapIndex": fillsUnsized, "reflect.AppendSlice": appendsMade,
		"(*crypto/internal/fips140/sha256.Digest).Sum": sumsAnew, "(*crypto/internal/fips140/sha512.Digest).Sum": sumsAnew, "(*crypto/sha1.digest).Sum": sumsAnew,
		"(*crypto/md5.digest).Sum": sumsAnew, "(*crypto/internal/fips140/hmac.HMAC).Sum": sumsAnew,
	} {
		all[profiledName(name)] = fits
	}
	return all
})

// decodesOne reports whether a json.Decoder is made and asked for one value in the same function, without settings that
// json.Unmarshal does not have.
func decodesOne(_ *Line, c *ssa.Call) bool {
	made := c
	if strings.HasSuffix(nameOfCall(c), ".Decode") {
		if made, _ = c.Call.Args[0].(*ssa.Call); made == nil {
			return false
		}
	}
	if made.Referrers() == nil {
		return false
	}
	decodes := 0
	for _, r := range *made.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Call:
			if nameOfCall(r) != "(*encoding/json.Decoder).Decode" || r.Call.Args[0] != ssa.Value(made) || comesBack(r.Block(), made.Block()) {
				return false
			}
			decodes++
		default:
			return false
		}
	}
	return decodes == 1
}

// comesBack reports whether a block is executed again without another being executed before.
func comesBack(from, but *ssa.BasicBlock) bool { return from != but && reachedFrom(from, but)[from] }

// writtenOnly reports whether the first result of a call is given to methods Write, and looked at for nothing else, here or
// by those that it is handed up to.
func writtenOnly(p *Line, c *ssa.Call) bool { return p.resultWritten(c, 0, 0) }

// farWritten limits the functions that may return a result to their callers before it is written.
const farWritten = 2

func (p *Line) resultWritten(c *ssa.Call, result, depth int) bool {
	written := false
	for i, v := range parts(c) {
		if i != result {
			continue
		}
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.Call:
				name := nameOfCall(r)
				if name[strings.LastIndexByte(name, '.')+1:] != "Write" {
					return false
				}
				written = true
			case *ssa.Return:
				if depth == farWritten || !p.handsUpWritten(r, slices.Index(r.Results, v), depth) {
					return false
				}
				written = true
			default:
				return false
			}
		}
	}
	return written
}

// handsUpWritten reports whether all who are returned a result only write it.
func (p *Line) handsUpWritten(at *ssa.Return, result, depth int) bool {
	calls := p.ownCalls(at.Parent())
	if len(calls) == 0 {
		calls = p.shownCalls(at.Parent())
	}
	return len(calls) > 0 && !slices.ContainsFunc(calls, func(in ssa.CallInstruction) bool {
		c, ok := in.(*ssa.Call)
		return !ok || !p.resultWritten(c, result, depth+1)
	})
}

// fillsUnsized reports whether a call fills, in a loop, a map that the same function has made by reflect.MakeMap.
func fillsUnsized(_ *Line, c *ssa.Call) bool {
	for _, b := range c.Parent().Blocks {
		for _, in := range b.Instrs {
			made, ok := in.(*ssa.Call)
			if ok && nameOfCall(made) == "reflect.MakeMap" && comesBack(c.Block(), b) && reachedFrom(b, nil)[c.Block()] {
				return true
			}
		}
	}
	return false
}

// appendsMade reports whether what a call appends was made for that.
func appendsMade(_ *Line, c *ssa.Call) bool {
	made, ok := c.Call.Args[1].(*ssa.Call)
	return ok && nameOfCall(made) == "reflect.MakeSlice" && !slices.ContainsFunc(*made.Referrers(), func(in ssa.Instruction) bool {
		_, debug := in.(*ssa.DebugRef)
		return in != ssa.Instruction(c) && !debug
	})
}

// sumsAnew reports whether a hash is asked for its sum as a new slice.
func sumsAnew(_ *Line, c *ssa.Call) bool {
	return len(c.Call.Args) > 0 && isNilConst(c.Call.Args[len(c.Call.Args)-1])
}

// fixedHeader reports whether a field of a header is set by name to what is the same each time.
func fixedHeader(p *Line, c *ssa.Call) bool {
	if len(c.Call.Args) != 3 {
		return false
	}
	_, isConst := c.Call.Args[1].(*ssa.Const)
	return isConst && p.fixed(c.Call.Args[2], 0)
}

// fixed reports whether a text does not change: a constant, a variable of the package or of the function around, or
// what a caller has as one of these.
func (p *Line) fixed(v ssa.Value, depth int) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.FreeVar:
		return true
	case *ssa.UnOp:
		switch x := v.X.(type) {
		case *ssa.Global, *ssa.FreeVar:
			return true
		case *ssa.FieldAddr:
			_, captured := x.X.(*ssa.FreeVar)
			return captured
		}
	case *ssa.Parameter:
		i := slices.Index(v.Parent().Params, v)
		return depth < 2 && slices.ContainsFunc(p.ownCalls(v.Parent()), func(call ssa.CallInstruction) bool {
			return i < len(call.Common().Args) && p.fixed(call.Common().Args[i], depth+1)
		})
	}
	return false
}

// repeatsConstant reports whether what is repeated is a constant as fill space or draw lines: no letters.
func repeatsConstant(_ *Line, c *ssa.Call) bool {
	v := c.Call.Args[0]
	if convert, ok := v.(*ssa.Convert); ok {
		v = convert.X
	}
	text, ok := v.(*ssa.Const)
	return ok && text.Value != nil && text.Value.Kind() == constant.String && !strings.ContainsFunc(constant.StringVal(text.Value), unicode.IsLetter)
}

// readOnly reports whether a buffer is only read.
func readOnly(_ *Line, c *ssa.Call) bool {
	read := false
	for _, r := range *c.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.MakeInterface:
			if m, _, _ := types.LookupFieldOrMethod(r.Type(), true, nil, "Write"); m != nil {
				return false
			}
			read = true
		case *ssa.Call:
			name := nameOfCall(r)
			if !strings.HasPrefix(name, "(*bytes.Buffer).Read") && name != "(*bytes.Buffer).Len" && name != "(*bytes.Buffer).WriteTo" {
				return false
			}
			read = true
		default:
			return false
		}
	}
	return read
}
