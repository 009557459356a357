package verdict

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/stats"
	"lessgc/cmd/lessgc/internal/version"
)

const (
	// alpha is the chance of any false better or worse in a table of equals.
	alpha = 0.05
	// minPairs is the smallest number of pairs with a 95 % interval.
	minPairs = 6
	// maxLogRatio keeps ratios and what is computed from them finite.
	maxLogRatio = 300
	// maxNeed is the largest number of rounds that is worth proposing.
	maxNeed = 1000
	// bytesMargin and allocsMargin are the differences in B/op and allocs/op that do not matter. The counts are exact, but rare
	// allocations, and what a server allocates between requests, are spread over the iterations.
	bytesMargin  = 0.01
	allocsMargin = 0.001
)

// Of an adaptive run each table is judged up to MostInterim times before its time is
// over, all of which share interimShare of alpha, and once at the end, for the rest
// (Haybittle 1971, Peto and others 1976): the chance of any false word at any look is at
// most the sum, however the looks depend on each other. To save the last look for the
// end costs a tenth more time than a test without looks; to share alpha evenly, half.
const (
	MostInterim  = 8
	interimShare = 0.2
)

// Alpha is the level at which a session is judged now. Results that were looked at
// and then extended by more rounds have to pay for each look, or waiting for a
// lucky one would be a way to find it (Bonferroni over the looks).
func Alpha(s *session.Session) float64 {
	switch {
	case !s.Config.Adaptive:
		return wholeAlpha(s)
	case s.Ended:
		return wholeAlpha(s) * (1 - interimShare)
	}
	return interimAlpha(s)
}

// wholeAlpha returns the error level that all looks of one run share.
func wholeAlpha(s *session.Session) float64 { return alpha / float64(max(1, s.Config.Looks)) }

// interimAlpha is the level of a look that is not the last.
func interimAlpha(s *session.Session) float64 { return wholeAlpha(s) * interimShare / MostInterim }

// Claims counts the comparisons of one metric's table, that of the geometric
// mean included.
func Claims(s *session.Session) int {
	n := 0
	for i, c := range s.Cells {
		if c.Ref < 0 || c.AA {
			continue
		}
		rows := 0
		for _, row := range s.Rows {
			if row.Bench[i] != "" && row.Bench[c.Ref] != "" {
				rows++
			}
		}
		n += rows
		if rows > 1 {
			n++
		}
	}
	return max(1, n+restClaims(s))
}

// New judges a session by its trials.
func New(s *session.Session, trials []session.Trial) *Report {
	r := newReport(s, trials, nil)
	if shard := s.Config.Shard; shard != nil {
		r.Notes = append(r.Notes, fmt.Sprintf("this is shard %s, of one machine; lessgc report with the folders of all shards takes them together", shard))
	}
	return r
}

// newReport judges a session, or those of several machines that are put into one.
func newReport(s *session.Session, trials []session.Trial, machines *machineSet) *Report {
	s = s.Redacted()
	r := &Report{
		Format: Format, Tool: version.Tool(), Command: s.Command, Created: s.Created, Commit: s.Commit, Base: s.Config.Base, Host: s.Host, Seed: s.Config.Seed,
		Planned: s.Config.Rounds, Procs: s.Config.Procs, MinTrial: s.Config.MinTrial, Duet: s.Config.Duet,
		Program: s.Config.Exec != "", Load: s.Config.Load != "", Margin: s.Config.Margin, Alpha: Alpha(s),
		Problems: s.Problems, Notes: slices.Clone(s.Notes),
	}
	if s.Tool != r.Tool {
		r.Measured = s.Tool
	}
	for _, c := range s.Cells {
		r.Cells = append(r.Cells, Cell{ID: c.ID, Name: c.Name, Settings: c.Mode.Settings(), Explained: c.Mode.Explain(), Build: c.Build, Group: c.Group, Ref: c.Ref, AA: c.AA, Err: c.Err})
	}
	r.planUpgrade(s)
	for _, row := range s.Rows {
		r.Rows = append(r.Rows, Row{row.Package, cmp.Or(row.Label, row.Name), row.N})
	}
	good := slices.DeleteFunc(slices.Clone(trials), func(t session.Trial) bool { return t.Round == 0 || t.Err != "" })
	r.Metrics = metricsOf(good, s.Config.Decide)
	j := newJudge(r, good)
	if j.machines = machines; machines != nil {
		r.Classes = machines.classes
	}
	for _, t := range good {
		j.link[t.Round] = t.Link
	}
	r.Orders = j.orders()
	j.untouched = untouched(s)
	j.adaptive = s.Config.Adaptive
	j.interim = s.Config.Adaptive && !s.Ended
	if s.Config.Adaptive && len(s.Config.Clear) == 0 {
		j.looked = s.Looked
		j.early = interimAlpha(s) / float64(Claims(s))
	}
	r.Rounds = j.completeRounds(s)
	for m := range r.Metrics {
		j.table(m)
	}
	if s.Config.Decide == "" { // else it may be of another process than the clock
		j.agree()
	}
	j.causes()
	r.latencies(good)
	r.notes(good, s.Config.Looks)
	r.answer()
	return r
}

