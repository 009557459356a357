package render

import (
	"fmt"
	"io"
	"math"
	"strings"

	"lessgc/cmd/lessgc/internal/curve"
	"lessgc/cmd/lessgc/internal/visible"
)

// Tune writes the curve of each program, the recommendation and its gain.
func (t Text) Tune(w io.Writer, r *curve.Report) error {
	if t.Width == 0 {
		t.Width = 100
	}
	r = visible.All(r, visible.Terminal)
	var b strings.Builder
	for i := range r.Subjects {
		if i > 0 {
			b.WriteByte('\n')
		}
		t.tuned(&b, r, &r.Subjects[i])
	}
	if r.Memory == 0 && r.From != "" {
		b.WriteString("\n" + t.dim(r.From) + "\n")
	}
	t.tuneRecord(&b, r)
	_, err := io.WriteString(w, b.String())
	return err
}

func (t Text) tuned(b *strings.Builder, r *curve.Report, s *curve.Subject) {
	b.WriteString(t.bold(s.Name) + "\n")
	if s.Err != "" {
		t.wrap(b, "  ", "  ", s.Err)
		return
	}
	t.wrap(b, "  ", "  ", observedText(s))
	for _, note := range s.Notes {
		t.wrap(b, "  note: ", "    ", note)
	}
	b.WriteByte('\n')
	align(b, tuneTable(s))
	if len(s.Limits) > 0 {
		b.WriteByte('\n')
		align(b, limitTable(s))
	}
	for _, text := range limitTexts(s) {
		b.WriteByte('\n')
		t.wrap(b, "  ", "  ", text)
	}
	b.WriteByte('\n')
	for _, text := range adviceTexts(r, s) {
		t.wrap(b, "  ", "  ", text)
	}
	if s.Advice.Change || s.Limit > 0 {
		b.WriteByte('\n')
		for _, line := range SettingLines(s) {
			b.WriteString("    " + line + "\n")
		}
	}
	if len(s.Outcomes) > 0 {
		b.WriteString("\n  measured over predicted:\n")
		align(b, outcomeTable(s))
	}
}

// observedText describes the observations behind a prediction.
func observedText(s *curve.Subject) string {
	text := fmt.Sprintf("Observed %s by %s with %s: %.0f collections, %s live at most", seconds(s.Seconds), s.Source, s.Setting, s.Cycles, size(int64(s.Live)))
	if s.RSS > 0 {
		text += ", peak RSS " + size(int64(s.RSS))
	}
	if s.Advice != nil && s.Of == curve.Busy {
		text += fmt.Sprintf("; %.2f of %.0f CPUs used, %s of it for collecting", s.Advice.Cores, s.Procs, percent(s.Advice.Now.GC.Value))
	}
	return text + "."
}

func seconds(s float64) string {
	if s < 10 {
		return fmt.Sprintf("%.1f s", s)
	}
	return fmt.Sprintf("%.0f s", s)
}

// tuneTable is the curve, with an arrow at what is recommended and a star at what was observed.
func tuneTable(s *curve.Subject) [][]string {
	head := []string{"", "GOGC", "GC CPU", "", "all CPU", "", "peak memory", "", "GC/s", "assists"}
	if s.RSS > 0 {
		head[6] = "peak RSS"
	}
	if s.Of == curve.Available {
		head[2], head[4] = "GC CPU of available", ""
	}
	lines := [][]string{head}
	best := s.Advice.Best.Setting.GOGC
	for _, p := range s.Curve {
		mark := ""
		switch g := p.Setting.GOGC; {
		case g == best && s.Advice.Change:
			mark = "→"
		case g == s.Setting.GOGC:
			mark = "*"
		}
		lines = append(lines, append([]string{mark, gogcText(p.Setting.GOGC)}, predictionCells(s, &p)...))
	}
	return lines
}

func predictionCells(s *curve.Subject, p *curve.Prediction) []string {
	m := p.RSS
	if m.Value == 0 {
		m = p.Heap
	}
	all, between := signedChange(p.CPU.Value-1), fmt.Sprintf("(%s to %s)", signedChange(p.CPU.Lo-1), signedChange(p.CPU.Hi-1))
	if s.Of == curve.Available {
		all, between = "", ""
	}
	return []string{percent(p.GC.Value), fmt.Sprintf("(%.1f to %.1f)", 100*p.GC.Lo, 100*p.GC.Hi), all, between,
		size(int64(m.Value)), fmt.Sprintf("(%s to %s)", size(int64(m.Lo)), size(int64(m.Hi))), fmt.Sprintf("%.3g", p.Cycles.Value), percent(p.Assist.Value)}
}

