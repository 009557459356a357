package pooled

import (
	"io"
	"strconv"
	"sync"
)

type parser struct {
	text   string
	pos    int
	stack  [64]int
	depth  int
	result []string
	parent *parser
}

func (p *parser) push(n int) { p.stack[p.depth] = n; p.depth++ }

func (p *parser) field(end int) {
	p.result = append(p.result, p.text[p.pos:end])
	p.pos = end + 1
}

// Split has a parser, whose result is kept, and which is not.
func Split(text string) []string {
	p := &parser{text: text} // rewritten
	for i := range len(text) {
		if text[i] == ',' {
			p.field(i)
			p.push(i)
		}
	}
	p.field(len(text))
	return p.result
}

// Depth calls itself while it has a parser.
func Depth(n int) int {
	p := new(parser) // rewritten
	p.push(n)
	if n > 0 {
		p.depth += Depth(n - 1)
	}
	return p.depth + p.stack[1]
}

// Convert stores what comes from a function that may panic.
func Convert(text string) (sum int) {
	p := &parser{ // rewritten
		text:  text,          // the whole
		depth: number(text),  // what it says
		stack: [64]int{1, 2}, // at first
	}
	p.push(p.stack[0] + p.stack[1])
	return p.stack[p.depth-1]
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

// Each has a parser for each text.
func Each(w io.Writer, texts []string) {
	for _, text := range texts {
		p := &parser{} // rewritten
		p.text = text
		p.field(len(text) / 2)
		io.WriteString(w, p.result[0]+"|"+strconv.Itoa(p.depth))
	}
}

var structsSync sync.Map
