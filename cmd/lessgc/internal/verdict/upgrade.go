package verdict

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/upgrade"
)

// An Upgrade says which change of a toolchain's defaults caused which difference. The share
// of a change is what goes away without it: the new toolchain over itself without the
// change. What the shares do not explain is the rest of the release. Shares are multiplied,
// so what two changes do only together counts as the rest, too.
type Upgrade struct {
	From     string          `json:"from"` // versions
	To       string          `json:"to"`
	Changes  []UpgradeChange `json:"changes,omitempty"`
	Causes   []Cause         `json:"causes,omitempty"`   // by metric, then by row
	Worse    []int           `json:"worse,omitempty"`    // indexes of Causes: what got worse and is felt
	Remedies []Remedy        `json:"remedies,omitempty"` // what to set meanwhile
}

// An UpgradeChange is one change, and where it is measured.
type UpgradeChange struct {
	Name    string `json:"name"`
	Off     bool   `json:"off,omitempty"` // the new toolchain turns it off
	About   string `json:"about,omitempty"`
	Setting string `json:"setting,omitempty"` // GOEXPERIMENT that takes it back
	Cell    int    `json:"cell"`              // that is without it; -1 for none
	Why     string `json:"why,omitempty"`     // why there is none
}

// A Cause is one row and metric of the upgrade.
type Cause struct {
	Row    int     `json:"row"` // or Geomean
	Metric int     `json:"metric"`
	Total  Share   `json:"total"`  // the new toolchain against the old
	Shares []Share `json:"shares"` // of each of Changes that was measured there
	Rest   *Share  `json:"rest,omitempty"`
	Short  string  `json:"short,omitempty"` // the names of what brings the difference; "" if there is none
	Text   string  `json:"text"`            // the cause in words
}

// A Share is how much a change makes of a metric: a ratio, as in a Comparison.
type Share struct {
	Change    int     `json:"change"` // index of Changes; -1 for the whole upgrade and for the rest
	Ratio     float64 `json:"ratio"`
	Bounded   bool    `json:"bounded,omitempty"`
	Lo        float64 `json:"lo,omitempty"`
	Hi        float64 `json:"hi,omitempty"`
	Word      Word    `json:"word"`                // what the change does; "" for a metric without a verdict there
	Untouched bool    `json:"untouched,omitempty"` // the binaries with and without the change are the same
	Without   *Effect `json:"without,omitempty"`   // the new toolchain without the change against the old one
}

// An Effect is an estimate without a verdict.
type Effect struct {
	Ratio   float64 `json:"ratio"`
	Bounded bool    `json:"bounded,omitempty"`
	Lo      float64 `json:"lo,omitempty"`
	Hi      float64 `json:"hi,omitempty"`
}

// A Remedy is a setting that makes something better that the upgrade has made worse.
type Remedy struct {
	Change  int    `json:"change"`
	Setting string `json:"setting"`         // of GOEXPERIMENT
	Helps   []int  `json:"helps"`           // indexes of Causes
	Harms   []int  `json:"harms,omitempty"` // where the change is for the better
}

// felt are the metrics, besides those that decide, which make an upgrade worse for users.
var felt = []string{"rss", "p50", "p99", "rate", "full-cpu"}

// cells finds the cells of the two toolchains; ok is false if the plan is about others.
func upgradeCells(s *session.Session, p *upgrade.Plan) (old, now int, ok bool) {
	find := func(name string) int {
		return slices.IndexFunc(s.Cells, func(c session.Cell) bool { return !c.AA && c.Mode.Name == name })
	}
	old, now = find(p.From), find(p.To)
	return old, now, old >= 0 && now >= 0 && s.Cells[now].Ref == old
}

// planUpgrade has the cells of an upgrade say what they are without.
func (r *Report) planUpgrade(s *session.Session) {
	p := s.Config.Upgrade
	if p == nil {
		return
	}
	_, now, ok := upgradeCells(s, p)
	if !ok {
		return
	}
	r.Upgrade = &Upgrade{From: p.From, To: p.To}
	for _, c := range p.Changes {
		change := UpgradeChange{Name: c.Name, Off: c.Off, About: c.About, Setting: c.Setting, Cell: -1, Why: c.Why}
		i := slices.IndexFunc(s.Cells, func(cell session.Cell) bool {
			return !cell.AA && c.Mode != "" && cell.Mode.Name == c.Mode && cell.Ref == now
		})
		switch {
		case i >= 0 && s.Cells[i].Err == "":
			change.Cell = i
		case i >= 0:
			change.Why = "it could not be built: " + s.Cells[i].Err
		}
		if i >= 0 {
			cell := &r.Cells[i]
			cell.Without, cell.Group = c.Name, r.Cells[now].Name
			cell.Explained = p.To + " without " + c.Name
			if c.Off {
				cell.Explained = p.To + " with " + c.Name + ", which it turns off"
			}
			if c.About != "" {
				cell.Explained += ": " + c.About
			}
		}
		r.Upgrade.Changes = append(r.Upgrade.Changes, change)
	}
}

