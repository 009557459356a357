package lever

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

// marks are the comments of a line in testdata/rewrites, behind it or above it: whether the lever that the folder is named after
// makes the whole change there, with a text that it puts there if it is given, or why it must not.
var marks = regexp.MustCompile(`// (rewritten|refused)(?:: (.+))?$`)

// leastRefused is the number of lines that each lever with a rewrite has to refuse: each is a line that it
// rewrites but for one detail, which makes the change wrong.
const leastRefused = 10

// TestRefused checks that levers rewrite the lines below testdata/rewrites that are marked so, and none
// that violates a side condition of theirs; what is rewritten builds, and the tests of its folder pass.
func TestRefused(t *testing.T) {
	folders, err := filepath.Glob("testdata/rewrites/*")
	if err != nil || len(folders) == 0 {
		t.Fatal("there is nothing to rewrite: ", err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			if name, _, _ := strings.Cut(filepath.Base(folder), "_"); testing.Short() && name != arenas.Name {
				t.Skip("-short is for what depends on the path of our module, as in internal/rehome")
			}
			t.Parallel()
			refused(t, folder)
		})
	}
}

// naming are levers whose findings name the variable, always.
var naming = []*Lever{typedPool, preallocate, presizeMap, sizeMap, growOnce, inPlace, reuseVariable, lateMake, makeOnWrite, buildInBranch, chunk, stringBuilder, receiverBuffer, concatenate}

// unclear finds evidence that cannot stand in a commit message, behind a colon or between semicolons: what ends a sentence, begins with a word
// for something that is named elsewhere, or has two explanations.
var unclear = regexp.MustCompile(`^(It|it|this|they|which|of|The|A|An) |[.:;,]$|\n|on the average|:.*: `)

// refused checks a folder: that of a lever, or one more, whose name has _ behind the lever's.
func refused(t *testing.T, folder string) {
	name, _, more := strings.Cut(filepath.Base(folder), "_")
	r := ByName(name)
	if r == nil || r.Rewrite == "" {
		t.Fatalf("there is no lever %s that says when it rewrites", filepath.Base(folder))
	}
	program, err := Load(t.Context(), ".", []string{"./" + folder}, false)
	if err != nil {
		t.Fatal(err)
	}
	program.Ops = 1
	if r == buildInBranch || r == makeOnWrite || r == estimateSize || r == lateMake || r == sizeMap {
		program.Executed = countExecuted(t, "./"+folder)
	}
	if r == estimateSize || r == sizeMap || r == stackBuffer || r == textTwice || r == concatenate || r == stringBuilder || filepath.Base(folder) == "rune-text_stack" {
		profile := profileIn(t, "./"+folder)
		program.Sites, program.Parts, program.Ops = site.Find(profile, nil, testdata), partsOf(profile), observedOps
	}
	var edits [][]Edit
	refused := 0
	whats := map[string]bool{}
	for file := range program.units {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range strings.Split(string(data), "\n") {
			mark, line := marks.FindStringSubmatch(text), i+1
			if mark == nil {
				continue
			}
			if strings.HasPrefix(strings.TrimSpace(text), "//") {
				line++
			}
			f := atLine(program, file, line, r)
			for _, e := range f.Evidence {
				if unclear.MatchString(e.Text) {
					t.Errorf("%s:%d: %q is no sentence of a commit message", filepath.Base(file), i+1, e.Text)
				}
			}
			complete := len(f.Evidence) > 0 && Match{r, f}.Complete()
			switch {
			case mark[1] == "rewritten" && !complete:
				t.Errorf("%s:%d is not rewritten: %s", filepath.Base(file), i+1, strings.TrimSpace(text))
			case mark[1] == "rewritten":
				edits = append(edits, f.Edits)
				if strings.ContainsAny(f.What, "%\n") || strings.Contains(f.What, "  ") || len(f.What) > 60 {
					t.Errorf("%s:%d: %q is no subject of a commit", filepath.Base(file), i+1, f.What)
				}
				whats[f.What] = true
				if !slices.ContainsFunc(f.Edits, func(e Edit) bool { return strings.Contains(e.Text, mark[2]) }) {
					t.Errorf("%s:%d is rewritten as %+v, without %s", filepath.Base(file), i+1, f.Edits, mark[2])
				}
			case mark[2] == "":
				t.Errorf("%s:%d: there is no reason why it is refused", filepath.Base(file), i+1)
			case complete:
				t.Errorf("%s:%d is rewritten as %+v: %s", filepath.Base(file), i+1, f.Edits, strings.TrimSpace(text))
			default:
				refused++
			}
		}
	}
	if slices.Contains(naming, r) && whats[""] {
		t.Errorf("a subject does not name the variable, of %q", slices.Sorted(maps.Keys(whats)))
	}
	if len(edits) == 0 || refused < leastRefused && !more {
		t.Errorf("%d lines are rewritten and %d refused, which is not enough", len(edits), refused)
	}
	buildEdited(t, "./"+folder, edits)
}

// atLine returns the finding of a lever at a line: as its benchmarks show it, if the sites are known, or as if it allocated by
// itself and by way of all calls.
func atLine(program *Program, file string, line int, r *Lever) Finding {
	if program.Sites == nil {
		return everything(program, file, line, r)
	}
	for _, s := range program.Sites {
		if s.File == file && s.Line == line {
			if p := program.lineOf(s); p != nil {
				return r.find(p)
			}
		}
	}
	return Finding{}
}

// observedOps is the number of operations of a benchmark whose sites are taken.
const observedOps = 20

// testdata holds the packages that are rewritten.
var testdata = site.Module("lessgc/cmd/lessgc/internal/lever/testdata")

// sitesIn returns the sites of the profile of a folder's benchmarks.
func sitesIn(t *testing.T, folder string) []*site.Site {
	return site.Find(profileIn(t, folder), nil, testdata)
}

// profileIn runs the benchmarks of a folder, and returns their profile, in which no object is missing.
func profileIn(t *testing.T, folder string) *prof.Profile {
	file := filepath.Join(t.TempDir(), "allocs.out")
	out, err := exec.Command("go", "test", "-run", "^$", "-bench", ".", "-benchtime", strconv.Itoa(observedOps)+"x", "-memprofile", file, "-memprofilerate", "1",
		"-o", os.DevNull, folder).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	profile, err := new(prof.Reader).ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return profile
}

// partsOf returns the sites of each benchmark of a profile.
func partsOf(profile *prof.Profile) (parts [][]*site.Site) {
	var names []string
	for _, s := range profile.Sample {
		for _, f := range prof.Stack(s) {
			if testdata(f.Package()) && strings.HasPrefix(f.Func, f.Package()+".Benchmark") {
				(&prof.Profile{Profile: &pprof.Profile{Sample: []*pprof.Sample{s}}}).Mark(f.Func)
				names = append(names, f.Func)
			}
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		parts = append(parts, site.Find(profile.Of(name), nil, testdata))
	}
	return parts
}

// TestRewrites checks that each lever that makes changes as a whole has lines that it refuses.
func TestRewrites(t *testing.T) {
	for _, r := range All {
		if _, err := os.Stat(filepath.Join("testdata", "rewrites", r.Name)); r.Rewrite != "" && err != nil {
			t.Errorf("%s says when it rewrites, and has no folder in testdata/rewrites", r.Name)
		}
		if (r.Rewrite == "") != (r.Subject == "") || len(r.Subject) > 35 {
			t.Errorf("%s: Rewrite and Subject go together, and the subject of a commit is short: %q", r.Name, r.Subject)
		}
	}
}
