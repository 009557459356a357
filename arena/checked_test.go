package arena

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"lessgc/internal/checked"
	"lessgc/internal/longtest"
)

// mistakes builds the programs in testdata/mistakes and returns a function that
// runs one of them.
func mistakes(t *testing.T, programs string, flags ...string) func(t *testing.T, name string) (output string, failed bool) {
	t.Helper()
	dir := t.TempDir() + string(filepath.Separator)
	args := append([]string{"build", "-o", dir}, flags...)
	if out, err := exec.Command("go", append(args, "./testdata/mistakes/"+programs)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return func(t *testing.T, name string) (string, bool) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, filepath.Join(dir, name))
		cmd.Env = append(os.Environ(), "LESSGC_ARENA=", "GOTRACEBACK=")
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out), err != nil
	}
}

// positions returns want with the words that a comment in the program stands for
// replaced by the position of the comment: "opened at OPENED".
func positions(t *testing.T, name, want string) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("testdata", "mistakes", name, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(source), "\n") {
		if _, comment, ok := strings.Cut(line, " // "); ok {
			want = strings.ReplaceAll(want, strings.ToUpper(comment), fmt.Sprintf("%s/main.go:%d", name, i+1))
		}
	}
	return want
}

// TestFaultsFile checks that the file which LESSGC_FAULTS names says what the address of a fault stands for,
// where nothing recovers and the runtime says no more than that.
func TestFaultsFile(t *testing.T) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" || allHeap {
		t.Skip("all freed objects lead to the same page")
	}
	file := filepath.Join(t.TempDir(), "faults")
	t.Setenv("LESSGC_FAULTS", file)
	out, failed := mistakes(t, "chase", "-tags=lessgc_checked")(t, "chase")
	_, after, found := strings.Cut(out, "unexpected fault address ")
	var addr uint64
	if _, err := fmt.Sscanf(after, "%v", &addr); !failed || !found || err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	list, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		var from, to uint64
		if _, err := fmt.Sscanf(line, "%v to %v:", &from, &to); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if from <= addr && addr <= to && strings.Contains(line, ": main.list from ") && strings.Contains(line, positions(t, "chase", "freed at FREED")) {
			return
		}
	}
	t.Errorf("nothing of %#x in\n%s", addr, list)
}

// TestMistakes runs a program per mistake in the checked build. Each stops with
// one line that names the positions.
func TestMistakes(t *testing.T) {
	run := mistakes(t, "...", "-tags=lessgc_checked")
	check := func(name, want string) {
		t.Helper()
		t.Run(name, func(t *testing.T) {
			out, failed := run(t, name)
			want := positions(t, name, want)
			first, _, _ := strings.Cut(strings.TrimPrefix(out, "panic: "), "\n")
			if !failed || strings.TrimSuffix(first, " [recovered]") != want {
				t.Errorf("got\n\t%s\nwant\n\t%s", out, want)
			}
		})
	}
	const life = "opened at OPENED, freed at FREED"
	check("useafterfree", "arena: New after Free: "+life+", used at USED")
	check("textafterfree", "arena: Arena.String after Free: "+life+", used at USED")
	check("reopened", "arena: MakeSlice after Free: "+life+", used at USED")
	check("slabafterfree", "arena: Slab.New after Free: "+life+", used at USED")
	check("slabafterreset", "arena: Slab.New after Reset: opened at OPENED, reset at FREED, used at USED")
	check("childafterfree", "arena: New after Free: "+life+", used at USED")
	check("doublefree", "arena: Arena.Free after Free: "+life+", used at USED")
	check("neverfreed", "arena: never freed: opened at OPENED")
	check("goroutine", "arena: New from a second goroutine: opened at OPENED, used at USED; hand the arena over with Adopt, or give the goroutine a Child")
	check("childgoroutine", "arena: New from a second goroutine: opened at OPENED, used at USED; hand the arena over with Adopt, or give the goroutine a Child")
	check("foreignslice", "arena: Append to memory of another arena, []int from ALLOCATED: opened at OPENED, used at USED")
	check("foreignhandle", "arena: Slab.Append to memory of another arena, []int from ALLOCATED: opened at OPENED, used at USED")
	check("freedslice", "arena: Append to freed memory, []int from ALLOCATED: "+life+", used at USED")
	check("foreignmark", "arena: Release to a mark of another arena, or of one that was freed: opened at OPENED, used at USED")
	check("writeafterfree", "arena: main.user from ALLOCATED was written to after Free: "+life)
	check("writebytes", "arena: []byte from ALLOCATED was written to after Free: "+life)
	check("writeafterrelease", "arena: int from ALLOCATED was written to after Release: opened at OPENED, released at FREED")
	check("kept", "arena: main.user from ALLOCATED is still reachable after Free: "+life)
	check("keptstring", "arena: string from ALLOCATED is still reachable after Free: "+life)

	t.Run("chase", func(t *testing.T) {
		out, failed := run(t, "chase")
		if !failed || !strings.Contains(out, "unexpected fault address") || !strings.Contains(out, positions(t, "chase", "USED")) {
			t.Error(out)
		}
	})
	t.Run("clean", func(t *testing.T) {
		if out, failed := run(t, "asanclean"); failed {
			t.Error(out)
		}
	})
}