// signed is a relative change in per cent.
func signedChange(x float64) string {
	if math.Abs(x) < 0.0005 {
		return "0 %"
	}
	return fmt.Sprintf("%+.1f %%", 100*x)
}

func gogcText(g float64) string {
	if g < 0 {
		return "off"
	}
	return fmt.Sprintf("%g", g)
}

func limitTable(s *curve.Subject) [][]string {
	lines := [][]string{{"GOMEMLIMIT", "GOGC", "GC CPU", "", "all CPU", "", "peak memory", "", "GC/s", "assists", ""}}
	for _, p := range s.Limits {
		line := append([]string{size(int64(p.Setting.Limit)), gogcText(p.Setting.GOGC)}, predictionCells(s, &p)...)
		if p.Spiral {
			line = append(line, "spiral")
		}
		lines = append(lines, line)
	}
	return lines
}

// limitTexts say where a limit is too near, and how far memory may grow below each.
func limitTexts(s *curve.Subject) (all []string) {
	if s.Onset != nil {
		all = append(all, onsetText(s.Onset))
	}
	for _, r := range s.Rooms {
		all = append(all, fmt.Sprintf("Below a limit of %s at GOGC=%s, live heap may grow from %s to %s, or what counts beside the heap from %s to %s, before the collector takes %.0f %% of the CPU time.",
			size(int64(r.Setting.Limit)), gogcText(r.Setting.GOGC), size(int64(r.Live)), between(r.To), size(int64(r.NonHeap)), between(r.Beside), 100*r.Share))
	}
	return all
}

func onsetText(o *curve.Onset) string {
	text := fmt.Sprintf("Memory limit at GOGC=%s: collecting takes twice the CPU time below %s", gogcText(o.Of), between(o.Doubles))
	if o.Limiter.Value > o.Least.Value*1.001 {
		text += fmt.Sprintf(", half of all CPU time below %s", between(o.Limiter))
	}
	return text + fmt.Sprintf("; none is held below %s, of which %s count beside the heap.", between(o.Least), size(int64(o.NonHeap)))
}

// between is a size with its interval.
func between(v curve.Value) string {
	return fmt.Sprintf("%s (%s to %s)", size(int64(v.Value)), size(int64(v.Lo)), size(int64(v.Hi)))
}

// adviceTexts say what to do and why.
func adviceTexts(r *curve.Report, s *curve.Subject) []string {
	a := s.Advice
	memory := ""
	if r.Memory > 0 {
		memory = fmt.Sprintf("%s (%s)", size(int64(r.Memory)), r.From)
	}
	switch a.Why {
	case curve.NoFit:
		return []string{fmt.Sprintf("The memory that is allowed, %s, is too little for any setting, with a reserve of %.0f %%: give it more, or make the program keep less.", memory, 100*curve.Reserve)}
	case curve.Little:
		return []string{fmt.Sprintf("Nothing is worth changing: collecting takes %s of the CPU time, and no setting saves more than that.", percent(a.Now.GC.Value))}
	case curve.Tight:
		return []string{fmt.Sprintf("Nothing is worth changing: a higher GOGC would not fit into %s, with a reserve of %.0f %%.", memory, 100*curve.Reserve)}
	}
	if !a.Change {
		return []string{fmt.Sprintf("Nothing is worth changing: no setting saves 2 %% of what CPU and memory cost together, at %s for each CPU.", size(int64(r.Weight)))}
	}
	texts := []string{fmt.Sprintf("Recommended: GOGC=%s. It %s, and %s.", gogcText(a.Best.Setting.GOGC), savesText(a.Saved, a.Cores), takesText(a.More))}
	if a.Why == curve.Fits {
		texts = append(texts, fmt.Sprintf("A higher one would not fit into %s, with a reserve of %.0f %%.", memory, 100*curve.Reserve))
	} else {
		texts = append(texts, fmt.Sprintf("The next step costs more memory than its CPU time is worth, at %s for each CPU; -cpu changes that.", size(int64(r.Weight))))
	}
	if n := float64(r.Replicas); n > 1 {
		texts = append(texts, fmt.Sprintf("For %d replicas: %.1f CPUs (%.1f to %.1f), and %s of memory.", r.Replicas, n*a.Saved.Value, n*a.Saved.Lo, n*a.Saved.Hi, signedSize(n*a.More.Value)))
	}
	return texts
}