// A judge holds the measured values by row, cell and metric.
type judge struct {
	r      *Report
	values map[valueKey]*Value
	link   map[int]int // by round: the number of the link

	machines *machineSet // nil for one
	adaptive bool        // rows may have different numbers of rounds
	interim  bool        // this is not the last look
	looked   []int       // the rounds after which rows could end, if CPU time decided that
	early    float64     // at this level

	// Of an upgrade.
	restOf      map[valueKey]Comparison  // the rest that no change explains
	untouched   map[[2]int]bool          // by row and cell: the binary is that of the cell's reference
	comparisons map[valueKey]*Comparison // of the report
}

type valueKey struct{ row, cell, metric int }

func newJudge(r *Report, trials []session.Trial) *judge {
	j := &judge{r: r, values: map[valueKey]*Value{}, link: map[int]int{}, restOf: map[valueKey]Comparison{}}
	index := map[string]int{}
	for i, m := range r.Metrics {
		index[m.Unit] = i
	}
	for _, t := range trials {
		for _, v := range t.Metrics() {
			m, ok := index[v.Unit]
			if !ok || math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
				continue
			}
			p := valueKey{t.Row, t.Cell, m}
			if j.values[p] == nil {
				j.values[p] = &Value{Row: t.Row, Cell: t.Cell, Metric: m}
			}
			value := j.values[p]
			value.Rounds = append(value.Rounds, t.Round)
			value.Trials = append(value.Trials, v.Value)
		}
	}
	for _, v := range j.values {
		v.Median = stats.Median(v.Trials)
		r.Values = append(r.Values, *v)
	}
	slices.SortFunc(r.Values, func(a, b Value) int {
		return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Metric, b.Metric))
	})
	return j
}

// completeRounds is the number of rounds that every row has in every cell that
// never failed.
func (j *judge) completeRounds(s *session.Session) int {
	n := -1
	for _, v := range j.values {
		failed := slices.ContainsFunc(s.Problems, func(p session.Problem) bool {
			return p.Row == j.r.Rows[v.Row].Name && p.Cell == j.r.Cells[v.Cell].ID
		})
		if j.r.Metrics[v.Metric].Name == "cpu" && !failed && (n < 0 || len(v.Trials) < n) { // every trial has it
			n = len(v.Trials)
		}
	}
	return max(n, 0)
}

// A claim is a comparison that gets a word, its p-value by Student's t-test, and the
// number of its rounds.
type claim struct {
	*Comparison
	student float64
	rounds  int
	rest    bool // of an upgrade: what no change explains
}

