package multi

import "sync"

// A cell is a text of the pool, or the one that stands for none.
type cell interface{ Text() string }

type text struct{ s string }

func (t *text) Text() string { return t.s }

type none struct{}

func (*none) Text() string { return "" }

var (
	texts  = sync.Pool{New: func() any { return new(text) }}
	noCell = &none{}
	blank  = &text{}
)

func newText(s string) *text {
	t := texts.Get().(*text)
	t.s = s
	return t
}

func newNone() *none { return noCell }

func discard(c cell) {
	if t, ok := c.(*text); ok {
		texts.Put(t)
	}
}

// getCell returns one of the pool, or one that all share.
func getCell(s string) cell {
	if s != "" {
		return newText(s)
	}
	return newNone()
}

func goodMixed(s string) int {
	c := getCell(s)
	if c == cell(noCell) {
		return -1
	}
	n := len(c.Text())
	discard(c)
	return n
}

// getKnown returns one of the pool, or one of a table.
func getKnown(s string, table map[string]*text) (*text, error) {
	var t *text
	switch {
	case s == "":
		return nil, errRead
	case len(table) > 0:
		t = table[s]
	default:
		t = newText(s)
	}
	return t, nil
}

func goodKnown(s string, table map[string]*text) (int, error) {
	t, err := getKnown(s, table)
	if err != nil {
		return 0, err
	}
	return len(t.s), nil
}

// getBlank returns one of the pool, or one that its name promises to be new.
func getBlank(s string) *text {
	t := newBlank()
	if s != "" {
		t = newText(s)
	}
	return t
}

func newBlank() *text { return blank }

func goodBlank(s string) int {
	t := getBlank(s)
	return len(t.s)
}

// getAny returns one of the pool, or a new one.
func getAny(s string) (*text, error) {
	var t *text
	switch s {
	case "":
		return nil, errRead
	case "new":
		t = makeText()
	default:
		t = newText(s)
	}
	return t, nil
}

func makeText() *text { return &text{s: "made"} }

func badAny(s string) (int, error) {
	t, err := getAny(s) // want "t is never put back"
	if err != nil {
		return 0, err
	}
	return len(t.s), nil
}

// getSpare returns one of the pool, or what a method makes.
func getSpare(s string) *text {
	if t, ok := texts.Get().(*text); ok {
		return t
	}
	return newSpare(s)
}

func newSpare(s string) *text {
	if s == "" {
		return makeText()
	}
	return &text{s: s}
}

func badSpare(s string) int {
	t := getSpare(s) // want "t is not put back on the path"
	if s == "" {
		return 0
	}
	n := len(t.s)
	texts.Put(t)
	return n
}
