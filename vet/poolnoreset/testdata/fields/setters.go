package fields

import "sync"

// The way back sets the field to what it is at first, as in github.com/go-faster/jx.
type goodSetEncoder struct {
	buf    []byte
	indent int
}

var goodSetEncoders = sync.Pool{New: func() any { return new(goodSetEncoder) }}

func (e *goodSetEncoder) SetIndent(n int) { e.indent = n }
func (e *goodSetEncoder) Reset()          { e.buf = e.buf[:0] }
func (e *goodSetEncoder) Str(s string) {
	for range e.indent {
		e.buf = append(e.buf, ' ')
	}
	e.buf = append(e.buf, s...)
}

func GoodSetEncoder() *goodSetEncoder { return goodSetEncoders.Get().(*goodSetEncoder) }

func PutGoodSetEncoder(e *goodSetEncoder) {
	e.Reset()
	e.SetIndent(0)
	goodSetEncoders.Put(e)
}

// The default is not zero.
type goodWidth struct {
	buf   []byte
	width int
}

var goodWidths = sync.Pool{New: func() any { return &goodWidth{width: 80} }}

func (e *goodWidth) SetWidth(n int)    { e.width = n }
func (e *goodWidth) Str(s string) bool { e.buf = append(e.buf[:0], s...); return len(e.buf) < e.width }

func GoodWidth() *goodWidth { return goodWidths.Get().(*goodWidth) }

func PutGoodWidth(e *goodWidth) {
	e.SetWidth(80)
	goodWidths.Put(e)
}

// Nobody sets it back.
type badSetEncoder struct {
	buf    []byte
	indent int
}

var badSetEncoders = sync.Pool{New: func() any { return new(badSetEncoder) }}

func (e *badSetEncoder) SetIndent(n int) { e.indent = n }
func (e *badSetEncoder) Reset()          { e.buf = e.buf[:0] }
func (e *badSetEncoder) Str(s string) {
	for range e.indent {
		e.buf = append(e.buf, ' ')
	}
	e.buf = append(e.buf, s...)
}

func BadSetEncoder() *badSetEncoder {
	return badSetEncoders.Get().(*badSetEncoder) // want `indent of the \*badSetEncoder of badSetEncoders`
}

func PutBadSetEncoder(e *badSetEncoder) {
	e.Reset()
	badSetEncoders.Put(e)
}

// Two is what one user wants.
func pretty(s string) string {
	e := BadSetEncoder()
	e.SetIndent(2)
	e.Str(s)
	text := string(e.buf)
	PutBadSetEncoder(e)
	return text
}