// table judges one metric: every row and cell, and the geometric means.
func (j *judge) table(m int) {
	var claims []claim
	floors := map[floorPlace]float64{}
	logsOf := map[int]map[int]map[int]float64{} // by cell, row and round
	// The A/A cells come first: the others are compared with their floors.
	order := make([]int, 0, len(j.r.Cells))
	for c, cell := range j.r.Cells {
		if cell.AA && cell.Ref >= 0 {
			order = slices.Insert(order, 0, c)
		} else {
			order = append(order, c)
		}
	}
	for _, c := range order {
		cell := j.r.Cells[c]
		if cell.Ref < 0 {
			continue
		}
		logs := map[int]map[int]float64{} // by row, by round
		for row := range j.r.Rows {
			x, ref := j.values[valueKey{row, c, m}], j.values[valueKey{row, cell.Ref, m}]
			if x == nil || ref == nil {
				continue
			}
			var cmp Comparison
			var student float64
			if j.r.Metrics[m].Exact {
				cmp = j.exactly(m, x, ref)
			} else if byRound, ok := logRatios(x, ref); ok {
				logs[row] = byRound
				cmp, student = j.paired(byRound, j.looks(c, m, byRound)...)
			} else {
				continue
			}
			claims = append(claims, claim{Comparison: j.add(cmp, row, c, m, floors), student: student, rounds: len(logs[row])})
		}
		logsOf[c] = maps.Clone(logs)
		j.dropShort(c, m, logs)
		if len(logs) > 1 {
			mean, student := j.mean(c, m, logs)
			claims = append(claims, claim{Comparison: j.add(mean, Geomean, c, m, floors), student: student, rounds: longest(logs)})
		}
	}
	claims = append(claims, j.rests(m, logsOf, floors)...)
	claims = slices.DeleteFunc(claims, func(c claim) bool { return j.r.Cells[c.Cell].AA })
	if !j.r.Metrics[m].Exact {
		j.decide(claims)
	}
	for _, c := range claims {
		if c.rest {
			j.restOf[valueKey{c.Row, c.Cell, m}] = *c.Comparison
			continue
		}
		j.r.Comparisons = append(j.r.Comparisons, *c.Comparison)
	}
}

// mean compares the geometric means of rows. Rows of the same rounds are taken round by
// round, because a round may be slow in all of them; those that have become clear at
// different times are samples of their own.
func (j *judge) mean(cell, m int, logs map[int]map[int]float64) (c Comparison, student float64) {
	samples := map[int][]float64{} // by row
	shortest, most := math.MaxInt, 0
	for row, byRound := range logs {
		d := inOrder(j.byLink(byRound))
		samples[row], shortest, most = d, min(shortest, len(d)), max(most, len(d))
	}
	if !j.adaptive || shortest == most || shortest < minPairs {
		return j.paired(meanOverRows(logs))
	}
	var parts []stats.Part
	for _, row := range slices.Sorted(mapKeys(samples)) { // in order: a sum of floats depends on it
		est, ci := stats.Stagewise(samples[row], j.looks(cell, m, logs[row]))
		parts = append(parts, stats.Part{N: len(samples[row]), Estimate: est, Interval: ci})
	}
	est, ci, p := stats.Combine(parts)
	return Comparison{N: most, Ratio: math.Exp(est), Bounded: true, Lo: math.Exp(ci.Lo), Hi: math.Exp(ci.Hi), P: p, Adjusted: 1}, p
}

// looks returns the looks at which a row could have ended by a cell and metric, with
// how many samples there were then.
func (j *judge) looks(cell, m int, byRound map[int]float64) []stats.Look {
	if j.r.Metrics[m].Name != "cpu" || j.r.Cells[cell].AA {
		return nil
	}
	var looks []stats.Look
	for _, last := range j.looked {
		until := maps.Clone(byRound)
		maps.DeleteFunc(until, func(round int, _ float64) bool { return round > last })
		looks = append(looks, stats.Look{N: len(j.byLink(until)), Level: j.early})
	}
	return looks
}

// byLink takes the rounds of one link together, by the median of their log ratios: they
// have the order of functions in common, which may be most of what differs. Rounds in the
// linker's own order stand for themselves.
func (j *judge) byLink(byRound map[int]float64) map[int]float64 {
	all := map[int][]float64{}
	for round, d := range byRound {
		key := j.link[round]
		if key == 0 {
			key = -round
		}
		all[key] = append(all[key], d)
	}
	if len(all) == len(byRound) || len(all) < minPairs && j.r.Orders < minPairs {
		return byRound // there were too few links to be samples
	}
	medians := map[int]float64{}
	for key, d := range all {
		medians[key] = stats.Median(d)
	}
	return medians
}

// longest is the largest number of rounds of a row.
func longest(logs map[int]map[int]float64) int {
	most := 0
	for _, byRound := range logs {
		most = max(most, len(byRound))
	}
	return most
}

// dropShort leaves rows out of the geometric mean that have too few rounds,
// because some of their trials failed: it is over the rounds that all rows have.
func (j *judge) dropShort(cell, m int, logs map[int]map[int]float64) {
	for _, row := range slices.Sorted(mapKeys(logs)) {
		if n := len(logs[row]); j.r.Metrics[m].Name == "cpu" && !j.r.Cells[cell].AA && short(logs, row) {
			j.r.Notes = append(j.r.Notes, fmt.Sprintf("%s has only %d rounds in %s and is not part of the geometric mean", j.r.Rows[row].Name, n, j.r.Cells[cell].Name))
		}
	}
	trim(logs)
}

