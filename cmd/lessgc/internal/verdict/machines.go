package verdict

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/stats"
)

// A Part is one shard of a comparison.
type Part struct {
	Dir     string
	Session *session.Session
	Trials  []session.Trial
}

// Merge judges the shards of one comparison together: pairs never cross a machine, each machine has an
// estimate of its own, and what is said is about the mean over machines like these. The error names two shards
// that do not belong together.
func Merge(parts []Part) (*Report, error) {
	parts = slices.Clone(parts)
	if len(parts) == 0 {
		return nil, errors.New("there are no shards")
	}
	for _, p := range parts {
		if p.Session.Config.Shard == nil {
			return nil, fmt.Errorf("%s is not a shard of a comparison", p.Dir)
		}
	}
	slices.SortStableFunc(parts, func(a, b Part) int { return cmp.Compare(a.Session.Config.Shard.Index, b.Session.Config.Shard.Index) })
	for i, p := range parts[1:] {
		if err := parts[0].Session.Together(p.Session); err != nil {
			return nil, fmt.Errorf("%s and %s do not belong together: %w", parts[0].Dir, p.Dir, err)
		}
		if err := parts[i].Session.Together(p.Session); err != nil { // two of one number
			return nil, fmt.Errorf("%s and %s do not belong together: %w", parts[i].Dir, p.Dir, err)
		}
	}
	m := newMerger(parts)
	for i, p := range parts {
		m.add(i, p)
	}
	m.session.Command = ofAll(m.session.Command)
	r := newReport(m.session, m.trials, &m.machineSet)
	r.machines(parts, m)
	return r, nil
}

// ofAll returns the command of a shard as that of all: with -shard I/N.
func ofAll(command []string) []string {
	command = slices.Clone(command)
	for i, arg := range command {
		name, value, given := strings.Cut(arg, "=")
		switch {
		case name != "-shard" && name != "--shard":
		case given:
			command[i] = name + "=" + anyOf(value)
		case i+1 < len(command):
			command[i+1] = anyOf(command[i+1])
		}
	}
	return command
}

func anyOf(shard string) string {
	_, n, ok := strings.Cut(shard, "/")
	if !ok {
		return shard
	}
	return "I/" + n
}

// A machineSet tells on which machines rounds were measured.
type machineSet struct {
	machineOf map[int]int // by round
	classOf   []int       // by machine
	classes   []Class
}

// A merger puts the sessions of shards into one.
type merger struct {
	machineSet
	session *session.Session
	trials  []session.Trial
	rows    map[[2]string]int // by package and name
	rounds  []map[int]bool    // by machine
	steal   []float64         // by machine
	link    int               // the largest number
	onRow   []int             // by row: on how many machines it was measured
}

func newMerger(parts []Part) *merger {
	s := *parts[0].Session
	s.Rows, s.Problems, s.Notes = nil, nil, nil
	m := &merger{session: &s, rows: map[[2]string]int{}, machineSet: machineSet{machineOf: map[int]int{}}, rounds: make([]map[int]bool, len(parts)), steal: make([]float64, len(parts))}
	for _, p := range parts {
		name := p.Session.Redacted().Host.Class()
		i := slices.IndexFunc(m.classes, func(c Class) bool { return c.Name == name })
		if i < 0 {
			i = len(m.classes)
			m.classes = append(m.classes, Class{Name: name})
		}
		m.classes[i].Machines++
		m.classOf = append(m.classOf, i)
	}
	return m
}

