package render

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"lessgc/cmd/lessgc/internal/curve"
	"lessgc/cmd/lessgc/internal/visible"
	watched "lessgc/cmd/lessgc/internal/watch"
)

// WatchStart names the service that is watched, and the figures that it does not serve.
func (t Text) WatchStart(w io.Writer, h watched.Header) error {
	_, err := io.WriteString(w, strings.Join(t.watchStart(h), "\n")+"\n")
	return err
}

func (t Text) watchStart(h watched.Header) []string {
	h = visible.All(h, visible.Terminal)
	by := string(h.Source)
	if h.Go != "" {
		by += ", " + h.Go
	}
	lines := []string{t.bold("watching "+h.URL) + t.dim(fmt.Sprintf("  by %s, every %v", by, watchInterval(h)))}
	if lacks := h.Source.Lacks(); lacks != "" {
		lines = append(lines, t.dim(fmt.Sprintf("%s does not tell %s", h.Source, lacks)))
	}
	return lines
}

func watchInterval(h watched.Header) time.Duration {
	return time.Duration(h.Interval * float64(time.Second)).Round(time.Millisecond)
}

// watchColumns lists the columns of the table, each as wide as its values may be. A
// window without a collection has no value where only a collection sets one.
var watchColumns = []struct {
	title string
	width int
	text  func(*watched.Rates) string
}{
	{"time", 8, func(r *watched.Rates) string { return r.Time.Local().Format("15:04:05") }},
	{"allocation", 12, func(r *watched.Rates) string { return reading(r.PerSecond.AllocBytes, "B/s") }},
	{"objects/s", 9, func(r *watched.Rates) string { return reading(r.PerSecond.AllocObjects, "") }},
	{"GC/s", 6, func(r *watched.Rates) string { return reading(r.PerSecond.GCs, "") }},
	{"forced/s", 8, func(r *watched.Rates) string { return reading(r.PerSecond.ForcedGCs, "") }},
	{"GC CPU", 7, func(r *watched.Rates) string { return gcShare(r.CPU, false) }},
	{"of busy", 7, func(r *watched.Rates) string { return gcShare(r.CPU, true) }},
	{"overall", 7, func(r *watched.Rates) string { return since(r.AtEnd(r.Gauges.GCShare)) }},
	{"pause 50 %", 10, func(r *watched.Rates) string {
		return pause(r.Pauses, func(p *watched.Pauses) float64 { return p.P50 })
	}},
	{"99 %", 7, func(r *watched.Rates) string {
		return pause(r.Pauses, func(p *watched.Pauses) float64 { return p.P99 })
	}},
	{"longest", 7, func(r *watched.Rates) string {
		return pause(r.Pauses, func(p *watched.Pauses) float64 { return p.Max })
	}},
	{"live", 9, func(r *watched.Rates) string { return reading(r.AtEnd(r.Gauges.Live), "B") }},
	{"heap", 9, func(r *watched.Rates) string { return reading(r.Gauges.Heap, "B") }},
	{"goal", 9, func(r *watched.Rates) string { return reading(r.AtEnd(r.Gauges.Goal), "B") }},
	{"limit", 9, func(r *watched.Rates) string { return limit(r.Gauges.Limit) }},
	{"RSS", 9, func(r *watched.Rates) string { return reading(r.Gauges.RSS, "B") }},
	{"goroutines", 10, func(r *watched.Rates) string { return reading(r.Gauges.Goroutines, "") }},
}

// WatchTitles writes the head of the table of windows.
func (t Text) WatchTitles(w io.Writer) error {
	var b strings.Builder
	for i, c := range watchColumns {
		b.WriteString(padded(i, c.width, c.title))
	}
	_, err := fmt.Fprintln(w, t.bold(b.String()))
	return err
}

// WatchRow writes a window as a line.
func (t Text) WatchRow(w io.Writer, r *watched.Rates) error {
	var b strings.Builder
	for i, c := range watchColumns {
		b.WriteString(padded(i, c.width, c.text(r)))
	}
	_, err := fmt.Fprintln(w, b.String())
	return err
}

func padded(i, room int, s string) string {
	pad := strings.Repeat(" ", max(0, room-width(s)))
	if i == 0 {
		return s + pad
	}
	return "  " + pad + s
}

// reading writes a value, or that it is not known.
func reading(v *float64, unit string) string {
	switch {
	case v == nil:
		return "–"
	case unit == "" && math.Abs(*v) < 1000:
		return strconv.FormatFloat(*v, 'f', digitsBehind(*v), 64)
	}
	return strings.ReplaceAll(amount(*v, unit), "\u00a0", " ")
}

