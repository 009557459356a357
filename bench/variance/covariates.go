package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
)

// A record holds the fields read of a trial in the results of lessgc compare.
type record struct {
	Round, Row, Cell, N, Order int
	Wall, User, System         float64
	Steal, Load                float64
	Err                        string
}

// offCPU is the part of its time that the process of a trial did not run.
func (r record) offCPU() float64 { return 1 - (r.User+r.System)/r.Wall }

// covariates lists the circumstances of a trial that could explain its time.
var covariates = []struct {
	name string
	of   func(record) float64
}{
	{"steal", func(r record) float64 { return r.Steal }},
	{"load average", func(r record) float64 { return r.Load }},
	{"time off CPU", record.offCPU},
	{"place in the round", func(r record) float64 { return float64(r.Order) }},
}

// explain reports how the differences of covariates go with those of CPU time, in the
// folders of comparisons: rank correlations, between the two trials of each comparison in a
// round. Their squares are the parts of the variance that a regression could take away.
func explain(folders []string) error {
	sums := make([]float64, len(covariates))
	rounds := 0
	fmt.Print("| folder | pairs | spread |")
	for _, x := range covariates {
		fmt.Printf(" %s |", x.name)
	}
	fmt.Println()
	for _, folder := range folders {
		trials, err := readTrials(filepath.Join(folder, "trials.jsonl"))
		if err != nil {
			return err
		}
		y, x := differences(trials)
		if len(y) < 10 {
			return fmt.Errorf("%s has %d pairs of trials, which is too few", folder, len(y))
		}
		fmt.Printf("| %s | %d | %.3f |", filepath.Base(folder), len(y), robust(y))
		for i := range covariates {
			r := correlation(ranks(x[i]), ranks(y))
			fmt.Printf(" %+.2f |", r)
			sums[i] += r * float64(len(y))
		}
		fmt.Println()
		rounds += len(y)
	}
	fmt.Printf("| all | %d | |", rounds)
	for _, sum := range sums {
		fmt.Printf(" %+.2f |", sum/float64(rounds))
	}
	fmt.Println()
	return nil
}

func readTrials(file string) ([]record, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []record
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if r.Round > 0 && r.Err == "" && r.User+r.System > 0 {
			all = append(all, r)
		}
	}
	return all, lines.Err()
}

// differences returns how cells differ from the first one, in each row and round: in the logarithm
// of CPU time per iteration, without what the cell differs by on the whole, and in each covariate.
func differences(trials []record) (y []float64, x [][]float64) {
	type place struct{ round, row, cell int }
	at := map[place]record{}
	for _, t := range trials {
		at[place{t.Round, t.Row, t.Cell}] = t
	}
	type comparison struct{ row, cell int }
	logs := map[comparison][]float64{}
	pairs := map[comparison][][2]record{}
	for p, t := range at {
		if base, ok := at[place{p.round, p.row, 0}]; ok && p.cell != 0 {
			c := comparison{p.row, p.cell}
			logs[c] = append(logs[c], math.Log((t.User+t.System)/float64(t.N))-math.Log((base.User+base.System)/float64(base.N)))
			pairs[c] = append(pairs[c], [2]record{base, t})
		}
	}
	x = make([][]float64, len(covariates))
	byCell := func(a, b comparison) int { return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.cell, b.cell)) }
	for _, c := range slices.SortedFunc(maps.Keys(logs), byCell) {
		middle := median(logs[c])
		for i, pair := range pairs[c] {
			y = append(y, logs[c][i]-middle)
			for k, covariate := range covariates {
				x[k] = append(x[k], covariate.of(pair[1])-covariate.of(pair[0]))
			}
		}
	}
	return y, x
}

// ranks are the places of values in their order; equal values share the mean of theirs.
func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	r := make([]float64, len(x))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && x[order[to]] == x[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			r[i] = float64(from+to-1) / 2
		}
		from = to
	}
	return r
}

// correlation is Pearson's; 0 if one side is always the same.
func correlation(x, y []float64) float64 {
	mx, my := mean(x), mean(y)
	var xx, yy, xy float64
	for i := range x {
		xx += (x[i] - mx) * (x[i] - mx)
		yy += (y[i] - my) * (y[i] - my)
		xy += (x[i] - mx) * (y[i] - my)
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return xy / math.Sqrt(xx*yy)
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}
