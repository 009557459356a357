package render

import (
	"fmt"
	"io"
	"strings"

	"lessgc/cmd/lessgc/internal/board"
	"lessgc/cmd/lessgc/internal/visible"
)

// Scoreboard writes the record of each lever, and of all together.
func (t Text) Scoreboard(w io.Writer, sums []board.Sum) error {
	if len(sums) == 0 {
		_, err := fmt.Fprintln(w, "No change has been tried yet: lessgc apply tries those that lessgc advise names.")
		return err
	}
	sums = visible.All(sums, visible.Terminal)
	rows := [][]string{{"lever", "tried", "kept", "CPU time inside", "too noisy", "bytes inside", "CPU time saved where kept"}}
	for _, s := range sums {
		name := s.Lever
		if name == "" {
			name = "all"
		}
		saved := "–"
		if s.Saved != nil {
			saved = fmt.Sprintf("%.1f to %.1f %%", 100*s.Saved.Lo, 100*s.Saved.Hi)
		}
		rows = append(rows, []string{name, fmt.Sprint(s.Tried), fmt.Sprint(s.Kept), of(board.Scored(s.Scores)), fmt.Sprint(s.Scores[board.Noisy]), of(board.Scored(s.Memory)), saved})
	}
	rows = append(rows, rows[1]) // all together come last
	rows = append(rows[:1], rows[2:]...)
	var b strings.Builder
	align(&b, rows)
	_, err := io.WriteString(w, b.String())
	return err
}

func of(n, all int) string { return fmt.Sprintf("%d of %d", n, all) }

// ScoreboardJSON writes a board and its sums as JSON.
func ScoreboardJSON(w io.Writer, r *board.Report) error { return indented(w, r) }