// digitsBehind returns how many digits behind the point make three in all, 0 for a
// whole number.
func digitsBehind(v float64) int {
	switch v = math.Abs(v); {
	case v == math.Trunc(v) || v >= 100:
		return 0
	case v >= 10:
		return 1
	}
	return 2
}

// percent writes a share: the collector's may be small, and not nothing.
func percent(share float64) string {
	if 0 < share && share < 0.001 {
		return fmt.Sprintf("%.3f %%", 100*share)
	}
	return fmt.Sprintf("%.1f %%", 100*share)
}

func gcShare(s *watched.Shares, busy bool) string {
	switch {
	case s == nil:
		return "–"
	case busy:
		return percent(s.Busy.GC)
	}
	return percent(s.Available.GC)
}

// since is the collector's share since the start of the service.
func since(share *float64) string {
	if share == nil {
		return "–"
	}
	return percent(*share)
}

func pause(p *watched.Pauses, which func(*watched.Pauses) float64) string {
	if p == nil {
		return "–"
	}
	return reading(new(which(p)), "sec")
}

func limit(v *float64) string {
	if v != nil && *v >= watched.NoLimit {
		return "none"
	}
	return reading(v, "B")
}

// WatchSummary writes a whole watch as one line.
func (t Text) WatchSummary(w io.Writer, s *watched.Summary) error {
	var words []string
	add := func(v *float64, format, unit string) {
		if v != nil {
			words = append(words, fmt.Sprintf(format, reading(v, unit)))
		}
	}
	add(s.PerSecond.AllocBytes, "%s allocated", "B/s")
	add(s.PerSecond.AllocObjects, "%s objects/s", "")
	add(s.PerSecond.GCs, "%s collections/s", "")
	if f := s.PerSecond.ForcedGCs; f != nil && *f > 0 {
		add(f, "%s forced/s", "")
	}
	if s.CPU != nil {
		words = append(words, fmt.Sprintf("GC %s of the available CPU and %s of the busy", percent(s.CPU.Available.GC), percent(s.CPU.Busy.GC)))
	} else if share := s.Gauges.GCShare; share != nil {
		words = append(words, fmt.Sprintf("GC %s of the available CPU since the service started", percent(*share)))
	}
	if p := s.PerSecond.PauseSeconds; p != nil {
		words = append(words, fmt.Sprintf("stopped %.3f %% of the time", 100**p))
	}
	if s.Pauses != nil {
		add(&s.Pauses.P99, "99 %% of pauses at most %s", "sec")
	}
	add(s.Gauges.Live, "live heap %s", "B")
	if s.Gauges.Live == nil {
		add(s.Gauges.Heap, "heap %s", "B")
	}
	add(s.Gauges.RSS, "RSS %s", "B")
	if s.Restarts > 0 {
		words = append(words, plural(s.Restarts, "restart"))
	}
	_, err := fmt.Fprintf(w, "%s %s\n", t.bold(fmt.Sprintf("%v:", time.Duration(s.Seconds*float64(time.Second)).Round(100*time.Millisecond))), strings.Join(words, ", "))
	return err
}

// mostMethods limits the methods that are shown, the busiest.
const mostMethods = 12

// WatchMethods writes the counters of RPC methods with arenas, nothing if there are none.
func (t Text) WatchMethods(w io.Writer, methods []watched.Method) error {
	_, err := io.WriteString(w, strings.Join(append(t.watchMethods(methods), ""), "\n"))
	return err
}

func (t Text) watchMethods(methods []watched.Method) []string {
	if len(methods) == 0 {
		return nil
	}
	rows := [][]string{{"method with arenas", "messages/s", "memory each", "objects", "open", "kept", "audits"}}
	for _, m := range methods[:min(len(methods), mostMethods)] {
		audits := "–"
		if m.Audited > 0 {
			audits = fmt.Sprintf("%d kept, of %s", m.Escapes, plural(int(m.Audited), "arena"))
		}
		row := []string{visible.Short(m.Method, visible.Terminal), reading(&m.PerSecond, ""), reading(new(math.Round(m.Memory)), "B"), reading(&m.Objects, ""), strconv.FormatInt(m.Live, 10), strconv.FormatInt(m.Kept, 10), audits}
		if m.Fallback != "" {
			row = append(row, "decoded by package proto: "+visible.Short(m.Fallback, visible.Terminal))
		}
		rows = append(rows, row)
	}
	var b strings.Builder
	align(&b, rows)
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	lines[0] = t.dim(lines[0])
	if more := len(methods) - mostMethods; more > 0 {
		lines = append(lines, t.dim(fmt.Sprintf("  and %d more", more)))
	}
	return lines
}