// add takes a shard over. Its rounds and links get numbers that no other shard's have.
func (m *merger) add(machine int, p Part) {
	s := m.session
	s.Config.Looks = max(s.Config.Looks, p.Session.Config.Looks)
	s.Config.Rounds = max(s.Config.Rounds, p.Session.Config.Rounds)
	rows := make([]int, len(p.Session.Rows))
	for i, row := range p.Session.Rows {
		key := [2]string{row.Package, row.Name}
		if _, ok := m.rows[key]; !ok {
			m.rows[key] = len(s.Rows)
			s.Rows = append(s.Rows, row)
			m.onRow = append(m.onRow, 0)
		}
		rows[i] = m.rows[key]
		at := &s.Rows[rows[i]]
		at.Bench = slices.Clone(at.Bench)
		for c, name := range row.Bench {
			at.Bench[c] = cmp.Or(at.Bench[c], name)
		}
	}
	where := fmt.Sprintf("shard %s: ", p.Session.Config.Shard)
	for _, problem := range p.Session.Problems {
		problem.Text = where + problem.Text
		s.Problems = append(s.Problems, problem)
	}
	for _, note := range p.Session.Notes {
		if !slices.Contains(s.Notes, note) {
			s.Notes = append(s.Notes, note)
		}
	}
	for c, cell := range p.Session.Cells {
		if s.Cells[c].Err != "" && cell.Err == "" { // it was built on some machine
			s.Cells = slices.Clone(s.Cells)
			s.Cells[c] = cell
		}
	}
	m.rounds[machine] = map[int]bool{}
	numbers, links := map[int]int{}, map[int]int{}
	seen := map[int]bool{} // rows
	for _, t := range p.Trials {
		if t.Round == 0 || t.Err != "" {
			continue
		}
		if numbers[t.Round] == 0 {
			numbers[t.Round] = len(m.machineOf) + 1
			m.machineOf[numbers[t.Round]] = machine
		}
		if t.Link > 0 && links[t.Link] == 0 {
			m.link++
			links[t.Link] = m.link
		}
		m.rounds[machine][t.Round] = true
		m.steal[machine] = max(m.steal[machine], t.Steal)
		t.Round, t.Link, t.Row = numbers[t.Round], links[t.Link], rows[t.Row]
		seen[t.Row] = true
		m.trials = append(m.trials, t)
	}
	for row := range seen {
		m.onRow[row]++
	}
}

// machines describes where the shards were measured.
func (r *Report) machines(parts []Part, m *merger) {
	r.Shards = parts[0].Session.Config.Shard.Of
	present := map[int]bool{}
	for i, p := range parts {
		s := p.Session.Redacted()
		present[s.Config.Shard.Index] = true
		r.Machines = append(r.Machines, Machine{Dir: p.Dir, Shard: s.Config.Shard.Index, Host: s.Host, Class: m.classOf[i], Procs: s.Config.Procs,
			Rounds: len(m.rounds[i]), Steal: max(0, m.steal[i])})
	}
	for i := 1; i <= r.Shards; i++ {
		if !present[i] {
			r.Missing = append(r.Missing, i)
		}
	}
	if n := len(parts); n < enoughMachines {
		r.Notes = append(r.Notes, fmt.Sprintf("%d machines tell little about others: with %d or more, intervals are much narrower", n, enoughMachines))
	}
	var short []string
	for i, p := range parts {
		if have, planned := len(m.rounds[i]), p.Session.Config.Rounds; have < planned {
			short = append(short, fmt.Sprintf("shard %d %d of %d", p.Session.Config.Shard.Index, have, planned))
		}
	}
	if len(short) > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d of %d shards were cut off and count with the rounds that they have: %s", len(short), len(parts), FirstOf(mostNamed, short)))
	}
	for row, n := range m.onRow {
		if n < len(parts) {
			r.Notes = append(r.Notes, fmt.Sprintf("%s was measured on %d of %d machines", r.Rows[row].Name, n, len(parts)))
		}
	}
	tools := map[string]bool{}
	for _, p := range parts {
		tools[p.Session.Tool] = true
	}
	if len(tools) > 1 {
		r.Notes = append(r.Notes, "the shards were measured by different versions of lessgc: "+strings.Join(slices.Sorted(maps.Keys(tools)), ", "))
	}
}

// mostNamed limits the shards that a note names.
const mostNamed = 10

// enoughMachines is the number from which on Student's distribution is not much wider than the normal one.
const enoughMachines = 6

// orders counts the links in which binaries had their functions.
func (j *judge) orders() int {
	most, links := 0, map[int]bool{}
	for _, link := range j.link {
		most = max(most, link)
		links[link] = link > 0
	}
	if j.machines == nil {
		return most
	}
	delete(links, 0)
	return len(links)
}

// paired estimates a ratio from log ratios by round, of one machine or across several.
func (j *judge) paired(byRound map[int]float64, looks ...stats.Look) (c Comparison, student float64) {
	if j.machines == nil {
		return paired(j.byLink(byRound), looks...)
	}
	return across(j.byMachine(byRound))
}

