package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/perf/benchfmt"

	"lessgc/cmd/lessgc/internal/offline"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/trial"
	"lessgc/cmd/lessgc/internal/trial/countertest"
	"lessgc/cmd/lessgc/internal/vetrun"
	"lessgc/internal/longtest"
)

// TestMain lets the test binary also be the programs that the scripts call,
// and the helper that lessgc starts as a copy of itself.
func TestMain(m *testing.M) {
	if os.Getenv(countertest.Variable) != "" {
		trial.OpenCounter = countertest.Open
	}
	trial.Helper()
	offline.Helper()
	vetrun.Tool()
	testscript.Main(m, map[string]func(){
		"lessgc": func() { os.Exit(interruptible()) },
		"signal": func() { os.Exit(signalMain(os.Args[1:])) },
		"rows":   func() { os.Exit(rowsMain(os.Args[1:])) },
	})
}

// goEnv lists what the go command reads of the user's environment; a script
// has none of it by itself.
var goEnv = []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOPROXY", "GOPRIVATE", "GOTOOLCHAIN", "GOFLAGS"}

func TestScript(t *testing.T) {
	out, err := exec.Command("go", append([]string{"env", "-json"}, goEnv...)...).Output()
	if err != nil {
		t.Fatalf("go env: %v", err)
	}
	var user map[string]string
	if err := json.Unmarshal(out, &user); err != nil {
		t.Fatalf("go env: %v", err)
	}
	folder, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           condition,
		Setup: func(e *testscript.Env) error {
			for name, value := range user {
				e.Setenv(name, value)
			}
			e.Setenv("GOWORK", "off")
			e.Setenv("GOFLAGS", strings.TrimSpace(user["GOFLAGS"]+" -ldflags=-w")) // links in two thirds of the time
			e.Setenv("LESSGC_SCOREBOARD", filepath.Join(e.WorkDir, "board.jsonl"))
			e.Setenv("LESSGC", folder) // for what its go.mod requires
			for _, name := range []string{"HOME", "USERPROFILE", "LOCALAPPDATA", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "SSL_CERT_FILE"} {
				if value, ok := os.LookupEnv(name); ok {
					e.Setenv(name, value)
				}
			}
			for _, who := range []string{"AUTHOR", "COMMITTER"} {
				e.Setenv("GIT_"+who+"_NAME", "gopher")
				e.Setenv("GIT_"+who+"_EMAIL", "gopher@example.com")
			}
			e.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			e.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(e.WorkDir))
			tmp := filepath.Join(e.WorkDir, "tmp")
			e.Setenv("TMPDIR", tmp)
			e.Setenv("GOTMPDIR", "")
			e.Defer(func() {
				if err := left(e.WorkDir); err != nil {
					e.T().Fatal(err)
				}
			})
			return os.Mkdir(tmp, 0o777)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    exits,
			"clean":    clean,
			"trials":   trials,
			"benchfmt": readable,
			"json":     validJSON,
			"cut":      cut,
			"oneline":  oneline,
		},
	})
}

