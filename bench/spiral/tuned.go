package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"lessgc/bench/internal/box"
)

// calmTime is for how long lessgc tune observes the service before there is any stress: a collection takes place about
// every second.
const calmTime = 40 * time.Second

// A tuned is the prediction of lessgc tune from one run of the calm service: the room between the live heap and the goal at which
// the collector takes a quarter of the CPU time, in bytes; between where the live heap grows and where other memory does.
type tuned struct{ Value, Lo, Hi float64 }

// A room holds the fields of a report of lessgc tune that are used here.
type room struct {
	Setting struct {
		Limit float64 `json:"limit"`
	} `json:"setting"`
	Live    float64  `json:"live"`
	NonHeap float64  `json:"nonHeap"`
	To      interval `json:"to"`
	Beside  interval `json:"beside"`
}

type interval struct{ Value, Lo, Hi float64 }

// headroom is the share of the room beside other memory that a memory limit leaves for the heap, in runtime/mgcpacer.go.
const headroom = 0.97

// rooms returns the room between live heap and goal, by growth of the live heap and by growth of other memory: the mean, and a
// range that spans both.
func (r *room) rooms() tuned {
	byLive := func(live float64) float64 { return headroom*(r.Setting.Limit-r.NonHeap) - live }
	byOther := func(other float64) float64 { return headroom*(r.Setting.Limit-other) - r.Live }
	return tuned{(byLive(r.To.Value) + byOther(r.Beside.Value)) / 2, max(0, min(byLive(r.To.Hi), byOther(r.Beside.Hi))), max(byLive(r.To.Lo), byOther(r.Beside.Lo))}
}

// tuneAll asks tune for each case. Cases whose service is the same while it is calm share an observation.
func (s *suite) tuneAll(ctx context.Context, cases []string) (map[string]*tuned, error) {
	byBase, all := map[int64]*tuned{}, map[string]*tuned{}
	for _, name := range cases {
		c := s.config
		c.Case = name
		if byBase[c.base()] == nil {
			t, err := s.tune(ctx, c)
			if err != nil {
				return nil, fmt.Errorf("case %s: %w", name, err)
			}
			byBase[c.base()] = t
		}
		all[name] = byBase[c.base()]
	}
	return all, nil
}

// tune observes the service of a case while it is calm, and predicts for 0.9 of the hard limit.
func (s *suite) tune(ctx context.Context, c config) (*tuned, error) {
	c.Guard, c.Listen, c.Time, c.Calm = "none", "127.0.0.1:0", calmTime+5*time.Second, true
	b, err := box.Maybe(c.Contained, c.Hard)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	var asked sync.WaitGroup
	var said []byte
	failed := errors.New("the service did not tell its address")
	end, err := b.Run(ctx, c.args(), func(m box.Message, _ *exec.Cmd) {
		if m.Listen != "" {
			asked.Go(func() { said, failed = s.ask(ctx, c, m.Listen) })
		}
	})
	asked.Wait()
	if err != nil {
		return nil, err
	}
	if failed != nil {
		return nil, fmt.Errorf("lessgc tune: %w; the service: %v", failed, end)
	}
	return readTuned(said)
}

// ask has lessgc tune observe the service at an address, and keeps what it says.
func (s *suite) ask(ctx context.Context, c config, address string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, s.lessgc, "tune", "-json", "-record", filepath.Join(s.out, "record.jsonl"), "-for", calmTime.String(),
		"-limit", fmt.Sprint(c.Hard*9/10), address)
	cmd.Stderr = os.Stderr
	said, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	return said, os.WriteFile(filepath.Join(s.out, c.Case+"-tune.json"), said, 0o666)
}

func readTuned(data []byte) (*tuned, error) {
	var report struct {
		Subjects []struct {
			Err   string `json:"error"`
			Rooms []room `json:"rooms"`
		} `json:"subjects"`
	}
	if err := json.Unmarshal(data, &report); err != nil {
		return nil, err
	}
	if len(report.Subjects) != 1 || len(report.Subjects[0].Rooms) == 0 {
		return nil, fmt.Errorf("lessgc tune says nothing of the room: %.200s", data)
	}
	t := report.Subjects[0].Rooms[0].rooms()
	return &t, nil
}

// roomAtOnset returns the room between live heap and goal at the onset, NaN if there was none, or no limit.
func (r *result) roomAtOnset() float64 {
	for _, p := range r.Points {
		if p.T == float64(r.Onset) && p.Limit < math.MaxInt64 {
			return float64(p.Goal - p.Live)
		}
	}
	return math.NaN()
}
