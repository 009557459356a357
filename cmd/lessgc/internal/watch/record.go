package watch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/input"
	"lessgc/cmd/lessgc/internal/version"
)

// Format is the version of a recording.
const Format = "lessgc-watch/1"

// A Header is the first line of a recording.
type Header struct {
	Format   string    `json:"format"`
	Tool     string    `json:"tool,omitempty"` // the lessgc that records
	URL      string    `json:"url"`
	Source   Source    `json:"source"`
	Interval float64   `json:"interval"` // seconds
	Created  time.Time `json:"created"`
	Go       string    `json:"go,omitempty"` // the release that built the service
}

// Header returns the header of a recording of s that begins now.
func (s *Service) Header(interval time.Duration) Header {
	return Header{Format, version.Tool(), s.Address, s.Source, interval.Seconds(), time.Now().Round(time.Second), s.Go}
}

// A Recorder writes a recording.
type Recorder struct {
	file  *os.File
	lines *json.Encoder
}

// Record makes a file that must not exist yet.
func Record(name string, h Header) (*Recorder, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("%s exists already; name another file, or remove it", name)
	}
	if err != nil {
		return nil, err
	}
	r := &Recorder{f, json.NewEncoder(f)}
	return r, r.lines.Encode(h)
}

// Write adds a snapshot. Each is in the file at once, whatever happens then.
func (r *Recorder) Write(s *Snapshot) error { return r.lines.Encode(s) }

// Close ends the recording.
func (r *Recorder) Close() error { return r.file.Close() }

// A Recording is one that was read.
type Recording struct {
	Header
	Summary
	Notes []string // what a reader of the figures should know
}

// maxRecording is some weeks at the usual interval.
const maxRecording = 4 << 30

// ReadFile reads a recording. The error names the file and what is wrong with
// it.
func ReadFile(name string) (*Recording, error) { return readFile(name, func(*Snapshot) {}) }

func readFile(name string, each func(*Snapshot)) (*Recording, error) {
	f, err := input.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := readEach(f, each)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// ReadAll reads a recording as ReadFile does, with all its snapshots.
func ReadAll(name string) (*Recording, []*Snapshot, error) {
	var all []*Snapshot
	r, err := readFile(name, func(s *Snapshot) { all = append(all, s) })
	return r, all, err
}

// Read reads a recording, a line at a time: its length costs no memory.
func Read(r io.Reader) (*Recording, error) { return readEach(r, func(*Snapshot) {}) }

// readEach hands over each snapshot.
func readEach(r io.Reader, each func(*Snapshot)) (*Recording, error) {
	limited := &io.LimitedReader{R: r, N: maxRecording}
	lines := bufio.NewReaderSize(limited, 64<<10)
	first, err := line(lines)
	if err != nil && err != io.EOF {
		return nil, err
	}
	out := new(Recording)
	var head struct{ Format string } // those of other formats may not fit into a Header
	if json.Unmarshal(first, &head) != nil || !strings.HasPrefix(head.Format, "lessgc-watch/") {
		return nil, errors.New("not a recording of lessgc watch; make one with lessgc watch -o FILE URL")
	}
	if head.Format != Format {
		return nil, fmt.Errorf("it is a recording of format %.40q, and this lessgc reads %s; read it with the lessgc that wrote it", head.Format, Format)
	}
	if err := json.Unmarshal(first, &out.Header); err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	var sum Sum
	for n := 2; ; n++ {
		data, err := line(lines)
		if err == io.EOF {
			if len(data) > 0 {
				out.Notes = append(out.Notes, "the last line of the recording is cut off, and was left out")
			}
			break
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		s := new(Snapshot)
		if err := json.Unmarshal(data, s); err != nil {
			return nil, fmt.Errorf("line %d: not a snapshot: %w", n, err)
		}
		if err := s.check(); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if sum.last != nil && s.Segment == sum.last.Segment && (s.Time.Before(sum.last.Time) || s.fell(sum.last)) {
			return nil, fmt.Errorf("line %d: it is not later than the line before, or a counter has fallen", n)
		}
		sum.Add(s)
		each(s)
	}
	if limited.N == 0 {
		return nil, errors.New("it is too large to be read; record with a longer -interval")
	}
	summary := sum.Summary()
	if summary == nil {
		return nil, fmt.Errorf("it holds %d snapshots, and two of one process are needed; watch for longer", sum.summary.Samples)
	}
	out.Summary = *summary
	if n := summary.Restarts; n > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("the service was started again during the recording, times: %d; the time around it is left out", n))
	}
	if m := summary.PerSecond.MissedPauses; m != nil && *m > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("%.0f pauses are missing: there were more between two snapshots than the source keeps; record with a shorter -interval", *m*summary.Seconds))
	}
	if lacks := out.Source.Lacks(); lacks != "" {
		out.Notes = append(out.Notes, fmt.Sprintf("the source, %s, does not tell %s", out.Source, lacks))
	}
	return out, nil
}

// line reads a line. With io.EOF it returns what is left without an end.
func line(r *bufio.Reader) ([]byte, error) {
	var all []byte
	for {
		part, err := r.ReadSlice('\n')
		all = append(all, part...)
		switch {
		case err == nil:
			return bytes.TrimSpace(all), nil
		case err != bufio.ErrBufferFull:
			return all, err
		case len(all) > maxLine:
			return nil, errors.New("it is longer than a snapshot can be")
		}
	}
}
