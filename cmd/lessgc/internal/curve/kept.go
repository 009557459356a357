package curve

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// columns are the fields of a point in the order of Point.fields.
const columns = "at cycles forced alloc assist dedicated idle pause busy concurrent black live roots nonheap mapped rss"

// fields are all fields of a point.
func (p *Point) fields() []*float64 {
	return []*float64{&p.At, &p.Cycles, &p.Forced, &p.Alloc, &p.Assist, &p.Dedicated, &p.Idle, &p.Pause, &p.Busy, &p.Concurrent, &p.Black,
		&p.Live, &p.Roots, &p.NonHeap, &p.Mapped, &p.RSS}
}

// runJSON is a Run with a line of numbers for each point.
type runJSON struct {
	Procs     float64  `json:"procs"`
	Setting   Setting  `json:"setting"`
	PeakRSS   float64  `json:"peakRSS,omitempty"`
	Start     int      `json:"start"`
	Available bool     `json:"available,omitempty"`
	Whole     bool     `json:"whole,omitempty"`
	Ends      bool     `json:"ends,omitempty"`
	Columns   string   `json:"columns"`
	Points    []string `json:"points"`
}

// MarshalJSON implements json.Marshaler.
func (r *Run) MarshalJSON() ([]byte, error) {
	out := runJSON{Procs: r.Procs, Setting: Setting{r.GOGC, r.Limit}, PeakRSS: r.PeakRSS, Start: r.Start, Available: r.Available, Whole: r.Whole, Ends: r.Ends, Columns: columns}
	var line []byte
	for i := range r.Points {
		line = line[:0]
		for _, v := range r.Points[i].fields() {
			line = append(strconv.AppendFloat(line, *v, 'f', -1, 64), ' ')
		}
		out.Points = append(out.Points, strings.TrimSpace(string(line)))
	}
	return json.Marshal(out)
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *Run) UnmarshalJSON(data []byte) error {
	var in runJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	if in.Columns != columns {
		return fmt.Errorf("the columns of a run are %.200q, want %q: it is from another lessgc", in.Columns, columns)
	}
	*r = Run{Procs: in.Procs, GOGC: in.Setting.GOGC, Limit: in.Setting.Limit, PeakRSS: in.PeakRSS, Start: in.Start, Available: in.Available, Whole: in.Whole, Ends: in.Ends}
	r.Points = make([]Point, len(in.Points))
	for i, line := range in.Points {
		fields := r.Points[i].fields()
		words := strings.Fields(line)
		if len(words) != len(fields) {
			return fmt.Errorf("point %d of a run has %d numbers, want %d", i, len(words), len(fields))
		}
		for k, word := range words {
			v, err := strconv.ParseFloat(word, 64)
			if err != nil {
				return fmt.Errorf("point %d of a run: invalid number %.40q", i, word)
			}
			*fields[k] = v
		}
	}
	return nil
}
