package session

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
)

// A rawLog is one cell's trials in the Go benchmark format
// (golang.org/design/14313-benchmark-format). Only keys that are the same in
// all logs are configuration lines: benchstat makes a table of its own for each
// difference. The rest stands in lines that start with a number sign, which
// readers of the format pass over.
type rawLog struct {
	file *os.File
	buf  *bytes.Buffer
	w    *benchfmt.Writer // into buf
}

// appendRaw adds a trial to the log of its cell, unless it is of the warm-up or
// failed.
func (d *Dir) appendRaw(t Trial) error {
	if t.Round == 0 || t.Err != "" {
		return nil
	}
	log := d.raw[t.Cell]
	cell, row := d.Session.Cells[t.Cell], d.Session.Rows[t.Row]
	if log == nil {
		f, err := d.Root.OpenFile(filepath.Join(rawDir, cell.ID+".txt"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		log = &rawLog{file: f, buf: new(bytes.Buffer)}
		log.w = benchfmt.NewWriter(log.buf)
		d.raw[t.Cell] = log
	}
	log.buf.Reset()
	fmt.Fprintf(log.buf, "# cell=%s go=%s round=%d order=%d start=%s wall=%v load=%.2f steal=%.3f\n", cell.ID, cell.Build.GoVersion,
		t.Round, t.Order, t.Start.UTC().Format(time.RFC3339), t.Wall, t.Load, t.Steal)
	if err := log.w.Write(d.result(row, t)); err != nil {
		return err
	}
	_, err := log.file.Write(log.buf.Bytes())
	return err
}

// result is the trial as benchstat would have it.
func (d *Dir) result(row Row, t Trial) *benchfmt.Result {
	name := strings.Join(strings.Fields(d.Session.shown(row.Name)), "_") // the format has no white space in names
	if d.Session.Config.Procs != 1 {
		name += fmt.Sprintf("-%d", d.Session.Config.Procs)
	}
	res := &benchfmt.Result{Name: benchfmt.Name(name), Iters: t.N}
	config := func(key, value string) {
		if value != "" {
			res.Config = append(res.Config, benchfmt.Config{Key: key, Value: []byte(value), File: true})
		}
	}
	config("goos", d.Session.Host.OS)
	config("goarch", d.Session.Host.Arch)
	config("cpu", d.Session.Host.CPU)
	config("pkg", row.Package)
	for _, v := range t.Metrics() {
		value := benchfmt.Value{Value: digits(v.Value), Unit: v.Unit}
		if v.Unit == "sec/op" { // what package testing prints
			value.OrigValue, value.OrigUnit = digits(v.Value*1e9), "ns/op"
		}
		res.Values = append(res.Values, value)
	}
	return res
}

// digits rounds to as many digits as any figure here has: a float's own
// rounding is not for the log.
func digits(f float64) float64 {
	f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'g', 9, 64), 64)
	return f
}

// longestResult is the length of a line that benchfmt can no longer read.
const longestResult = 64 << 10

// ParseOutput reads the standard output of a benchmark binary. The
// results are in base units, and their names have no -GOMAXPROCS suffix.
func ParseOutput(out []byte, procs int) map[string]Line {
	lines := map[string]Line{}
	var results []byte // without what else there is, lines of any length among it
	for line := range bytes.Lines(out) {
		if bytes.HasPrefix(line, []byte("Benchmark")) && len(line) < longestResult {
			results = append(results, line...)
		}
	}
	r := benchfmt.NewReader(bytes.NewReader(results), "output")
	for r.Scan() {
		res, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		line := Line{N: res.Iters}
		for _, v := range res.Values {
			if measurable(v.Value) && len(line.Values) < maxValues { // a metric of its own may be infinite, such as hits by 0 calls
				line.Values = append(line.Values, Value{v.Value, v.Unit})
			}
		}
		lines[TrimProcs(string(res.Name), procs)] = line
	}
	return lines
}

// A Line is one result.
type Line struct {
	N      int
	Values []Value
}

// Seconds returns the time per iteration of the line.
func (l Line) Seconds() float64 {
	for _, v := range l.Values {
		if v.Unit == "sec/op" {
			return v.Value
		}
	}
	return 0
}

// TrimProcs removes the suffix that package testing adds when GOMAXPROCS is
// not 1. Only the number that was really used is taken for one: a benchmark may
// be called Get-8.
func TrimProcs(name string, procs int) string {
	if procs == 1 {
		return name
	}
	return strings.TrimSuffix(name, fmt.Sprintf("-%d", procs))
}
