package diff

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"lessgc/cmd/lessgc/internal/advice"
)

// A Score compares a prediction with its measurement.
type Score struct {
	Applied   []Applied    `json:"applied"`
	Named     bool         `json:"named,omitempty"`    // the user has said which were taken
	Predicted advice.Range `json:"predicted"`          // of them together, as a share of the CPU time before
	Estimate  float64      `json:"estimate,omitempty"` // what share of the CPU time went; below 0 if there is more
	Measured  advice.Range `json:"measured"`           // the estimate with the error of sampling
	Inside    bool         `json:"inside"`             // the estimate lies in what was predicted, and is not too noisy
	Word      Word         `json:"word,omitempty"`
}

// A Word is the outcome of a prediction.
type Word string

const (
	Inside  Word = "inside"    // the estimate lies in the range
	Outside Word = "outside"   // it does not
	Noisy   Word = "too noisy" // the measurement knows less than the prediction: that is not a hit
)

// An Applied is a lever that was taken.
type Applied struct {
	Lever string       `json:"rule"`
	Func  string       `json:"func,omitempty"`
	File  string       `json:"file,omitempty"`
	Line  int          `json:"line,omitempty"`
	Bytes Change       `json:"bytes"` // of the function, with what it calls
	Gain  advice.Range `json:"gain"`
}

// A Took is a lever that the user has applied: of a line, or of the whole program.
type Took struct {
	lever advice.Lever
	site  *advice.Site // nil for the whole program
}

// ParseTook finds a lever of a report by its name and line, as in preallocate@codec/x.go:12, or by its name
// alone if it is of the whole program.
func ParseTook(r *advice.Report, text string) (Took, error) {
	name, position, ofLine := strings.Cut(text, "@")
	if r == nil {
		return Took{}, fmt.Errorf("-took %s: BEFORE has no advice; give a folder of lessgc advise", text)
	}
	if !ofLine {
		for _, l := range r.Levers {
			if l.Name == name {
				return checkTook(Took{lever: l}, text)
			}
		}
		return Took{}, fmt.Errorf("-took %s: no lever of the whole program is called %s; of a line it is LEVER@FILE:LINE", text, name)
	}
	file, number, _ := cutLast(position, ":")
	line, err := strconv.Atoi(number)
	if err != nil || file == "" || name == "" {
		return Took{}, fmt.Errorf("-took %s: write LEVER@FILE:LINE, such as preallocate@codec/x.go:12", text)
	}
	if r.Sites == nil {
		return Took{}, fmt.Errorf("-took %s: the advice names no lines", text)
	}
	var there []string
	for i := range r.Sites.Sites {
		s := &r.Sites.Sites[i]
		if s.Line != line || !endsIn(s.File, file) {
			continue
		}
		for _, l := range s.Levers {
			if l.Name == name {
				return checkTook(Took{l, s}, text)
			}
			there = append(there, l.Name)
		}
	}
	if there != nil {
		return Took{}, fmt.Errorf("-took %s: the advice for that line is %s", text, strings.Join(there, ", "))
	}
	return Took{}, fmt.Errorf("-took %s: the advice has no lever for that line, as it was before", text)
}

func checkTook(t Took, text string) (Took, error) {
	if t.lever.Gain == nil {
		return Took{}, fmt.Errorf("-took %s: the advice predicts no gain for it, as its CPU profile is missing or too short", text)
	}
	return t, nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// endsIn reports whether a file's name ends in the elements of another.
func endsIn(file, end string) bool {
	file, end = filepath.ToSlash(file), strings.TrimPrefix(filepath.ToSlash(end), "./")
	return file == end || strings.HasSuffix(file, "/"+end)
}

// score sums up the levers that were taken: those that the user names, or else the first of each line
// that is no longer what it was. It is nil if nothing was predicted, or cannot be measured.
func score(before, after Side, r *Report) *Score {
	if before.Advice == nil || r.CPU == nil || r.CPU.Total.Before == 0 {
		return nil
	}
	took := before.Took
	if len(took) == 0 {
		took = recognised(before, after, r)
	}
	s := &Score{Named: len(before.Took) > 0}
	for _, t := range took {
		a := Applied{Lever: t.lever.Name, Gain: *t.lever.Gain}
		if t.site != nil {
			a.Func, a.File, a.Line = t.site.Func, t.site.File, t.site.Line
			a.Bytes, _ = r.Bytes.of(a.Func)
		}
		s.Applied = append(s.Applied, a)
		s.Predicted.Lo += a.Gain.Lo
		s.Predicted.Hi += a.Gain.Hi
	}
	if len(s.Applied) == 0 {
		return nil
	}
	total := r.CPU.Total
	s.Estimate, s.Measured = 1-total.Ratio(), advice.Range{Lo: 1 - total.Hi, Hi: 1 - total.Lo}
	switch {
	case total.Hi == 0 || s.Measured.Hi-s.Measured.Lo > s.Predicted.Hi-s.Predicted.Lo:
		s.Word = Noisy
	case s.Predicted.Lo <= s.Estimate && s.Estimate <= s.Predicted.Hi:
		s.Word = Inside
	default:
		s.Word = Outside
	}
	s.Inside = s.Word == Inside
	return s
}

// of returns the change of what a function allocates with what it calls.
func (p *Part) of(name string) (Change, bool) {
	if p != nil {
		for _, f := range p.Functions {
			if f.Name == name {
				return f.Cum, true
			}
		}
	}
	return Change{}, false
}

// recognised are the first levers of lines that are gone from their function, or allocate at most half
// of what they did. Without the text of lines, in the advice for both sides, it is the
// function that has to allocate at most half.
func recognised(before, after Side, r *Report) (all []Took) {
	if before.Advice.Sites == nil || r.Bytes == nil {
		return nil
	}
	now := linesOf(after.Advice)
	work := r.Bytes.Work()
	for i := range before.Advice.Sites.Sites {
		s := &before.Advice.Sites.Sites[i]
		if len(s.Levers) == 0 || s.Levers[0].Gain == nil {
			continue
		}
		taken := false
		if now != nil && s.Text != "" {
			taken = float64(now[lineText{s.Func, s.Text}])/work.After <= float64(s.Bytes)/work.Before/2
		} else if c, ok := r.Bytes.of(s.Func); ok {
			taken = c.After <= c.Before/2
		}
		if taken {
			all = append(all, Took{s.Levers[0], s})
		}
	}
	return all
}

// A lineText names a line by its function and its text, which an edit above it does not change.
type lineText struct{ function, text string }

// linesOf returns the bytes allocated by line; nil if that is not known.
func linesOf(r *advice.Report) map[lineText]int64 {
	if r == nil || r.Sites == nil {
		return nil
	}
	var all map[lineText]int64
	for _, s := range r.Sites.Sites {
		if s.Text != "" {
			if all == nil {
				all = map[lineText]int64{}
			}
			all[lineText{s.Func, s.Text}] += s.Bytes
		}
	}
	return all
}