// TestMistakesRace checks that the race detector sees memory being freed, and
// that its build tells handles apart.
func TestMistakesRace(t *testing.T) {
	if runtime.GOARCH == "386" {
		t.Skip("there is no race detector")
	}
	longtest.Skip(t, "builds the standard library with -race")
	needC(t)
	run := mistakes(t, "...", "-race")
	check := func(name string, want ...string) {
		t.Helper()
		t.Run(name, func(t *testing.T) {
			out, failed := run(t, name)
			for _, w := range want {
				if w = positions(t, name, w); !failed || !strings.Contains(out, w) {
					t.Errorf("want %s:\n%s", w, out)
				}
			}
		})
	}
	check("race", "DATA RACE", "USED", "FREED")
	check("reopened", "arena: MakeSlice after Free: opened at OPENED, freed at FREED, used at USED")
	check("slabafterfree", "arena: Slab.New after Free: opened at OPENED, freed at FREED, used at USED")
	check("doublefree", "arena: Arena.Free after Free: opened at OPENED, freed at FREED, used at USED")
}

// TestMistakesASan checks that the address sanitizer sees each use of freed
// memory, and none of memory that was handed out again.
func TestMistakesASan(t *testing.T) {
	longtest.Skip(t, "builds the standard library with -asan")
	needC(t)
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("no address sanitizer")
	}
	run := mistakes(t, "...", "-asan")
	for _, name := range []string{"asanread", "asanwrite"} {
		out, failed := run(t, name)
		if want := positions(t, name, "USED"); !failed || !strings.Contains(out, "use-after-poison") || !strings.Contains(out, want) {
			t.Errorf("want use-after-poison at %s:\n%s", want, out)
		}
	}
	if out, failed := run(t, "asanclean"); failed {
		t.Error(out)
	}
}

// needC skips the test if there is no C compiler.
func needC(t *testing.T) {
	t.Helper()
	out, err := exec.Command("go", "env", "CC").Output()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath(strings.TrimSpace(string(out))); err != nil {
		t.Skip("no C compiler")
	}
}

// TestAdopt checks that an arena can be handed over, in all builds.
func TestAdopt(t *testing.T) {
	for _, a := range []*Arena{nil, {}, NewArena(), new(Pool).Get()} {
		New[int](a)
		done := make(chan bool)
		go func() {
			a.Adopt()
			New[int](a)
			done <- true
		}()
		<-done
		a.Adopt()
		a.Free()
	}
}

// TestGoroutine checks that the number of a goroutine is its own.
func TestGoroutine(t *testing.T) {
	mine, its := goroutine(), make(chan int64)
	go func() { its <- goroutine() }()
	if other := <-its; mine <= 0 || other <= 0 || mine == other || goroutine() != mine {
		t.Errorf("numbers %d and %d", mine, other)
	}
}

// TestVerifyClean checks that a correct program is not complained about.
func TestVerifyClean(t *testing.T) {
	if checked.Strict {
		t.Skip("verify returns what other tests did, or nothing")
	}
	p := &Pool{AuditEvery: 1}
	for i := range 10 {
		a := p.Get()
		request(a, i)
		a.Free()
	}
	if err := verify(); err != nil {
		t.Error(err)
	}
	if r := p.audit.report(); r.Pending != 0 || r.Arenas != 10 {
		t.Errorf("verify left %v", r)
	}
}

// TestFreedText checks that strings and bytes of a freed arena are refused like
// everything else.
func TestFreedText(t *testing.T) {
	check := func(what string, f func(*Arena)) {
		t.Helper()
		a := NewArena()
		New[int](a)
		a.Free()
		defer func() {
			if text, _ := recover().(string); !strings.Contains(text, "after Free") {
				t.Errorf("%s after Free: %q", what, text)
			}
		}()
		f(a)
	}
	check("String", func(a *Arena) { a.String("text") })
	check("Bytes", func(a *Arena) { a.Bytes([]byte("text")) })
	check("Sprintf", func(a *Arena) { a.String(fmt.Sprintf("%d", 1)) })
	check("large String", func(a *Arena) { a.String(strings.Repeat("x", maxChunk)) })
	check("MakeSlice", func(a *Arena) { MakeSlice[int](a, 1, 1) })
	check("Of", func(a *Arena) { Of[int](a).New() })
	check("Mark", func(a *Arena) { a.Mark() })
	check("Reset", func(a *Arena) { a.Reset() })
	check("Child", func(a *Arena) { a.Child() })
	check("Keep", func(a *Arena) { a.Keep() })
}