// cells returns those that are without a change and measured.
func (u *Upgrade) cells() []int {
	if u == nil {
		return nil
	}
	var all []int
	for _, c := range u.Changes {
		if c.Cell >= 0 {
			all = append(all, c.Cell)
		}
	}
	return all
}

// rests is what the changes do not explain of each row of a metric, and of the mean: each
// is a claim like the others of its table. logs are log ratios by cell, row and round.
func (j *judge) rests(m int, logs map[int]map[int]map[int]float64, floors map[floorPlace]float64) []claim {
	cells := j.r.Upgrade.cells()
	if len(cells) == 0 || j.r.Metrics[m].Exact {
		return nil
	}
	now := j.r.Cells[cells[0]].Ref
	rests := map[int]map[int]float64{}
	var claims []claim
	add := func(c Comparison, student float64, row, rounds int) {
		claims = append(claims, claim{Comparison: j.add(c, row, now, m, floors), student: student, rounds: rounds, rest: true})
	}
	for row := range j.r.Rows {
		rest := rest(row, logs[now][row], cells, logs)
		if rest == nil {
			continue
		}
		rests[row] = rest
		c, student := paired(j.byLink(rest), j.looks(now, m, rest)...)
		add(c, student, row, len(rest))
	}
	trim(rests)
	if len(rests) > 1 {
		c, student := j.mean(now, m, rests)
		add(c, student, Geomean, longest(rests))
	}
	return claims
}

// rest takes the changes of a row off its total, round by round; nil if there is nothing to
// take off.
func rest(row int, total map[int]float64, cells []int, logs map[int]map[int]map[int]float64) map[int]float64 {
	left := map[int]float64{}
	for round, d := range total {
		left[round] = d
	}
	taken := false
	for _, c := range cells {
		without := logs[c][row]
		if len(without) == 0 {
			continue
		}
		taken = true
		for round := range left {
			d, ok := without[round]
			if !ok || math.Abs(left[round]+d) > maxLogRatio {
				delete(left, round)
				continue
			}
			left[round] += d // the share of a change is one over what it is without it
		}
	}
	if !taken || len(left) == 0 {
		return nil
	}
	return left
}

// restClaims counts the claims about the rest of an upgrade in one metric's table.
func restClaims(s *session.Session) int {
	p := s.Config.Upgrade
	if p == nil {
		return 0
	}
	old, now, ok := upgradeCells(s, p)
	if !ok {
		return 0
	}
	rows := 0
	for _, row := range s.Rows {
		taken := false
		for i, c := range s.Cells {
			taken = taken || !c.AA && p.Change(c.Mode.Name) != nil && c.Ref == now && row.Bench[i] != ""
		}
		if taken && row.Bench[old] != "" && row.Bench[now] != "" {
			rows++
		}
	}
	if rows > 1 {
		return rows + 1
	}
	return rows
}

// causes finds the cause of each row and metric, and what to do about it.
func (j *judge) causes() {
	u := j.r.Upgrade
	if u == nil {
		return
	}
	now := slices.IndexFunc(j.r.Cells, func(c Cell) bool { return c.Name == u.To && !c.AA })
	if cells := u.cells(); len(cells) > 0 {
		now = j.r.Cells[cells[0]].Ref
	}
	for m := range j.r.Metrics {
		for _, row := range append(slices.Collect(indexes(len(j.r.Rows))), Geomean) {
			if total := j.r.find(row, now, m); total != nil {
				u.Causes = append(u.Causes, j.cause(row, m, total))
			}
		}
	}
	for i, c := range u.Causes {
		if c.Row != Geomean && c.Total.Word == Worse && j.felt(c.Metric) {
			u.Worse = append(u.Worse, i)
		}
	}
	j.remedies()
}

