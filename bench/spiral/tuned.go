package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"lessgc/bench/internal/box"
)

// calmTime is for how long lessgc tune observes the service before there is any stress: a collection takes place about
// every second.
const calmTime = 40 * time.Second

// A tuned says what lessgc tune predicts from one run of the calm service: the room between the live heap and the goal at which
// the collector takes a quarter of the CPU time, in bytes; between where the live heap grows and where other memory does.
type tuned struct{ Value, Lo, Hi float64 }

// A room is what is used of a report of lessgc tune.
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

// headroom is what a memory limit leaves for the heap of what other memory leaves, in runtime/mgcpacer.go.
const headroom = 0.97

// rooms are those between live heap and goal, where the live heap grows and where other memory does.
func (r *room) rooms() tuned {
	byLive := func(live float64) float64 { return headroom*(r.Setting.Limit-r.NonHeap) - live }
	byOther := func(other float64) float64 { return headroom*(r.Setting.Limit-other) - r.Live }
	return tuned{(byLive(r.To.Value) + byOther(r.Beside.Value)) / 2, max(0, min(byLive(r.To.Hi), byOther(r.Beside.Hi))), max(byLive(r.To.Lo), byOther(r.Beside.Lo))}
}

// tune observes the service of a case while it is calm, and predicts for 0.9 of the hard limit.
func (s *suite) tune(ctx context.Context, name string) (*tuned, error) {
	c := s.config
	c.Case, c.Guard, c.Listen, c.Time, c.Calm = name, "none", "127.0.0.1:0", calmTime+5*time.Second, true
	var said []byte
	var failed error
	done := make(chan struct{})
	started := false
	var b *box.Box
	if c.Contained {
		var err error
		if b, err = box.New(c.Hard); err != nil {
			return nil, err
		}
		defer b.Close()
	}
	file := filepath.Join(s.out, name+"-tune.json")
	end, err := b.Run(ctx, c.args(), func(m box.Message, _ *exec.Cmd) {
		if m.Listen == "" || started {
			return
		}
		started = true
		go func() {
			defer close(done)
			cmd := exec.CommandContext(ctx, s.lessgc, "tune", "-json", "-record", filepath.Join(s.out, "record.jsonl"), "-for", calmTime.String(),
				"-limit", fmt.Sprint(c.Hard*9/10), m.Listen)
			cmd.Stderr = os.Stderr
			if said, failed = cmd.Output(); failed == nil {
				failed = os.WriteFile(file, said, 0o666)
			}
		}()
	})
	if err != nil {
		return nil, err
	}
	if started {
		<-done
	}
	if failed != nil || !started {
		return nil, fmt.Errorf("lessgc tune: %v, the service %v", failed, end)
	}
	return readTuned(said)
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

// roomAtOnset is what was between live heap and goal at the onset, NaN if there was none, or no limit.
func (r *result) roomAtOnset() float64 {
	for _, p := range r.Points {
		if p.T == float64(r.Onset) && p.Limit < math.MaxInt64 {
			return float64(p.Goal - p.Live)
		}
	}
	return math.NaN()
}