// byMachine estimates what each machine says, from its own rounds.
func (j *judge) byMachine(byRound map[int]float64) []MachineEffect {
	rounds := map[int]map[int]float64{} // by machine
	for round, d := range byRound {
		machine := j.machines.machineOf[round]
		if rounds[machine] == nil {
			rounds[machine] = map[int]float64{}
		}
		rounds[machine][round] = d
	}
	var all []MachineEffect
	for _, machine := range slices.Sorted(mapKeys(rounds)) {
		all = append(all, effectOf(machine, inOrder(j.byLink(rounds[machine]))))
	}
	return all
}

// effectOf is what a machine says by its log ratios. With too few of them for an interval, the error is that of the mean.
func effectOf(machine int, d []float64) MachineEffect {
	est, ci := stats.HodgesLehmann(d, 0.95)
	e := MachineEffect{Machine: machine, N: len(d), Ratio: math.Exp(est), Error: stats.MeanError(d)}
	if len(d) >= minPairs {
		e.Bounded, e.Lo, e.Hi, e.Error = true, math.Exp(ci.Lo), math.Exp(ci.Hi), stats.StandardError(len(d), ci)
	}
	return e
}

func (e MachineEffect) group() stats.Group {
	return stats.Group{Estimate: math.Log(e.Ratio), Error: e.Error, N: e.N}
}

// across is the mean of what machines say, each of which has an effect of its own. One machine says nothing of others.
func across(machines []MachineEffect) (c Comparison, student float64) {
	c = Comparison{P: 1, Adjusted: 1, Ratio: 1, Machines: len(machines), ByMachine: machines}
	if len(machines) == 0 {
		return c, 1
	}
	var groups []stats.Group
	for _, e := range machines {
		c.N += e.N
		groups = append(groups, e.group())
	}
	s := stats.RandomEffects(groups)
	c.Ratio, c.Between, c.I2, c.P = bounded(math.Exp(s.Estimate)), s.Between, s.I2, s.P
	if len(groups) >= 2 {
		c.Bounded, c.Lo, c.Hi = true, bounded(math.Exp(s.Interval.Lo)), bounded(math.Exp(s.Interval.Hi))
	}
	if !math.IsInf(s.Expected.Hi, 0) {
		c.Predicted, c.ExpectLo, c.ExpectHi = true, bounded(math.Exp(s.Expected.Lo)), bounded(math.Exp(s.Expected.Hi))
	}
	return c, c.P
}

// bounded keeps a ratio finite and above 0, as JSON and logarithms need it: with two machines an interval may be wider
// than any number.
func bounded(ratio float64) float64 {
	return min(max(ratio, math.Exp(-maxLogRatio)), math.Exp(maxLogRatio))
}

// classes finds what each class of machines says, where there is more than one.
func (j *judge) classes(claims []claim) {
	if j.machines == nil || len(j.machines.classes) < 2 {
		return
	}
	var all []*ClassEffect
	for _, c := range claims {
		if c.Machines > 1 {
			c.ByClass = j.byClass(c.Comparison)
		}
		for i := range c.ByClass {
			all = append(all, &c.ByClass[i])
		}
	}
	p := make([]float64, len(all))
	for i, c := range all {
		p[i] = c.P
	}
	adjusted := stats.Holm(p)
	for i, c := range all {
		c.Adjusted = adjusted[i]
	}
	for _, c := range claims {
		for i := range c.ByClass {
			of := &c.ByClass[i]
			of.Word = j.word(&Comparison{Metric: c.Metric, Ratio: of.Ratio, Bounded: of.Bounded, Lo: of.Lo, Hi: of.Hi, Adjusted: of.Adjusted, Floor: c.Floor, NoFloor: c.NoFloor})
		}
	}
}

