package differ

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"lessgc/cmd/lessgc/internal/procgroup"
)

// heads are the comments that begin the changed file of a pair: what the check has to say, and of which function.
var (
	wants     = regexp.MustCompile(`(?m)^// (equal|differs( under -race)?: ?(.*))$`)
	functions = regexp.MustCompile(`(?m)^// function: (.*)$`)
)

const (
	leastWrong, leastRight = 30, 20
	longestSearch          = 3 * time.Second
	equalSearch            = 500 * time.Millisecond // in which there must be no difference
)

// TestPairs checks that the differences of the pairs of files below testdata/pairs are found, each within three
// seconds, and that none is found in those that are equal. They are changes as lessgc makes them, and those with one
// detail wrong.
func TestPairs(t *testing.T) {
	archives, err := filepath.Glob("testdata/pairs/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	module := t.TempDir()
	write(t, filepath.Join(module, "go.mod"), "module example.com/pairs\n\ngo 1.26\n")
	wrong, right := 0, 0
	t.Run("all", func(t *testing.T) {
		for _, name := range archives {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			group := strings.TrimSuffix(filepath.Base(name), ".txtar")
			for i := 0; i+1 < len(archive.Files); i += 2 {
				old, changed := archive.Files[i], archive.Files[i+1]
				name := group + "/" + filepath.Dir(old.Name)
				if filepath.Dir(old.Name) != filepath.Dir(changed.Name) || wants.FindSubmatch(changed.Data) == nil {
					t.Fatalf("%s is no pair", name)
				}
				if string(wants.FindSubmatch(changed.Data)[1]) == "equal" {
					right++
				} else {
					wrong++
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					pair(t, filepath.Join(module, filepath.FromSlash(name)), old.Data, changed.Data)
				})
			}
		}
	})
	if wrong < leastWrong || right < leastRight {
		t.Errorf("%d wrong pairs and %d right ones are not enough", wrong, right)
	}
}

// pair checks one pair in a folder.
func pair(t *testing.T, dir string, old, changed []byte) {
	want := wants.FindSubmatch(changed)
	fn := "F"
	if f := functions.FindSubmatch(changed); f != nil {
		fn = string(f[1])
	}
	write(t, filepath.Join(dir, "p.go"), string(changed))
	equal := string(want[1]) == "equal"
	o := Options{Race: len(want[2]) > 0, Duration: longestSearch}
	if equal {
		o.Duration = equalSearch
	}
	r, err := checked(t, dir, old, fn, o)
	switch {
	case err != nil:
		t.Error(err)
	case equal && (r.Difference != "" || r.Slow != "" || r.Unstable != ""):
		t.Errorf("the pair is equal, and found is %+v", r)
	case !equal && r.Difference == "":
		t.Errorf("nothing was found: %+v", r)
	case !strings.Contains(r.Difference, string(want[3])):
		t.Errorf("found is %q, want %q in it", r.Difference, want[3])
	case equal && r.Panicked == r.Inputs:
		t.Errorf("all of %d inputs panic", r.Inputs)
	default:
		t.Logf("%+v", r)
	}
}

// checked runs the check of a function of package p in a folder, whose file p.go was old.
func checked(t *testing.T, dir string, old []byte, fn string, o Options) (Result, error) {
	t.Helper()
	c, err := New(t.Context(), Source{dir, map[string][]byte{"p.go": old}}, Source{Dir: dir}, fn)
	if err != nil {
		return Result{}, err
	}
	file, err := c.Write(dir)
	if err != nil {
		return Result{}, err
	}
	defer func() {
		if err := os.Remove(file); err != nil {
			t.Error(err)
		}
	}()
	o.Go = goCommand
	return Run(t.Context(), dir, ".", o)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
		t.Fatal(err)
	}
}

// goCommand runs the go command in PATH.
func goCommand(ctx context.Context, dir string, env, args []string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	procgroup.Command(cmd)
	cmd.Cancel = func() error { return procgroup.Kill(cmd) }
	cmd.WaitDelay = 10 * time.Second
	err := cmd.Run()
	if errors.As(err, new(*exec.ExitError)) {
		err = nil
	}
	return out.String(), err
}
