package verdict

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/stats"
)

// A Latency is of the requests of all rounds, taken together: the open loop's,
// counted from the time at which each was due. Times are in seconds, to three digits.
type Latency struct {
	Row      int     `json:"row"`
	Cell     int     `json:"cell"`
	Requests int64   `json:"requests"`
	P50      float64 `json:"p50"`
	P90      float64 `json:"p90"`
	P99      float64 `json:"p99"`
	P999     float64 `json:"p99.9"`
	Max      float64 `json:"max"`
}

// Percentiles are the latencies from the median to the longest.
func (l Latency) Percentiles() []float64 { return []float64{l.P50, l.P90, l.P99, l.P999, l.Max} }

// latencies adds up the histograms of each row and cell.
func (r *Report) latencies(trials []session.Trial) {
	type spot struct{ row, cell int }
	sums := map[spot]*hdrhistogram.Histogram{}
	for _, t := range trials {
		if len(t.Latency) == 0 {
			continue
		}
		h, err := decodeLatency(t.Latency)
		if err != nil {
			r.Notes = append(r.Notes, fmt.Sprintf("the latencies of a trial of round %d could not be read and are left out: %v", t.Round, err))
			continue
		}
		at := spot{t.Row, t.Cell}
		if sums[at] == nil {
			sums[at] = h
		} else {
			sums[at].Merge(h)
		}
	}
	for row := range r.Rows {
		for cell := range r.Cells {
			h := sums[spot{row, cell}]
			if h == nil {
				continue
			}
			at := func(percent float64) float64 { return time.Duration(h.ValueAtQuantile(percent)).Seconds() }
			r.Latencies = append(r.Latencies, Latency{row, cell, h.TotalCount(), at(50), at(90), at(99), at(99.9), time.Duration(h.Max()).Seconds()})
		}
	}
}

// The geometry of the histograms that compare writes.
const (
	lowestLatency  = int64(time.Microsecond)
	highestLatency = int64(10 * time.Minute)
	latencyDigits  = 3
)

// decodeLatency reads a histogram of that geometry or a smaller one. Another one may
// take megabytes where this one takes kilobytes, so it is refused by the header, see the format V2
// of HdrHistogram: four 32-bit numbers, of which the last are the digits, and the two
// ends of the range.
func decodeLatency(data []byte) (*hdrhistogram.Histogram, error) {
	compressed := make([]byte, base64.StdEncoding.DecodedLen(len(data)))
	n, err := base64.StdEncoding.Decode(compressed, data)
	if err != nil {
		return nil, err
	}
	const cookieAndLength = 8
	if n < cookieAndLength {
		return nil, errors.New("it is too short")
	}
	z, err := zlib.NewReader(bytes.NewReader(compressed[cookieAndLength:n]))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	var header struct {
		Cookie, Payload, Offset, Digits int32
		Lowest, Highest                 int64
	}
	if err := binary.Read(z, binary.BigEndian, &header); err != nil {
		return nil, err
	}
	if header.Digits > latencyDigits || header.Lowest < lowestLatency || header.Highest > highestLatency {
		return nil, errors.New("its range or its precision is larger than that of lessgc compare")
	}
	h, err := hdrhistogram.Decode(data)
	if err == nil && h.TotalCount() > math.MaxInt64/session.MaxRounds/2 { // the sum of all rounds would overflow
		err = errors.New("it counts too many requests")
	}
	return h, err
}

// muchLate is the share of a latency that the load itself may have caused.
const muchLate = 0.2

// loadNotes notes what makes the figures of servers doubtful.
func (r *Report) loadNotes(trials []session.Trial, note func(string, ...any)) {
	byRow := rowTrials(trials, len(r.Rows))
	for row := range r.Rows {
		var late, p99 []float64
		failed := make([]float64, len(r.Cells)) // the most of a trial
		for _, t := range byRow[row] {
			for _, v := range t.Values {
				switch v.Unit {
				case session.FailedUnit:
					failed[t.Cell] = max(failed[t.Cell], v.Value)
				case session.LateUnit:
					late = append(late, v.Value)
				case "p99-sec":
					p99 = append(p99, v.Value)
				}
			}
		}
		for cell, share := range failed {
			if share > 0 {
				note("%s in %s: up to %.2g %% of the requests of a trial failed; figures count them", r.Rows[row].Name, r.Cells[cell].Name, 100*share)
			}
		}
		if l, p := stats.Median(late), stats.Median(p99); l > muchLate*p { // of none, NaN
			note("%s: one request in a hundred was sent %v late or more, because the machine was busy; latencies include that", r.Rows[row].Name,
				time.Duration(l*float64(time.Second)).Round(10*time.Microsecond))
		}
	}
}
