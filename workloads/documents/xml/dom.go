package xml

// A Kind is the kind of a [Node].
type Kind uint8

const (
	Document Kind = iota // the root: comments, instructions and one element
	Element
	Text     // never empty, never beside another Text
	Comment  // what stands between <!-- and -->
	ProcInst // a processing instruction; the XML declaration is not one
)

// A Node is part of a document. It and all it refers to are valid inside the
// function that [Strategy.Do] hands the document to, and hold nothing of the
// input.
type Node struct {
	Parent      *Node // nil for a Document
	First, Last *Node // children, nil if there are none
	Next        *Node // sibling

	Name  Name   // of an Element; of a ProcInst Local is the target
	Attrs []Attr // in the order of the input; nil if there are none
	Data  string // of Text, Comment and ProcInst
	Kind  Kind
}

// A Name is kept as it is written: Prefix is not looked up. A colon at either
// end separates nothing, it belongs to Local.
type Name struct {
	Prefix, Local string
}

// An Attr is an attribute. Value is normalised: references are replaced, and
// each line break and tab is a space.
type Attr struct {
	Name  Name
	Value string
}

// append makes c, which has no parent, the last child of n.
func (n *Node) append(c *Node) {
	c.Parent = n
	if n.Last == nil {
		n.First = c
	} else {
		n.Last.Next = c
	}
	n.Last = c
}