func indexes(n int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func (j *judge) felt(m int) bool {
	return j.r.Metrics[m].Decides || slices.Contains(felt, j.r.Metrics[m].Name)
}

// remedies finds the settings that help what got worse.
func (j *judge) remedies() {
	u := j.r.Upgrade
	for i, change := range u.Changes {
		remedy := Remedy{Change: i, Setting: change.Setting}
		for n, c := range u.Causes {
			if c.Row == Geomean || !j.felt(c.Metric) {
				continue
			}
			share := slices.IndexFunc(c.Shares, func(s Share) bool { return s.Change == i })
			if share < 0 {
				continue
			}
			switch word := c.Shares[share].Word; {
			case word == Worse && c.Total.Word == Worse:
				remedy.Helps = append(remedy.Helps, n)
			case word == Better:
				remedy.Harms = append(remedy.Harms, n)
			}
		}
		if len(remedy.Helps) > 0 {
			u.Remedies = append(u.Remedies, remedy)
		}
	}
}

// cause takes one row and metric apart.
func (j *judge) cause(row, m int, total *Comparison) Cause {
	c := Cause{Row: row, Metric: m, Total: Share{Change: -1, Ratio: total.Ratio, Bounded: total.Bounded, Lo: total.Lo, Hi: total.Hi, Word: total.Word}, Shares: []Share{}}
	exact := j.r.Metrics[m].Exact
	explained := 1.0
	for i, change := range j.r.Upgrade.Changes {
		if change.Cell < 0 {
			continue
		}
		if row != Geomean && j.untouched[[2]int{row, change.Cell}] {
			c.Shares = append(c.Shares, Share{Change: i, Ratio: 1, Word: Same, Untouched: true})
			continue
		}
		x := j.r.find(row, change.Cell, m)
		if x == nil {
			continue
		}
		share := Share{Change: i, Ratio: 1 / x.Ratio, Bounded: x.Bounded, Word: opposite(x.Word)}
		if x.Bounded {
			share.Lo, share.Hi = 1/x.Hi, 1/x.Lo
		}
		if exact {
			share.Ratio = ratio(j.median(row, x.Ref, m), j.median(row, x.Cell, m))
			explained *= share.Ratio
		}
		share.Without = j.against(row, change.Cell, total.Ref, m)
		c.Shares = append(c.Shares, share)
	}
	if exact {
		c.Rest = exactRest(total.Ratio/explained, c.Shares)
	} else if rest, ok := j.restOf[place{row, total.Cell, m}]; ok {
		c.Rest = &Share{Change: -1, Ratio: rest.Ratio, Bounded: rest.Bounded, Lo: rest.Lo, Hi: rest.Hi, Word: rest.Word}
	}
	c.Short, c.Text = j.causeWords(&c, total)
	return c
}

// opposite is what a change does, when the word is what happens without it.
func opposite(w Word) Word {
	switch w {
	case Better:
		return Worse
	case Worse:
		return Better
	}
	return w
}

// exactRest is what the changes do not explain of a count. Less than what makes no
// difference in bytes is the work of pools and maps.
func exactRest(ratio float64, shares []Share) *Share {
	if len(shares) == 0 {
		return nil
	}
	rest := &Share{Change: -1, Ratio: ratio, Word: Same}
	switch {
	case ratio > 1+bytesMargin:
		rest.Word = Worse
	case ratio < 1/(1+bytesMargin):
		rest.Word = Better
	}
	return rest
}

func (j *judge) median(row, cell, m int) float64 {
	if v := j.values[place{row, cell, m}]; v != nil {
		return v.Median
	}
	return 0
}

// against compares two cells of which neither is the other's reference: an estimate, and no
// claim. It is nil where one of them was not measured, and for the mean.
func (j *judge) against(row, cell, ref, m int) *Effect {
	x, y := j.values[place{row, cell, m}], j.values[place{row, ref, m}]
	if x == nil || y == nil {
		return nil
	}
	if j.r.Metrics[m].Exact {
		return &Effect{Ratio: ratio(x.Median, y.Median)}
	}
	byRound, ok := logRatios(x, y)
	if !ok {
		return nil
	}
	c, _ := paired(j.byLink(byRound), j.looks(cell, m, byRound)...)
	return &Effect{c.Ratio, c.Bounded, c.Lo, c.Hi}
}

// RestOfRelease is the name of what no change explains.
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
	if len(against) > 0 {
		text += "; less " + j.list(against)
	}
	return short, text
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
		x, y := math.Abs(math.Log(a.Ratio)), math.Abs(math.Log(b.Ratio))
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
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
