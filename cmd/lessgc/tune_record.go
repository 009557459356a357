package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"lessgc/cmd/lessgc/internal/curve"
	"lessgc/cmd/lessgc/internal/input"
)

// A tuneRecord is a file with a line of JSON for each outcome of a prediction, of all runs of tune -prove. A line that
// cannot be read is passed over: the last one may be cut off.
type tuneRecord struct {
	name string
	sum  curve.Record
}

// openRecord reads the record. A file that is not there is an empty one.
func openRecord(name string) (*tuneRecord, error) {
	r := &tuneRecord{name: name}
	if name == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return r, nil // there is no home: nothing is kept
		}
		r.name = filepath.Join(dir, "lessgc", "tune-record.jsonl")
	}
	f, err := input.Open(r.name)
	if errors.Is(err, os.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var o curve.Outcome
		if json.Unmarshal(lines.Bytes(), &o) == nil {
			r.sum.Add(o)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w; remove it, or name another with -record", r.name, err)
	}
	return r, nil
}

// add keeps the outcomes of a report, and returns the record with them.
func (r *tuneRecord) add(report *curve.Report) (*curve.Record, error) {
	var lines []byte
	for _, s := range report.Subjects {
		for _, o := range s.Outcomes {
			if o.Err != "" {
				continue
			}
			r.sum.Add(o)
			line, err := json.Marshal(o)
			if err != nil {
				return nil, err
			}
			lines = append(append(lines, line...), '\n')
		}
	}
	if len(lines) == 0 || r.name == "" {
		return &r.sum, nil
	}
	if err := os.MkdirAll(filepath.Dir(r.name), 0o755); err != nil {
		return nil, fmt.Errorf("keep the record: %w; name another file with -record", err)
	}
	f, err := os.OpenFile(r.name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("keep the record: %w; name another file with -record", err)
	}
	_, err = f.Write(lines)
	return &r.sum, errors.Join(err, f.Close())
}