// condition reports whether a condition of a script's own holds: [long] is for
// what longtest.Skip skips in Go.
func condition(name string) (bool, error) {
	if name != "long" {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	return longtest.Wanted(), nil
}

// left runs at the end of every script: no temporary file and no process may
// be left behind.
func left(work string) error {
	files, err := os.ReadDir(filepath.Join(work, "tmp"))
	if err != nil || len(files) > 0 {
		return fmt.Errorf("left in the temporary folder: %v %v", files, err)
	}
	// A process that was killed needs a moment to go.
	var found []string
	for range 30 {
		if found = processesOf(work); len(found) == 0 {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("processes left behind: %s", strings.Join(found, "; "))
}

// clean checks in the middle of a script what is checked at its end anyway:
//
//	clean
func clean(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(left(ts.Getenv("WORK")))
}

// processesOf returns the processes whose environment or arguments mention
// the folder work.
func processesOf(work string) []string {
	environs, _ := filepath.Glob("/proc/[0-9]*/environ") // none but on Linux
	var found []string
	for _, file := range environs {
		dir := filepath.Dir(file)
		environ, _ := os.ReadFile(file)
		cmdline, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		all := slices.Concat(environ, cmdline) // the name of one script may begin that of another
		if bytes.Contains(all, []byte(work+"/")) || bytes.Contains(all, []byte(work+"\x00")) {
			found = append(found, filepath.Base(dir)+": "+string(bytes.ReplaceAll(cmdline, []byte{0}, []byte{' '})))
		}
	}
	return found
}

// exits runs a program and checks its exit status:
//
//	exits STATUS PROGRAM ARGUMENTS...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS PROGRAM ARGUMENTS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// signalMain is the program signal: it starts another and sends it, and
// nothing it started, a signal once a file has enough lines. It ends with the
// status of that program, 128 and more if the signal killed it.
//
//	signal INT|TERM|KILL FILE LINES PROGRAM ARGUMENTS...
func signalMain(args []string) int {
	name, file, program := args[0], args[1], args[3:]
	lines, err := strconv.Atoi(args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, "signal:", err)
		return 99
	}
	cmd := exec.Command(program[0], program[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "signal:", err)
		return 99
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for bytes.Count(content(file), []byte("\n")) < lines {
		select {
		case <-ended:
			fmt.Fprintf(os.Stderr, "signal: %s ended before %s had %d lines\n", program[0], file, lines)
			return 99
		case <-time.After(time.Millisecond):
		}
	}
	cmd.Process.Signal(map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM, "KILL": os.Kill}[name])
	<-ended
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return cmd.ProcessState.ExitCode()
}

func content(file string) []byte {
	data, _ := os.ReadFile(file)
	return data
}

// rowsMain is the program rows: it lists the packages and benchmarks of result
// folders.
//
//	rows DIR...
func rowsMain(args []string) int {
	for _, dir := range args {
		s, _, err := session.Read(dir)
		if err != nil {
			fmt.Fprintln(os.Stderr, "rows:", err)
			return 2
		}
		for _, row := range s.Rows {
			fmt.Println(row.Package, row.Name)
		}
	}
	return 0
}

// trials checks that a result folder holds every trial of so many rounds, and
// each once. Trials of benchmarks that the session reports as a problem may be
// missing.
//
//	trials DIR ROUNDS
func trials(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: trials DIR ROUNDS")
	}
	rounds, err := strconv.Atoi(args[1])
	ts.Check(err)
	s, all, err := session.Read(ts.MkAbs(args[0]))
	ts.Check(err)
	count := map[[3]int]int{}
	for _, t := range all {
		if t.Round > rounds {
			ts.Fatalf("there is a trial of round %d", t.Round)
		}
		if t.Err == "" {
			count[[3]int{t.Round, t.Cell, t.Row}]++
		}
	}
	for round := range rounds + 1 {
		for c, cell := range s.Cells {
			for r, row := range s.Rows {
				if n := count[[3]int{round, c, r}]; n > 1 || n == 0 && expected(s, row, c) {
					ts.Fatalf("round %d has %d trials of %s in %s", round, n, row.Name, cell.Name)
				}
			}
		}
	}
}

// expected reports whether a row has to be measured in a cell: it has a partner
// there, and nothing was reported.
func expected(s *session.Session, row session.Row, cell int) bool {
	if slices.ContainsFunc(s.Problems, func(p session.Problem) bool { return p.Cell == s.Cells[cell].ID && p.Row == row.Name }) {
		return false
	}
	can := func(c int) bool { return row.Bench[c] != "" && s.Cells[c].Err == "" }
	for c, other := range s.Cells {
		if other.Ref >= 0 && !other.AA && (c == cell || other.Ref == cell) && can(c) && can(other.Ref) {
			return true
		}
	}
	return false
}

// readable checks that files can be read in the Go benchmark format, each with
// so many results:
//
//	benchfmt RESULTS FILE...
func readable(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: benchfmt RESULTS FILE...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	for _, file := range args[1:] {
		r := benchfmt.NewReader(strings.NewReader(ts.ReadFile(file)), file)
		n := 0
		for r.Scan() {
			switch record := r.Result().(type) {
			case *benchfmt.Result:
				n++
			case *benchfmt.SyntaxError:
				ts.Fatalf("%v", record)
			}
		}
		ts.Check(r.Err())
		if n != want {
			ts.Fatalf("%s has %d results, want %d", file, n, want)
		}
	}
}

// validJSON checks that files, or stdout, hold one JSON value each:
//
//	json FILE...
func validJSON(ts *testscript.TestScript, neg bool, args []string) {
	for _, file := range args {
		if json.Valid([]byte(ts.ReadFile(file))) == neg {
			ts.Fatalf("%s: valid JSON: %v", file, neg)
		}
	}
}

// cut removes bytes from the end of a file:
//
//	cut FILE BYTES
func cut(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: cut FILE BYTES")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.Truncate(ts.MkAbs(args[0]), int64(len(ts.ReadFile(args[0]))-n)))
}

// oneline checks that stderr is one line: an error without a stack, a usage
// text or the same thing twice.
//
//	oneline
func oneline(ts *testscript.TestScript, neg bool, args []string) {
	if text := ts.ReadFile("stderr"); strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, "lessgc: ") {
		ts.Fatalf("stderr is not one line of lessgc")
	}
}