// WatchScreen returns the lines for a terminal: all windows, of which it draws the last
// ones, and further lines. No line is wider than the terminal.
func (t Text) WatchScreen(h watched.Header, windows []watched.Window, more []string) []string {
	if t.Width == 0 {
		t.Width = 100
	}
	lines := append(t.watchStart(h), "")
	shown := newWatchScreen(windows)
	var b strings.Builder
	align(&b, t.watchRows(shown))
	lines = append(lines, strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")...)
	if m := t.watchMethods(shown.now.Methods); m != nil {
		lines = append(append(lines, ""), m...)
	}
	lines = append(lines, "")
	if text := t.lastSpiral(windows); text != "" {
		lines = append(lines, text)
	}
	if len(windows) > 0 && windows[len(windows)-1].Err != "" {
		lines = append(lines, t.sgr("31", fmt.Sprintf("no answer since %s: %s; trying again", shown.lost.Local().Format("15:04:05"), visible.Short(windows[len(windows)-1].Err, visible.Terminal))))
	} else if !shown.restarted.IsZero() {
		lines = append(lines, "the service was started again at about "+shown.restarted.Local().Format("15:04:05"))
	}
	for _, m := range more {
		lines = append(lines, t.dim(visible.Short(m, visible.Terminal)))
	}
	for i, line := range lines {
		lines[i] = clip(line, t.Width-1)
	}
	return lines
}

// lastSpiral describes the spiral by the last window that knows it.
func (t Text) lastSpiral(windows []watched.Window) string {
	for _, w := range slices.Backward(windows) {
		if w.Rates != nil && w.Rates.Spiral != nil {
			return t.WatchSpiral(w.Rates.Spiral)
		}
	}
	return ""
}

// WatchSpiral describes how far a service is from the memory limit's spiral.
func (t Text) WatchSpiral(s *watched.Spiral) string {
	switch s.Level {
	case watched.In:
		return t.sgr("31", fmt.Sprintf("ALARM: the collector takes %s of the busy CPU time because of the memory limit; %s", percent(s.Share), s.Cause))
	case watched.Near:
		if s.Room <= 0 {
			return t.sgr("33", fmt.Sprintf("warning: no room is left before the memory limit has the collector take %.0f %% of the CPU time; %s", 100*curve.SpiralShare, s.Cause))
		}
		return t.sgr("33", fmt.Sprintf("warning: %s more and the memory limit has the collector take %.0f %% of the CPU time; %s", size(int64(s.Room)), 100*curve.SpiralShare, s.Cause))
	}
	return t.dim(fmt.Sprintf("%s of live heap or other memory more before the memory limit has the collector take %.0f %% of the CPU time", size(int64(s.Room)), 100*curve.SpiralShare))
}

// recentWindows is the number of windows for which a restart stays on the screen.
const recentWindows = 60

// A watchScreen sums up all windows: those with rates, and the last of what not every
// window has.
type watchScreen struct {
	rates           []*watched.Rates
	spread          []*watched.Shares // by rates
	now             *watched.Rates
	cpu             *watched.Shares
	pauses          *watched.Pauses
	ended           time.Time // of the last window in which a collection did
	restarted, lost time.Time
}

func newWatchScreen(windows []watched.Window) *watchScreen {
	s := &watchScreen{now: new(watched.Rates)}
	spread := watched.Spread(windows)
	for i, w := range windows {
		if w.Err == "" {
			s.lost = time.Time{}
		} else if s.lost.IsZero() {
			s.lost = w.Time
		}
		if w.Restarted {
			s.cpu, s.pauses, s.ended = nil, nil, time.Time{}
			if i >= len(windows)-recentWindows {
				s.restarted = w.Time
			}
		}
		if w.Rates == nil {
			continue
		}
		s.now = w.Rates
		s.rates, s.spread = append(s.rates, w.Rates), append(s.spread, spread[i])
		if w.Rates.Collected {
			s.ended = w.Rates.Time
		}
		if w.Rates.CPU != nil {
			s.cpu = w.Rates.CPU
		}
		if w.Rates.Pauses != nil {
			s.pauses = w.Rates.Pauses
		}
	}
	return s
}

// values returns a value of each window.
func (s *watchScreen) values(of func(*watched.Rates) *float64) []*float64 {
	var all []*float64
	for _, r := range s.rates {
		all = append(all, of(r))
	}
	return all
}

// ago describes when the last collection ended, if that was not in the last window.
func (s *watchScreen) ago() string {
	if s.now.Collected || s.ended.IsZero() {
		return ""
	}
	return fmt.Sprintf(", the last one %v ago", s.now.Time.Sub(s.ended).Round(time.Second))
}

func (t Text) watchRows(s *watchScreen) [][]string {
	var rows [][]string
	room := min(60, t.Width-78)
	add := func(name, value string, values []*float64, more string) {
		row := []string{name, value}
		if room >= 10 {
			row = append(row, spark(values, room))
		}
		rows = append(rows, append(row, t.dim(more)))
	}
	r := s.now
	add("allocation", reading(r.PerSecond.AllocBytes, "B/s"), s.values(func(r *watched.Rates) *float64 { return r.PerSecond.AllocBytes }), reading(r.PerSecond.AllocObjects, "")+" objects/s")
	add("collections", reading(r.PerSecond.GCs, "")+"/s", s.values(func(r *watched.Rates) *float64 { return r.PerSecond.GCs }), "and "+reading(r.PerSecond.ForcedGCs, "")+"/s forced"+s.ago())
	t.watchCPU(s, add)
	add("longest pause", pause(s.pauses, func(p *watched.Pauses) float64 { return p.Max }), s.values(func(r *watched.Rates) *float64 {
		if r.Pauses == nil {
			return nil
		}
		return &r.Pauses.Max
	}), "50 %: "+pause(s.pauses, func(p *watched.Pauses) float64 { return p.P50 })+", 99 %: "+pause(s.pauses, func(p *watched.Pauses) float64 { return p.P99 }))
	add("live heap", reading(r.Gauges.Live, "B"), s.values(func(r *watched.Rates) *float64 { return r.AtEnd(r.Gauges.Live) }), "goal "+reading(r.Gauges.Goal, "B")+", limit "+limit(r.Gauges.Limit))
	add("heap", reading(r.Gauges.Heap, "B"), s.values(func(r *watched.Rates) *float64 { return r.Gauges.Heap }), "with garbage, in "+reading(r.Gauges.Objects, "")+" objects")
	add("RSS", reading(r.Gauges.RSS, "B"), s.values(func(r *watched.Rates) *float64 { return r.Gauges.RSS }), "the runtime holds "+reading(r.Gauges.Memory, "B"))
	add("CPU", reading(r.PerSecond.CPUSeconds, ""), s.values(func(r *watched.Rates) *float64 { return r.PerSecond.CPUSeconds }), "of GOMAXPROCS "+reading(r.Gauges.GOMAXPROCS, ""))
	add("goroutines", reading(r.Gauges.Goroutines, ""), s.values(func(r *watched.Rates) *float64 { return r.Gauges.Goroutines }), "")
	return rows
}

// watchCPU adds the rows of the collector's CPU time: the shares are those of the time
// up to the last collection.
func (t Text) watchCPU(s *watchScreen, add func(name, value string, values []*float64, more string)) {
	var line []*float64
	for _, c := range s.spread {
		if c == nil {
			line = append(line, nil)
		} else {
			line = append(line, &c.Available.GC)
		}
	}
	more := "of available, " + gcShare(s.cpu, true) + " of busy"
	if c := s.cpu; c != nil && c.Seconds > 0 {
		more += ", over " + reading(&c.Seconds, "") + " s"
	}
	add("GC CPU", gcShare(s.cpu, false), line, more)
	if c := s.cpu; c != nil {
		add("  assists", percent(c.Available.Assist), nil, percent(c.Busy.Assist))
		add("  dedicated workers", percent(c.Available.Dedicated), nil, percent(c.Busy.Dedicated))
		add("  idle workers", percent(c.Available.Idle), nil, percent(c.Busy.Idle))
		add("  world stopped", percent(c.Available.Pause), nil, percent(c.Busy.Pause))
	}
	if share := s.now.Gauges.GCShare; share != nil {
		add("  since the start", since(share), nil, "of available, without idle workers")
	}
}

// spark draws the last values, from 0 to the largest. A value that is not known is a
// gap.
func spark(values []*float64, room int) string {
	const bars = "▁▂▃▄▅▆▇█"
	values = values[max(0, len(values)-room):]
	highest := 0.0
	for _, v := range values {
		if v != nil {
			highest = max(highest, *v)
		}
	}
	var b strings.Builder
	for _, v := range values {
		if v == nil {
			b.WriteByte(' ')
			continue
		}
		i := 0
		if highest > 0 {
			i = int(7 * max(0, *v) / highest)
		}
		b.WriteString(bars[3*i : 3*i+3])
	}
	return b.String()
}

// clip cuts a line at a column. Colours take none.
func clip(s string, columns int) string {
	if width(s) <= columns {
		return s
	}
	var b strings.Builder
	for n := 0; s != ""; {
		size := 1
		if strings.HasPrefix(s, "\x1b[") {
			size += strings.IndexByte(s, 'm')
		} else {
			_, size = utf8.DecodeRuneInString(s)
			n++
		}
		if n <= columns || s[0] == '\x1b' {
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}
