// Package coverage knows how often the statements of a program were executed, as the counters
// say that the go command's -cover puts into it.
package coverage

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"lessgc/cmd/lessgc/internal/input"
)

// A Profile is counts of blocks: statements of which each is executed if the first one is,
// unless one panics.
type Profile struct {
	files map[string][]block // by import path and name of the file; sorted
}

// A block is part of a file with its count.
type block struct {
	from, to position // to is the first position after it
	n        int64
}

type position struct{ line, col int }

func (p position) compare(o position) int {
	return cmp.Or(cmp.Compare(p.line, o.line), cmp.Compare(p.col, o.col))
}

// Bounds of a file from elsewhere.
const (
	maxSize   = 64 << 20
	maxNumber = 1 << 30 // of a line or column
)

// ReadFile reads a profile from a regular file of at most 64 MiB.
func ReadFile(name string) (*Profile, error) {
	data, err := input.ReadFile(name, maxSize)
	if err != nil {
		return nil, err
	}
	p, err := Read(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// Read reads a profile as go test -coverprofile writes it, with counts.
func Read(r io.Reader) (*Profile, error) {
	p := &Profile{files: map[string][]block{}}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := lines.Text()
		if mode, ok := strings.CutPrefix(text, "mode: "); ok {
			if mode != "atomic" && mode != "count" {
				return nil, fmt.Errorf("line %d: a coverage profile of mode %.20q has no counts", n, mode)
			}
			continue
		}
		file, b, ok := parse(text)
		if !ok {
			return nil, fmt.Errorf("line %d: not a line of a coverage profile", n)
		}
		if b.from.compare(b.to) > 0 {
			continue // of a file with lines of others, by //line
		}
		p.files[file] = append(p.files[file], b)
	}
	for file, blocks := range p.files {
		p.files[file] = merge(blocks)
	}
	return p, lines.Err()
}

// parse reads a line such as "example.org/x/a.go:3.14,5.2 1 7".
func parse(text string) (file string, b block, ok bool) {
	colon := strings.LastIndexByte(text, ':')
	if colon <= 0 {
		return "", b, false
	}
	var statements int64
	at := [...]*int{&b.from.line, &b.from.col, &b.to.line, &b.to.col}
	fields := strings.FieldsFunc(text[colon+1:], func(r rune) bool { return r == '.' || r == ',' || r == ' ' })
	if len(fields) != len(at)+2 {
		return "", b, false
	}
	for i, to := range at {
		n, err := strconv.Atoi(fields[i])
		if err != nil || n < 0 || n > maxNumber {
			return "", b, false
		}
		*to = n
	}
	for i, to := range []*int64{&statements, &b.n} {
		n, err := strconv.ParseInt(fields[len(at)+i], 10, 64)
		if err != nil || n < 0 {
			return "", b, false
		}
		*to = n
	}
	return text[:colon], b, true
}

// merge sorts blocks, and adds up the counts of those that are the same.
func merge(blocks []block) []block {
	slices.SortStableFunc(blocks, func(a, b block) int { return cmp.Or(a.from.compare(b.from), a.to.compare(b.to)) })
	all := blocks[:0]
	for _, b := range blocks {
		if last := len(all) - 1; last >= 0 && all[last].from == b.from && all[last].to == b.to {
			all[last].n = sum(all[last].n, b.n)
			continue
		}
		all = append(all, b)
	}
	return all
}

// sum returns the sum of two counts, or the largest number.
func sum(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// Add adds the counts of another profile.
func (p *Profile) Add(o *Profile) {
	if p.files == nil {
		p.files = map[string][]block{}
	}
	for file, blocks := range o.files {
		p.files[file] = merge(slices.Concat(p.files[file], blocks))
	}
}

// Less takes off the counts of another profile. None becomes less than 0.
func (p *Profile) Less(o *Profile) {
	for file, blocks := range o.files {
		negated := slices.Clone(blocks)
		for i := range negated {
			negated[i].n = -negated[i].n
		}
		left := merge(slices.Concat(p.files[file], negated))
		for i := range left {
			left[i].n = max(left[i].n, 0)
		}
		p.files[file] = left
	}
}

// Write writes the profile as go tool cover reads it.
func (p *Profile) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "mode: atomic")
	for _, file := range slices.Sorted(maps.Keys(p.files)) {
		for _, b := range p.files[file] {
			fmt.Fprintf(out, "%s:%d.%d,%d.%d 1 %d\n", file, b.from.line, b.from.col, b.to.line, b.to.col, b.n)
		}
	}
	return out.Flush()
}

// At returns how often the block at a position was executed. The file is named by the import path of
// its package, and its own name. ok is false if there is no block.
func (p *Profile) At(file string, line, col int) (n int64, ok bool) {
	at := position{line, col}
	blocks := p.files[file]
	i, _ := slices.BinarySearchFunc(blocks, at, func(b block, at position) int {
		if b.from.compare(at) <= 0 {
			return -1
		}
		return 1
	})
	for ; i > 0; i-- { // the innermost begins last
		if b := blocks[i-1]; at.compare(b.to) < 0 {
			return b.n, true
		}
	}
	return 0, false
}

// Renumber moves the counts of a file, named as its blocks are, to where its lines are now: line returns 0 for those
// that have gone.
func (p *Profile) Renumber(file string, line func(int) int) {
	blocks := p.files[file]
	if len(blocks) == 0 {
		return
	}
	var moved []block
	for _, b := range blocks {
		b.from.line, b.to.line = line(b.from.line), line(b.to.line)
		if b.from.line > 0 && b.to.line > 0 {
			moved = append(moved, b)
		}
	}
	p.files[file] = merge(moved)
}

// Clone returns a copy that can be changed.
func (p *Profile) Clone() *Profile {
	c := &Profile{files: make(map[string][]block, len(p.files))}
	for file, blocks := range p.files {
		c.files[file] = slices.Clone(blocks)
	}
	return c
}
