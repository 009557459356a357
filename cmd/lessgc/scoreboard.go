package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path"

	"lessgc/cmd/lessgc/internal/attempt"
	"lessgc/cmd/lessgc/internal/board"
	"lessgc/cmd/lessgc/internal/render"
	"lessgc/cmd/lessgc/internal/version"
)

const scoreboardHelp = `usage: lessgc scoreboard [flags]

Scoreboard shows, for each lever, how often lessgc apply has kept its change, and how often
the CPU time and the bytes that it saved were inside the predicted range: in public modules, which come
with lessgc, and in your own runs. Those are kept in a file, which LESSGC_SCOREBOARD names,
else scoreboard.jsonl in the folder lessgc of your configuration; nothing is sent anywhere.

  lessgc scoreboard
  lessgc scoreboard -own          only your own runs
  lessgc scoreboard -json         with each change

Exit status: 0 done; 2 the file could not be read.
`

func runScoreboard(_ context.Context, e *env, args []string) int {
	var own, asJSON bool
	fs := flag.NewFlagSet("scoreboard", flag.ContinueOnError)
	fs.BoolVar(&own, "own", false, "show your own runs only")
	fs.BoolVar(&asJSON, "json", false, "print everything as JSON, with each change")
	if status, done := e.parse(fs, scoreboardHelp, args); done {
		return status
	}
	if fs.NArg() > 0 {
		return e.fail(errors.New("scoreboard takes no arguments; lessgc scoreboard -h lists its flags"))
	}
	file, err := board.File()
	if err != nil {
		return e.fail(err)
	}
	entries, err := board.Read(file)
	if err != nil {
		return e.fail(err)
	}
	if !own {
		entries = append(board.Public(), entries...)
	}
	if asJSON {
		err = render.ScoreboardJSON(e.stdout, &board.Report{Format: board.Format, Tool: version.Tool(), Levers: board.Sums(entries), Entries: entries})
	} else {
		err = e.text().Scoreboard(e.stdout, board.Sums(entries))
	}
	if err != nil {
		return e.fail(err)
	}
	return exitClean
}

// score adds an attempt to the user's board.
func score(s *attempt.State, a *attempt.Attempt) error {
	file, err := board.File()
	if err != nil {
		return err
	}
	return board.Append(file, entry(s, a))
}

// entry is an attempt as a line of a board: in the benchmark that it was predicted to matter most to.
func entry(s *attempt.State, a *attempt.Attempt) board.Entry {
	e := board.Entry{Time: a.Time, Tool: s.Tool, Go: s.Go, Module: s.Module, Lever: a.Lever, Line: a.Place(), Outcome: string(a.Outcome)}
	if !s.Snapshot {
		e.Module += fmt.Sprintf("@%.12s", s.Base)
	}
	var most *attempt.Row
	for i := range a.Rows {
		if x := &a.Rows[i]; most == nil || x.Predicted != nil && (most.Predicted == nil || x.Predicted.Hi > most.Predicted.Hi) {
			most = x
		}
	}
	if most == nil || most.CPU.Lo == 0 && most.CPU.Hi == 0 {
		return e
	}
	e.Benchmark = path.Base(most.Package) + "." + most.Name
	e.Saved, e.Measured = 1-most.CPU.Ratio, &board.Range{Lo: 1 - most.CPU.Hi, Hi: 1 - most.CPU.Lo}
	if p := most.Predicted; p != nil {
		e.Predicted = &board.Range{Lo: p.Lo, Hi: p.Hi}
	}
	if m := most.Memory; m != nil {
		e.Memory = &board.Range{Lo: m.Lo, Hi: m.Hi}
	}
	if most.Bytes.Before > 0 {
		e.Freed = new(most.Bytes.Saved())
	}
	e.Allocs = attempt.Number(most.Allocs.Before) + " -> " + attempt.Number(most.Allocs.After)
	return e
}
