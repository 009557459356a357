package xml

import "fmt"

// A SyntaxError says why an input is not a well-formed document, or one that is
// deeper than [MaxDepth].
type SyntaxError struct {
	Offset int // in bytes: where the part that is wrong begins
	Msg    string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("xml: offset %d: %s", e.Offset, e.Msg)
}

// MaxDepth is the largest number of elements that may be open at once.
const MaxDepth = 10_000

// What a SyntaxError says.
const (
	errEnd          = "unexpected end"
	errUTF8         = "invalid UTF-8"
	errChar         = "character that XML does not allow"
	errName         = "invalid name"
	errEquals       = "attribute without ="
	errQuote        = "attribute value without quotes"
	errSpace        = "white space is missing"
	errLess         = "< in an attribute value"
	errTwice        = "attribute written twice"
	errTag          = "invalid tag"
	errMismatch     = "end tag that does not match"
	errNotOpen      = "end tag without a start tag"
	errNotClosed    = "element without an end tag"
	errDepth        = "elements nested too deep"
	errRoots        = "second root element"
	errNoRoot       = "no root element"
	errOutside      = "text outside the root element"
	errBracket      = "]]> outside a CDATA section"
	errDashes       = "-- in a comment"
	errMarkup       = "unknown markup"
	errReference    = "invalid reference"
	errEntity       = "entity that is not one of the five"
	errTarget       = "processing instruction named xml"
	errDeclaration  = "invalid XML declaration"
	errEncoding     = "encoding other than UTF-8"
	errDoctype      = "misplaced or invalid document type"
	errNotInDoctype = "invalid character in the document type"
)
