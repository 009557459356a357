package xml

import (
	"encoding/xml"
	"errors"
	"regexp"
	"strings"
	"testing"
)

// stricter are the errors of inputs that encoding/xml may accept, each with one
// that it does. XML 1.0 forbids them all.
var stricter = map[string]string{
	errSpace:        "<a b='1'c='2'/>",
	errTwice:        "<a b='1' b='2'/>",
	errUTF8:         "<a><!--\xff--></a>",
	errChar:         "<a>&#xD800;</a>",
	errOutside:      "<a/>&#32;",
	errDeclaration:  "<?xml ?><a/>",
	errTarget:       "<?xml?><a/>",
	errNotInDoctype: "<!DOCTYPE a <b>><a/>",
	errName:         "<!DOCTYPE 1><a/>",
}

// unseenEncoding matches the declarations whose encoding encoding/xml does not
// see: it looks for encoding= with a quote behind it, and takes an empty one
// for none.
var unseenEncoding = regexp.MustCompile("^(\ufeff)?<\\?xml\\s[^>]*\\sencoding(\\s+=|=\\s|=''|=\"\")")

// unseenEncodings are such inputs.
var unseenEncodings = []string{
	"<?xml version='1.0' encoding ='latin1'?><a/>",
	"<?xml version='1.0' encoding=\n'latin1'?><a/>",
	"<?xml version='1.0' encoding=''?><a/>",
	"\ufeff<?xml version='1.0' encoding=\"\"?><a/>",
}

// laxer are inputs that encoding/xml refuses and XML 1.0 does not: an
// instruction with a > in a document type, and a letter that the fifth edition
// has brought.
var laxer = []string{instInDoctype, "<\u0220/>"}

// TestDifferences checks that the list above has no entry too many.
func TestDifferences(t *testing.T) {
	for msg, src := range stricter {
		_, err := decode(src)
		var e *SyntaxError
		if !errors.As(err, &e) || e.Msg != msg {
			t.Errorf("%q: error %v, want %s", src, err, msg)
		}
		if err := encodingXML([]byte(src), func(*Node) {}); err != nil {
			t.Errorf("%q: encoding/xml says %v", src, err)
		}
	}
	for _, src := range unseenEncodings {
		_, err := decode(src)
		wantErr := encodingXML([]byte(src), func(*Node) {})
		if err == nil || wantErr != nil {
			t.Errorf("%q: error %v, encoding/xml says %v", src, err, wantErr)
			continue
		}
		checkRefused(t, []byte(src), err, wantErr)
	}
	for _, src := range laxer {
		if _, err := decode(src); err != nil {
			t.Errorf("%q: %v", src, err)
		}
		if encodingXML([]byte(src), func(*Node) {}) == nil {
			t.Errorf("%q: encoding/xml accepts it", src)
		}
	}
	if got := reference(t, []byte(spacesInValue)).First.Attrs[0].Value; got != "1\t2\n3\n4\n5" {
		t.Errorf("encoding/xml reads %q as %q", spacesInValue, got)
	}
}

func FuzzXML(f *testing.F) {
	for _, c := range valid {
		f.Add([]byte(c.src))
	}
	for _, c := range invalid {
		f.Add([]byte(c.src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		got, err := decode(string(src))
		var want *Node
		wantErr := encodingXML(src, func(doc *Node) { want = doc })
		switch {
		case err != nil:
			checkRefused(t, src, err, wantErr)
			return
		case wantErr != nil:
			checkAccepted(t, src, wantErr)
		}
		if err := consistent(got); err != nil {
			t.Fatal(err)
		}
		for _, s := range Strategies[1:] {
			if err := s.Do(src, func(doc *Node) {
				if err := equal(doc, got); err != nil {
					t.Fatalf("strategy=%s: %v", s.Name, err)
				}
			}); err != nil {
				t.Fatalf("strategy=%s: %v", s.Name, err)
			}
		}
		if want != nil {
			spaces(got)
			spaces(want)
			if err := equal(got, want); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// checkRefused checks that encoding/xml refuses src too, or that XML forbids
// it for a reason that encoding/xml does not look at.
func checkRefused(t *testing.T, src []byte, err, wantErr error) {
	var e *SyntaxError
	if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(src) {
		t.Fatalf("error %v in %d bytes", err, len(src))
	}
	unseen := e.Msg == errEncoding && unseenEncoding.Match(src)
	if wantErr == nil && stricter[e.Msg] == "" && !unseen && !strings.Contains(string(src), "<!DOCTYPE") {
		t.Fatalf("encoding/xml accepts what has the error %v", err)
	}
}

// nameErrors matches the errors of encoding/xml for a name by the fifth edition.
var nameErrors = regexp.MustCompile("invalid XML name|expected element name|expected attribute name|expected target name|expected /> in element")

// checkAccepted checks that encoding/xml refuses src for a reason of its own:
// what is in a document type, or a name.
func checkAccepted(t *testing.T, src []byte, wantErr error) {
	if strings.Contains(string(src), "<!DOCTYPE") {
		return
	}
	var e *xml.SyntaxError
	if !errors.As(wantErr, &e) || !nameErrors.MatchString(e.Msg) || isASCII(src) {
		t.Fatalf("encoding/xml says %v", wantErr)
	}
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// spaces makes spaces of tabs and line breaks in attribute values. Those that
// are written as references come out the same in both trees.
func spaces(n *Node) {
	for i, a := range n.Attrs {
		n.Attrs[i].Value = strings.NewReplacer("\t", " ", "\n", " ", "\r", " ").Replace(a.Value)
	}
	for c := n.First; c != nil; c = c.Next {
		spaces(c)
	}
}