// short reports whether a row has too few rounds for the geometric mean.
func short(logs map[int]map[int]float64, row int) bool {
	return len(logs[row]) < min(longest(logs), minPairs)
}

// trim deletes the rows that are short.
func trim(logs map[int]map[int]float64) {
	most := longest(logs)
	maps.DeleteFunc(logs, func(_ int, byRound map[int]float64) bool { return len(byRound) < min(most, minPairs) })
}

// A floorPlace identifies the scope of a noise floor: a row, or the mean of a group.
type floorPlace struct {
	group string
	row   int
}

// add completes a comparison. One of the A/A cell becomes the row's floor.
func (j *judge) add(c Comparison, row, cell, m int, floors map[floorPlace]float64) *Comparison {
	c.Row, c.Cell, c.Ref, c.Metric = row, cell, j.r.Cells[cell].Ref, m
	at := floorPlace{j.r.Cells[cell].Group, row}
	if j.r.Cells[cell].Without != "" { // it is in a table of its own, and the machine is the same
		at.group = ""
	}
	switch {
	case j.r.Cells[cell].AA:
		if c.Bounded {
			floors[at] = spread(c)
		}
		c.Word = ""
		j.r.Comparisons = append(j.r.Comparisons, c)
	case !j.r.Metrics[m].Exact:
		floor, ok := floors[at]
		if !ok { // the A/A cell does not have the row: the noisiest of the others stands in
			for _, other := range floors {
				floor = max(floor, other)
			}
		}
		c.Floor, c.NoFloor = floor, len(floors) == 0
	}
	return &c
}

// spread returns the distance between two copies of the baseline, as a ratio minus 1: the half-width of the interval of
// their ratio, or their ratio itself if that is farther from 1.
func spread(c Comparison) float64 {
	half := (math.Log(c.Hi) - math.Log(c.Lo)) / 2
	return math.Expm1(max(half, math.Abs(math.Log(c.Ratio))))
}

// logRatios pairs two series by round. ok is false if some value is not
// positive, as a count of collections may be, or no ratio at all.
func logRatios(x, ref *Value) (byRound map[int]float64, ok bool) {
	refs := map[int]float64{}
	for i, round := range ref.Rounds {
		refs[round] = ref.Trials[i]
	}
	byRound = map[int]float64{}
	for i, round := range x.Rounds {
		base, both := refs[round]
		if !both {
			continue
		}
		if x.Trials[i] <= 0 || base <= 0 {
			return nil, false
		}
		d := math.Log(x.Trials[i]) - math.Log(base)
		if math.Abs(d) > maxLogRatio {
			return nil, false
		}
		byRound[round] = d
	}
	return byRound, len(byRound) > 0
}

// meanOverRows is the log ratio of the geometric means of all rows, round by
// round. Rounds in which a row is missing are left out: the mean would be of
// something else.
func meanOverRows(logs map[int]map[int]float64) map[int]float64 {
	sum, n := map[int]float64{}, map[int]int{}
	for _, row := range slices.Sorted(mapKeys(logs)) { // in order: a sum of floats depends on it
		for round, d := range logs[row] {
			sum[round] += d
			n[round]++
		}
	}
	for round := range sum {
		if n[round] < len(logs) {
			delete(sum, round)
			continue
		}
		sum[round] /= float64(len(logs))
	}
	return sum
}

// paired estimates a ratio from log ratios by round. P is that of the signed-rank test,
// student that of Student's.
func paired(byRound map[int]float64, looks ...stats.Look) (c Comparison, student float64) {
	d := inOrder(byRound)
	c, student = Comparison{N: len(d), P: 1, Adjusted: 1, Ratio: 1}, 1
	if len(d) == 0 {
		return c, student
	}
	est, ci := stats.Stagewise(d, looks)
	c.Ratio = math.Exp(est)
	if len(d) >= minPairs {
		c.Bounded, c.Lo, c.Hi = true, math.Exp(ci.Lo), math.Exp(ci.Hi)
		c.P, student = stats.SignedRank(d), stats.Student(d)
	}
	return c, student
}

func inOrder(byRound map[int]float64) []float64 {
	d := make([]float64, 0, len(byRound))
	for _, round := range slices.Sorted(mapKeys(byRound)) {
		d = append(d, byRound[round])
	}
	return d
}