// byClass divides what machines say by their class. Where some class has two machines, all have the variance
// between those of one class in common; where none has, a class is judged by the noise of its machine alone.
func (j *judge) byClass(c *Comparison) []ClassEffect {
	groups := make([][]stats.Group, len(j.machines.classes))
	parts := make([][]stats.Part, len(j.machines.classes))
	for _, m := range c.ByMachine {
		class := j.machines.classOf[m.Machine]
		groups[class] = append(groups[class], m.group())
		if m.Bounded {
			parts[class] = append(parts[class], stats.Part{N: m.N, Estimate: math.Log(m.Ratio), Interval: stats.Interval{Lo: math.Log(m.Lo), Hi: math.Log(m.Hi)}})
		}
	}
	var present []int
	for class := range groups {
		if len(groups[class]) > 0 {
			present = append(present, class)
		}
	}
	if len(present) < 2 {
		return nil
	}
	if freedom := len(c.ByMachine) - len(present); freedom >= minFreedom {
		return manyPerClass(groups, present)
	}
	var all []ClassEffect
	for _, class := range present {
		e := ClassEffect{Class: class, Machines: len(groups[class]), Ratio: math.Exp(groups[class][0].Estimate), P: 1}
		if len(parts[class]) > 0 {
			est, ci, p := stats.Combine(parts[class])
			e.Ratio, e.Bounded, e.Lo, e.Hi, e.P = bounded(math.Exp(est)), true, bounded(math.Exp(ci.Lo)), bounded(math.Exp(ci.Hi)), p
		}
		all = append(all, e)
	}
	return all
}

// minFreedom is the number of machines more than classes from which on the variance between machines of a class
// is known well enough: with one, Student's distribution is four times as wide as with three.
const minFreedom = 3

func manyPerClass(groups [][]stats.Group, present []int) []ClassEffect {
	var some [][]stats.Group
	for _, class := range present {
		some = append(some, groups[class])
	}
	var all []ClassEffect
	for i, s := range stats.Subgroups(some) {
		all = append(all, ClassEffect{Class: present[i], Machines: s.Groups, Ratio: bounded(math.Exp(s.Estimate)), Bounded: true,
			Lo: bounded(math.Exp(s.Interval.Lo)), Hi: bounded(math.Exp(s.Interval.Hi)), P: s.P})
	}
	return all
}

// mixed reports whether a class of machines says what the word for all of them would hide: it is better or worse
// and another is the contrary, or all together are the same or the contrary.
func (c *Comparison) mixed() bool {
	better := slices.ContainsFunc(c.ByClass, func(e ClassEffect) bool { return e.Word == Better })
	worse := slices.ContainsFunc(c.ByClass, func(e ClassEffect) bool { return e.Word == Worse })
	return better && worse || c.Word == Same && (better || worse) || c.Word == Better && worse || c.Word == Worse && better
}

// machinesNeeded estimates how many machines would make c clear.
func (j *judge) machinesNeeded(c *Comparison, claims int) int {
	return stats.GroupsNeeded(c.Machines, math.Log(c.Ratio), stats.Interval{Lo: math.Log(c.Lo), Hi: math.Log(c.Hi)}, math.Log1p(j.r.Margin), j.r.Alpha, claims)
}

// exactly compares counts. On several machines each compares its own: another number of iterations spreads
// the allocations of a start over more or fewer of them.
func (j *judge) exactly(m int, x, ref *Value) Comparison {
	if j.machines == nil {
		return j.exact(m, x, ref)
	}
	xs, refs := j.split(x), j.split(ref)
	var ratios []float64
	words := map[Word]bool{}
	c := Comparison{P: 1, Adjusted: 1, Word: Same}
	for _, machine := range slices.Sorted(mapKeys(xs)) {
		if refs[machine] == nil {
			continue
		}
		one := j.exact(m, xs[machine], refs[machine])
		c.N += one.N
		c.Machines++
		words[one.Word] = true
		ratios = append(ratios, one.Ratio)
	}
	if len(ratios) == 0 {
		c.Ratio = 1
		return c
	}
	c.Ratio = stats.Median(ratios)
	switch {
	case len(words) > 1:
		c.Word = Mixed
	case words[Better]:
		c.Word = Better
	case words[Worse]:
		c.Word = Worse
	}
	return c
}

// split divides a row's values by machine.
func (j *judge) split(v *Value) map[int]*Value {
	all := map[int]*Value{}
	for i, round := range v.Rounds {
		machine := j.machines.machineOf[round]
		if all[machine] == nil {
			all[machine] = &Value{Row: v.Row, Cell: v.Cell, Metric: v.Metric}
		}
		all[machine].Rounds = append(all[machine].Rounds, round)
		all[machine].Trials = append(all[machine].Trials, v.Trials[i])
	}
	for _, of := range all {
		of.Median = stats.Median(of.Trials)
	}
	return all
}
