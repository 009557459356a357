package xml

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
)

// encodingXML builds the document from the tokens of encoding/xml.
//
// It takes them raw, because Token puts the URL of a name space where the
// prefix was. RawToken does not compare end tags with start tags, so that is
// done here, as is the rest of what makes tokens a document.
func encodingXML(src []byte, use func(*Node)) error {
	b := builder{dec: xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(src, []byte("\ufeff"))))}
	b.node = &Node{}
	doc := b.node
	for {
		t, err := b.dec.RawToken()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if msg := b.token(t); msg != "" {
			return &SyntaxError{int(b.dec.InputOffset()), msg}
		}
		b.started = true
	}
	switch {
	case b.node != doc:
		return &SyntaxError{len(src), errNotClosed}
	case !b.root:
		return &SyntaxError{len(src), errNoRoot}
	}
	use(doc)
	return nil
}

type builder struct {
	dec         *xml.Decoder
	node        *Node
	depth       int
	started     bool // a token has been seen
	root, typed bool
}

// token adds t, or says why it cannot.
func (b *builder) token(t xml.Token) (msg string) {
	switch t := t.(type) {
	case xml.StartElement:
		return b.start(t)
	case xml.EndElement:
		return b.end(Name{t.Name.Space, t.Name.Local})
	case xml.CharData:
		return b.text(t)
	case xml.Comment:
		b.leaf(&Node{Kind: Comment, Data: unixLines(t)})
	case xml.ProcInst:
		return b.instruction(t)
	case xml.Directive:
		if b.typed || b.root || !bytes.HasPrefix(t, []byte("DOCTYPE")) {
			return errDoctype
		}
		b.typed = true
	}
	return ""
}

func (b *builder) leaf(n *Node) { b.node.append(n) }

func (b *builder) start(t xml.StartElement) string {
	switch {
	case b.depth == 0 && b.root:
		return errRoots
	case b.depth == MaxDepth:
		return errDepth
	}
	n := &Node{Kind: Element, Name: Name{t.Name.Space, t.Name.Local}}
	if len(t.Attr) > 0 {
		n.Attrs = make([]Attr, len(t.Attr))
		for i, a := range t.Attr {
			n.Attrs[i] = Attr{Name{a.Name.Space, a.Name.Local}, a.Value}
		}
	}
	b.node.append(n)
	b.node = n
	b.depth++
	b.root = true
	return ""
}

func (b *builder) end(name Name) string {
	switch {
	case b.depth == 0:
		return errNotOpen
	case b.node.Name != name:
		return errMismatch
	}
	b.node = b.node.Parent
	b.depth--
	return ""
}

func (b *builder) text(t []byte) string {
	if b.depth == 0 {
		if len(bytes.Trim(t, " \t\r\n")) > 0 {
			return errOutside
		}
		return ""
	}
	if len(t) == 0 {
		return ""
	}
	if n := b.node.Last; n != nil && n.Kind == Text {
		n.Data += string(t)
		return ""
	}
	b.leaf(&Node{Kind: Text, Data: string(t)})
	return ""
}

func (b *builder) instruction(t xml.ProcInst) string {
	if strings.EqualFold(t.Target, "xml") {
		if b.started || t.Target != "xml" {
			return errTarget
		}
		return ""
	}
	b.leaf(&Node{Kind: ProcInst, Name: Name{Local: t.Target}, Data: unixLines(t.Inst)})
	return ""
}

// unixLines copies b and rewrites its line ends, which encoding/xml leaves as
// they are in comments and instructions.
func unixLines(b []byte) string {
	s := string(b)
	if strings.Contains(s, "\r") {
		s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	}
	return s
}