// exact compares counts. They are the same in every trial of one binary, but
// for what a pool or a map does now and then: two counts differ if their ranges
// do not overlap.
func (j *judge) exact(m int, x, ref *Value) Comparison {
	c := Comparison{N: min(len(x.Trials), len(ref.Trials)), P: 1, Adjusted: 1, Ratio: ratio(x.Median, ref.Median), Word: Same}
	margin := allocsMargin
	if j.r.Metrics[m].Unit == "B/op" {
		margin = bytesMargin
	}
	if math.Abs(c.Ratio-1) < margin {
		return c
	}
	switch {
	case slices.Max(x.Trials) < slices.Min(ref.Trials):
		c.Word = Better
	case slices.Min(x.Trials) > slices.Max(ref.Trials):
		c.Word = Worse
	}
	return c
}

// ratio is a/b for counts. JSON has no infinity: from nothing to something is
// as if it had been one before.
func ratio(a, b float64) float64 {
	switch {
	case b > 0:
		return a / b
	case a > 0:
		return a + 1
	}
	return 1
}

// spareRounds is the number of rounds that the signed-rank test needs in addition to the fewest that can call anything:
// with the fewest all of them must agree.
const spareRounds = 4

// decide corrects the p-values of a table and finds the word of each claim. What has so
// few rounds that signs and ranks could hardly call it, however far from 1 the ratio is,
// is judged by the size of the effect.
func (j *judge) decide(claims []claim) {
	p := make([]float64, len(claims))
	for i, c := range claims {
		if c.Machines > 1 || c.N < stats.MinRounds(j.r.Alpha, len(claims))+spareRounds {
			c.P = c.student
		}
		p[i] = c.P
	}
	j.classes(claims)
	for i, adjusted := range stats.Holm(p) {
		c := claims[i]
		c.Adjusted = adjusted
		c.Word = j.word(c.Comparison)
		if c.mixed() {
			c.Word = Mixed
		}
		switch {
		case c.Word != Unclear || !c.Bounded || c.NoFloor:
		case c.Machines > 1:
			c.Need = j.machinesNeeded(c.Comparison, len(claims))
		default:
			// Links and rounds grow together.
			c.Need = j.need(c.Comparison, len(claims)) * max(1, c.rounds) / max(1, c.N)
		}
	}
}

// need estimates how many rounds would make c clear: as the same, or as a
// difference. For that the noise floor has to come below the effect too; it
// shrinks with the square root of the rounds, as all intervals do.
func (j *judge) need(c *Comparison, claims int) int {
	effect, ci := math.Log(c.Ratio), stats.Interval{Lo: math.Log(c.Lo), Hi: math.Log(c.Hi)}
	differ := stats.RoundsNeeded(c.N, effect, ci, 0, j.r.Alpha, claims)
	either := stats.RoundsNeeded(c.N, effect, ci, math.Log1p(j.r.Margin), j.r.Alpha, claims)
	if either != differ {
		return either
	}
	floor := float64(c.N) * math.Pow(math.Log1p(c.Floor)/effect, 2)
	if differ == 0 || !(floor <= maxNeed) {
		return 0
	}
	return max(differ, int(math.Ceil(floor)))
}

func (j *judge) word(c *Comparison) Word {
	margin := 1 + j.r.Margin
	effect := max(c.Ratio, 1/c.Ratio) - 1
	switch {
	case !c.Bounded:
		return Unclear
	case j.inside(c, margin):
		return Same
	case c.NoFloor || c.Adjusted > j.r.Alpha || effect <= c.Floor || c.Lo <= 1 && c.Hi >= 1:
		return Unclear
	case (c.Ratio < 1) != j.r.Metrics[c.Metric].Higher:
		return Better
	}
	return Worse
}

// beforeEnd is the factor by which the interval is widened, on a logarithmic scale, for the word "same" at a look that
// is not the last: one of several may find it within the margin by chance.
const beforeEnd = 1.5

// inside reports whether the interval of c lies inside the margin.
func (j *judge) inside(c *Comparison, margin float64) bool {
	lo, hi := c.Lo, c.Hi
	if j.interim {
		lo, hi = c.Ratio*math.Pow(lo/c.Ratio, beforeEnd), c.Ratio*math.Pow(hi/c.Ratio, beforeEnd)
	}
	return hi <= margin && lo >= 1/margin
}
