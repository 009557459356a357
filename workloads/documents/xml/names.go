package xml

import (
	"strings"
	"unicode/utf8"
)

// ASCII characters of names; the second set includes the first.
var (
	nameStart = asciiSet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_:")
	nameChar  = asciiSet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_:0123456789-.")
)

func asciiSet(chars string) *[utf8.RuneSelf]bool {
	set := new([utf8.RuneSelf]bool)
	for _, b := range []byte(chars) {
		set[b] = true
	}
	return set
}

// nameRanges are the characters outside ASCII that may begin a name, by the
// fifth edition of XML 1.0.
var nameRanges = [...][2]rune{
	{0xC0, 0xD6}, {0xD8, 0xF6}, {0xF8, 0x2FF}, {0x370, 0x37D}, {0x37F, 0x1FFF}, {0x200C, 0x200D},
	{0x2070, 0x218F}, {0x2C00, 0x2FEF}, {0x3001, 0xD7FF}, {0xF900, 0xFDCF}, {0xFDF0, 0xFFFD}, {0x10000, 0xEFFFF},
}

// moreRanges may follow in a name.
var moreRanges = [...][2]rune{{0xB7, 0xB7}, {0x300, 0x36F}, {0x203F, 0x2040}}

func in(r rune, ranges [][2]rune) bool {
	for _, x := range ranges {
		if x[0] <= r && r <= x[1] {
			return true
		}
	}
	return false
}

// word moves past a name and returns it, as part of the input.
func (p *parser) word() (string, error) {
	start := p.pos
	i, first := start, nameStart
	for i < len(p.src) {
		if b := p.src[i]; b < utf8.RuneSelf {
			if !first[b] {
				break
			}
			i++
		} else {
			r, n := utf8.DecodeRuneInString(p.src[i:])
			if r == utf8.RuneError && n <= 1 {
				return "", &SyntaxError{i, errUTF8}
			}
			if !in(r, nameRanges[:]) && (i == start || !in(r, moreRanges[:])) {
				break
			}
			i += n
		}
		first = nameChar
	}
	if i == start {
		return "", p.errorAt(start, errName)
	}
	p.pos = i
	return p.src[start:i], nil
}

// name moves past a name with an optional prefix and returns it, as the parser
// keeps it.
func (p *parser) name() (Name, error) {
	start := p.pos
	w, err := p.word()
	if err != nil {
		return Name{}, err
	}
	e := &p.names[hash(w)%uint32(len(p.names))]
	if e.word != w {
		if strings.Count(w, ":") > 1 {
			return Name{}, &SyntaxError{start, errName}
		}
		w = p.mem.string(w)
		*e = known{w, split(w)}
	}
	return e.name, nil
}

// known is a name that has been met. A document has few names and uses them
// thousands of times: each is copied about once.
type known struct {
	word string
	name Name
}

// hash needs little: two names that share an entry only take turns in it.
func hash(s string) uint32 {
	n := len(s)
	return uint32(s[0]) + uint32(s[n/2])*5 + uint32(s[n-1])*17 + uint32(n)*31
}

func split(w string) Name {
	prefix, local, ok := strings.Cut(w, ":")
	if !ok || prefix == "" || local == "" {
		return Name{Local: w}
	}
	return Name{prefix, local}
}
