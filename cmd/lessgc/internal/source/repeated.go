package source

import (
	"lessgc/cmd/lessgc/internal/lever"
	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/repeats"
)

// texts are the strings that functions return, as levers want them.
func texts(all []repeats.Function) map[string]lever.TextCount {
	out := map[string]lever.TextCount{}
	for _, f := range all {
		if f.Texts > 0 {
			out[f.Func] = lever.TextCount{Made: f.Texts, Distinct: f.Distinct}
		}
	}
	return out
}

// repeated converts the functions that were found to the form of levers.
func repeated(all []repeats.Function) (out []lever.Repeat) {
	lines := func(all []repeats.Line) (out []lever.RepeatLine) {
		for _, l := range all {
			out = append(out, lever.RepeatLine{Frame: prof.Frame{Func: l.Func, File: l.File, Line: l.Line}, Calls: l.Calls, Again: l.Again, Entered: l.Entered})
		}
		return out
	}
	for _, f := range all {
		if f.Inputs == 0 {
			continue // only what it returns is known
		}
		out = append(out, lever.Repeat{Func: f.Func, Calls: f.Calls, Inputs: f.Inputs, Across: f.Across, Places: lines(f.Places), Lines: lines(f.Lines)})
	}
	return out
}
