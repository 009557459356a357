package verdict

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// RestOfRelease is the name of the rest that no change explains.
const RestOfRelease = "the rest of the release"

// causeWords names the cause of a difference: the changes whose shares have the same
// verdict as the whole, and the rest of the release if its share has.
func (j *judge) causeWords(c *Cause, total *Comparison) (short, text string) {
	with, against := j.called(c, total.Word), j.called(c, opposite(total.Word))
	switch total.Word {
	case Same:
		if both := append(j.called(c, Worse), j.called(c, Better)...); len(both) > 0 {
			return "", "no change on the whole; alone: " + j.list(both)
		}
		return "", "no change"
	case Better, Worse:
	default:
		text = "not clear whether it differs"
		if total.Withheld != "" {
			text = "no verdict: CPU time and the clock differ"
		}
		if both := append(j.called(c, Worse), j.called(c, Better)...); len(both) > 0 {
			text += "; alone: " + j.list(both)
		}
		return "", text
	}
	if len(with) == 0 {
		if len(c.Shares) == 0 {
			return RestOfRelease, RestOfRelease + ": no change can be taken back here"
		}
		if open := j.called(c, Unclear); len(open) > 0 {
			return "", "not clear which change: " + j.list(open) + "; more rounds may tell"
		}
		return "", "no change alone makes a difference that can be told from noise"
	}
	var names []string
	for _, s := range with {
		names = append(names, j.changeName(s.Change))
	}
	short, text = strings.Join(names, ", "), j.list(with)
	if len(with) == 1 && with[0].Change < 0 {
		text = "not explained by any opt-out: " + RestOfRelease
	}
	if explained(with) < math.Abs(math.Log(c.Total.Ratio))/2 {
		short += " in part"
		text += "; the larger part is not clear"
		if open := j.called(c, Unclear); len(open) > 0 {
			text += ": " + j.list(open)
		}
	}
	if len(against) > 0 {
		text += "; the other way: " + j.list(against)
	}
	return short, text
}

// explained returns the absolute logarithm of the product of shares of one direction.
func explained(shares []Share) float64 {
	sum := 0.0
	for _, s := range shares {
		sum += math.Abs(math.Log(s.Ratio))
	}
	return sum
}

// called are the shares with a verdict, the rest of the release among them, the largest
// first.
func (j *judge) called(c *Cause, w Word) []Share {
	var all []Share
	for _, s := range c.Shares {
		if s.Word == w {
			all = append(all, s)
		}
	}
	if c.Rest != nil && c.Rest.Word == w && w != Same {
		all = append(all, *c.Rest)
	}
	slices.SortStableFunc(all, func(a, b Share) int {
		return cmp.Compare(math.Abs(math.Log(b.Ratio)), math.Abs(math.Log(a.Ratio)))
	})
	return all
}

func (j *judge) changeName(change int) string {
	if change < 0 {
		return RestOfRelease
	}
	return j.r.Upgrade.Changes[change].Name
}

// list writes shares with their names.
func (j *judge) list(shares []Share) string {
	var parts []string
	for _, s := range shares {
		part := j.changeName(s.Change) + " " + Percent(s.Ratio)
		if s.Bounded {
			part += " [" + Range(s.Lo, s.Hi) + "]"
		}
		if w := s.Without; w != nil && s.Word != Unclear {
			part += fmt.Sprintf(" (without it %s against %s)", Percent(w.Ratio), j.r.Upgrade.From)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}
