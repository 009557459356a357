package session

import (
	"slices"

	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/secret"
)

// Redacted is s without secrets, as it is kept and shown: without the values of variables
// that modes set and whose names say that they are secret, without users and passwords in
// addresses, and without either in what programs have said.
func (s *Session) Redacted() *Session {
	out := *s
	out.Command = mode.HideArgs(s.Command)
	out.Config.Exec = s.shown(s.Config.Exec)
	out.Config.Args = mode.HideArgs(s.Config.Args)
	out.Config.Modes = mode.Hide(s.Config.Modes)
	values := mode.Secrets(s.Config.Modes)
	said := func(text *string) { *text = secret.Blank(secret.Hide(*text), values...) }
	out.Cells = slices.Clone(s.Cells)
	for i := range out.Cells {
		c := &out.Cells[i]
		said(&c.Err)
		if m := slices.IndexFunc(out.Config.Modes, func(m mode.Mode) bool { return m.Name == c.Mode.Name }); m >= 0 {
			c.Mode = out.Config.Modes[m]
		} else {
			c.Mode = mode.Hide([]mode.Mode{c.Mode})[0]
		}
	}
	out.Rows = slices.Clone(s.Rows)
	for i := range out.Rows {
		row := &out.Rows[i]
		row.Name, row.Label, row.Bench = s.shown(row.Name), s.shown(row.Label), slices.Clone(row.Bench)
		for j := range row.Bench {
			row.Bench[j] = s.shown(row.Bench[j])
		}
	}
	out.Problems, out.Notes = slices.Clone(s.Problems), slices.Clone(s.Notes)
	for i := range out.Problems {
		out.Problems[i].Row = s.shown(out.Problems[i].Row)
		said(&out.Problems[i].Text)
		said(&out.Problems[i].Detail)
	}
	for i := range out.Notes {
		said(&out.Notes[i])
	}
	return &out
}

// shown is a name, which is a command line if a program is measured. Names of benchmarks
// stay: rows are found again by them.
func (s *Session) shown(name string) string {
	if s.Config.Exec == "" {
		return name
	}
	return secret.HideUsers(name)
}
