package diff

import (
	"lessgc/cmd/lessgc/internal/advice"
)

// A Score sets what was predicted against what was measured.
type Score struct {
	Applied   []Applied    `json:"applied"`   // levers of lines that allocate less now
	Predicted advice.Range `json:"predicted"` // of them together, as a share of the CPU time before
	Measured  advice.Range `json:"measured"`  // what CPU time went, with the error of sampling
	Inside    bool         `json:"inside"`    // the two ranges have something in common
}

// An Applied is a lever of a line that allocates at most half of what it did.
type Applied struct {
	Rule  string       `json:"rule"`
	Func  string       `json:"func"`
	File  string       `json:"file,omitempty"`
	Line  int          `json:"line,omitempty"`
	Bytes Change       `json:"bytes"`
	Gain  advice.Range `json:"gain"`
}

// score finds the lines whose advice was taken: what their function allocates has gone
// down by half or more. Which lever it was the profiles do not tell; the first of the
// line is taken. nil if nothing was predicted, or cannot be measured.
func score(before Side, r *Report) *Score {
	if before.Advice == nil || before.Advice.Sites == nil || r.CPU == nil || r.Bytes == nil {
		return nil
	}
	now := map[string]Change{}
	for _, f := range r.Bytes.Functions {
		now[f.Name] = f.Cum
	}
	s := &Score{}
	for _, site := range before.Advice.Sites.Sites {
		if len(site.Levers) == 0 || site.Levers[0].Gain == nil {
			continue
		}
		c, ok := now[site.Func]
		if !ok || c.After > c.Before/2 {
			continue
		}
		gain := *site.Levers[0].Gain
		s.Applied = append(s.Applied, Applied{Rule: site.Levers[0].Rule, Func: site.Func, File: site.File, Line: site.Line, Bytes: c, Gain: gain})
		s.Predicted.Lo += gain.Lo
		s.Predicted.Hi += gain.Hi
	}
	if len(s.Applied) == 0 {
		return nil
	}
	if costs := before.Advice.Costs; costs != nil {
		s.Predicted = advice.Capped(s.Predicted, costs.Bill)
	}
	total := r.CPU.Total
	s.Measured = advice.Range{Lo: 1 - total.Hi, Hi: 1 - total.Lo}
	s.Inside = s.Measured.Lo <= s.Predicted.Hi && s.Predicted.Lo <= s.Measured.Hi
	return s
}
