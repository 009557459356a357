package verdict

import (
	"slices"

	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/upgrade"
)

// An Upgrade attributes differences to the changes of a toolchain's defaults. The share
// of a change is what goes away without it: the new toolchain over itself without the
// change. What the shares do not explain is the rest of the release. Shares are multiplied,
// and of counts their differences added up, so what two changes do only together counts as
// the rest, too.
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

// A Share is the effect of one change on a metric: a ratio, as in a Comparison.
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

// upgradeCells finds the cells of the two toolchains; ok is false if the plan is about others.
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
			cell.Explained = "without " + c.Name
			if c.Off {
				cell.Explained = "with " + c.Name + ", which " + p.To + " turns off"
			}
			if c.About != "" {
				cell.Explained += ": " + c.About
			}
		}
		r.Upgrade.Changes = append(r.Upgrade.Changes, change)
	}
}

// untouched finds the rows and cells whose binary is that of the cell's reference.
func untouched(s *session.Session) map[[2]int]bool {
	same := map[[2]int]bool{}
	for row := range s.Rows {
		for cell, is := range s.Rows[row].Same {
			if is {
				same[[2]int{row, cell}] = true
			}
		}
	}
	return same
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
	j.comparisons = map[valueKey]*Comparison{}
	for i := range j.r.Comparisons {
		c := &j.r.Comparisons[i]
		j.comparisons[valueKey{c.Row, c.Cell, c.Metric}] = c
	}
	for m := range j.r.Metrics {
		for row := range len(j.r.Rows) + 1 {
			if row == len(j.r.Rows) {
				row = Geomean
			}
			if total := j.comparisons[valueKey{row, now, m}]; total != nil {
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

// felt reports whether a metric makes an upgrade worse for users.
func (j *judge) felt(m int) bool { return j.r.Metrics[m].Decides || j.r.Metrics[m].Show().Felt }

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