func savesText(v curve.Value, cores float64) string {
	if v.Value < 0 {
		return fmt.Sprintf("costs %.2f of %.2f CPUs (%.1f to %.1f %%)", -v.Value, cores, -100*v.Hi/cores, -100*v.Lo/cores)
	}
	return fmt.Sprintf("saves %.2f of %.2f CPUs (%.1f to %.1f %%)", v.Value, cores, 100*v.Lo/cores, 100*v.Hi/cores)
}

func takesText(v curve.Value) string {
	if v.Value < 0 {
		return fmt.Sprintf("saves %s of memory (%s to %s)", size(int64(-v.Value)), signedSize(-v.Hi), signedSize(-v.Lo))
	}
	return fmt.Sprintf("takes %s more memory (%s to %s)", size(int64(v.Value)), signedSize(v.Lo), signedSize(v.Hi))
}

func signedSize(v float64) string {
	if v < 0 {
		return "-" + size(int64(-v))
	}
	return size(int64(v))
}

// SettingLines returns the ways to apply the recommendation: the environment, code and a container's specification.
func SettingLines(s *curve.Subject) []string {
	g := s.Advice.Best.Setting.GOGC
	environment := []string{"GOGC=" + gogcText(g)}
	code := []string{fmt.Sprintf("debug.SetGCPercent(%.0f)", g)}
	env := []string{"env:", "- name: GOGC", fmt.Sprintf("  value: %q", gogcText(g))}
	if s.Limit > 0 {
		mib := int64(s.Limit / (1 << 20))
		environment = append(environment, fmt.Sprintf("GOMEMLIMIT=%dMiB", mib))
		code = append(code, fmt.Sprintf("debug.SetMemoryLimit(%d << 20)", mib))
		env = append(env, "- name: GOMEMLIMIT", fmt.Sprintf("  value: %dMiB", mib))
	}
	lines := []string{"environment:  " + strings.Join(environment, " "), "in main:      " + strings.Join(code, "; "), "Kubernetes:   " + env[0]}
	for _, line := range env[1:] {
		lines = append(lines, "              "+line)
	}
	return lines
}

func outcomeTable(s *curve.Subject) [][]string {
	lines := [][]string{{"setting", "GC CPU", "predicted", "peak RSS", "predicted", "all CPU", "predicted", ""}}
	for _, o := range s.Outcomes {
		if o.Err != "" {
			lines = append(lines, []string{o.Setting.String(), o.Err})
			continue
		}
		p := o.Predicted
		lines = append(lines, []string{o.Setting.String(),
			percent(o.GC.Value), fmt.Sprintf("%.1f to %.1f", 100*p.GC.Lo, 100*p.GC.Hi) + outside(p.GC, o.GC),
			size(int64(o.RSS.Value)), size(int64(p.RSS.Lo)) + " to " + size(int64(p.RSS.Hi)) + outside(p.RSS, o.RSS),
			signedChange(o.CPU.Value - 1), signedChange(p.CPU.Lo-1) + " to " + signedChange(p.CPU.Hi-1) + outside(p.CPU, o.CPU), o.Verdict})
	}
	return lines
}

// outside marks a measurement that its prediction did not hold.
func outside(predicted, measured curve.Value) string {
	if predicted.Value == 0 || measured.Value == 0 || predicted.Has(measured.Value) {
		return ""
	}
	return " !"
}

func (t Text) tuneRecord(b *strings.Builder, r *curve.Report) {
	if r.Record == nil || r.Record.GC.All == 0 {
		return
	}
	h := func(name string, h curve.Hits) string { return fmt.Sprintf("%s %d of %d", name, h.Inside, h.All) }
	b.WriteString("\n" + t.dim("record of predictions inside their 90 % interval: "+h("GC CPU", r.Record.GC)+", "+h("peak RSS", r.Record.RSS)+", "+h("all CPU", r.Record.CPU)) + "\n")
}
