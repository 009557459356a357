package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A lockedBuffer may be written to by several pods.
type lockedBuffer struct {
	lock sync.Mutex
	b    bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.b.Write(p)
}

// A here is a place to run a file in.
type here struct {
	folder, results, file, record string
	out                           lockedBuffer
}

// start writes a file and sets PATH to the stubs.
func start(t *testing.T, text []byte) *here {
	t.Helper()
	h := &here{folder: t.TempDir(), results: filepath.Join(t.TempDir(), "results")}
	h.file, h.record = filepath.Join(h.folder, "jobs.yaml"), filepath.Join(h.folder, "record")
	if err := os.WriteFile(h.file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", stubbed(t))
	t.Setenv(recordVariable, h.record)
	return h
}

func (h *here) run(flags ...string) int {
	h.out.b.Reset()
	return run(context.Background(), &h.out, &h.out, slices.Concat([]string{"-C", h.folder, "-results", h.results}, flags, []string{h.file}))
}

// TestKubernetes runs Jobs whose strings are hostile, and some of whose pods are killed.
func TestKubernetes(t *testing.T) {
	args, failOn := hostileArgs()
	h := start(t, generate(t, slices.Concat([]string{"kubernetes", "-image", "example.com/x:1", "-shards", "4", "-runner", "a.b/c=d", "-runner", "e=f", "--"}, failOn, args)...))

	if status := h.run("-nodes", "2"); status != 0 {
		t.Fatalf("status %d: %s", status, h.out.b.String())
	}
	all := calls(t, h.record, "lessgc")
	if len(all) != 5 {
		t.Fatalf("lessgc was called %d times, want 5", len(all))
	}
	slices.SortFunc(all[:4], func(a, b call) int { return strings.Compare(a.Env["POD_NAME"], b.Env["POD_NAME"]) })
	for i, c := range all[:4] {
		// Volumes are folders here, and a shard's folder is that of its index.
		got := slices.Clone(c.Args)
		for j, s := range args {
			if k := j + 5; len(got) > k && (s == "/tmp" || strings.HasPrefix(s, "/results")) {
				if s == got[k] {
					t.Errorf("the path %s of a volume is not replaced", s)
				}
				got[k] = s
			}
		}
		equal(t, "compare", got, slices.Concat([]string{"compare", "-shard", "auto/4", "-o", fmt.Sprintf("%s/lessgc/%d-of-4", h.results, i)}, args))
		if c.Env["JOB_COMPLETION_INDEX"] != fmt.Sprint(i) || c.Env["HOME"] == "/tmp" || c.Env["HOME"] == os.Getenv("HOME") {
			t.Errorf("index %d: %v", i, c.Env)
		}
	}
	folders := func(indices ...int) []string {
		var all []string
		for _, i := range indices {
			all = append(all, fmt.Sprintf("%s/lessgc/%d-of-4", h.results, i))
		}
		return all
	}
	equal(t, "report", all[4].Args, slices.Concat([]string{"report"}, failOn, folders(0, 1, 2, 3)))

	// The status of -fail-on.
	t.Setenv(failVariable, "1")
	if status := h.run(); status != 1 {
		t.Errorf("status %d, want that of the report: %s", status, h.out.b.String())
	}
	t.Setenv(failVariable, "")

	// A run again keeps what was there.
	earlier, err := os.ReadDir(filepath.Join(h.results, "lessgc", "earlier"))
	if err != nil || len(earlier) != 4 {
		t.Errorf("%d earlier shards, %v; want 4", len(earlier), err)
	}
}

// TestKilled kills pods: each has another one, and its shard is missing only if that is killed too.
func TestKilled(t *testing.T) {
	const shards, kill, seed = 5, 2, 3
	h := start(t, generate(t, "kubernetes", "-image", "x", "-shards", fmt.Sprint(shards), "--", "."))
	dead := victims(shards, kill, seed)
	if len(dead) != kill || dead[0] == dead[1] {
		t.Fatalf("victims %v", dead)
	}
	var hang []string
	for _, i := range dead {
		hang = append(hang, fmt.Sprintf("lessgc-%d-0", i), fmt.Sprintf("lessgc-%d-1", i))
	}
	flags := []string{"-kill", fmt.Sprint(kill), "-seed", fmt.Sprint(seed), "-within", "1ms", "-nodes", "5"}
	said := func(lines ...string) {
		t.Helper()
		for _, line := range lines {
			if !strings.Contains(h.out.b.String(), line+"\n") {
				t.Errorf("%q is not in\n%s", line, h.out.b.String())
			}
		}
	}

	t.Setenv(hangVariable, strings.Join(hang[:1], ","))
	if status := h.run(append(flags, "-once")...); status != 0 {
		t.Errorf("status %d, want 0", status)
	}
	said(fmt.Sprintf("pod lessgc-%d-0: exit status 137", dead[0]), fmt.Sprintf("pod lessgc-%d-1: exit status 0", dead[0]), "job lessgc: succeeded 0,1,2,3,4; failed none")

	if err := os.RemoveAll(h.results); err != nil {
		t.Fatal(err)
	}
	os.Remove(h.record)
	t.Setenv(hangVariable, strings.Join(hang, ","))
	if status := h.run(flags...); status != 1 {
		t.Errorf("status %d, want 1", status)
	}
	var left []string
	for i := range shards {
		if !slices.Contains(dead, i) {
			left = append(left, fmt.Sprint(i))
		}
	}
	said(fmt.Sprintf("job lessgc: succeeded %s; failed %d,%d", strings.Join(left, ","), dead[0], dead[1]), "job lessgc-report: exit status 0")
}

// TestCheck checks that a file is refused that breaks a promise, or that Kubernetes would refuse.
func TestCheck(t *testing.T) {
	text := string(generate(t, "kubernetes", "-image", "x", "-shards", "4", "--", "."))
	if _, err := read([]byte(text)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"parallelism: 4", "parallelism: 2", "completions and parallelism differ"},
		{"parallelism: 4", "paralelism: 4", `unknown field "paralelism"`},
		{"parallelism: 4", "parallelism: 4\n  parallelism: 4", "already set"},
		{"completions: 4", `completions: "4"`, "cannot unmarshal string"},
		{"completionMode: Indexed", "completionMode: NonIndexed", "have no index"},
		{"  backoffLimitPerIndex: 1", "  backoffLimit: 1", "no backoffLimitPerIndex"},
		{"podReplacementPolicy: Failed", "podReplacementPolicy: TerminatingOrFailed", "two pods of an index"},
		{"restartPolicy: Never", "restartPolicy: OnFailure", "would start again"},
		{"runAsUser: 65532", "runAsUser: 0", "may run as root"},
		{"runAsNonRoot: true", "runAsNonRoot: false", "may run as root"},
		{"allowPrivilegeEscalation: false", "allowPrivilegeEscalation: true", "may get more rights"},
		{`limits: {cpu: "2"`, `limits: {cpu: "3"`, "have to be equal"},
		{`{cpu: "2", memory: 4Gi}`, `{cpu: "1500m", memory: 4Gi}`, "a part of a CPU"},
		{"requests: {cpu", "request: {cpu", "unknown field"},
		{"topologyKey: kubernetes.io/hostname", "topologyKey: topology.kubernetes.io/zone", "may share a node"},
		{"                  app.kubernetes.io/name: lessgc-shard", "                  app.kubernetes.io/name: another", "may share a node"},
		{"accessModes: [ReadWriteMany]", "accessModes: [ReadWriteOnce]", "nodes write at once"},
		{"- name: tmp\n", "- name: temp\n", "there is no volume tmp"},
		{"kind: PersistentVolumeClaim", "kind: Secret", "is not what lessgc prints"},
	} {
		changed := strings.ReplaceAll(text, c.old, c.new)
		if changed == text {
			t.Errorf("the file does not hold %q", c.old)
			continue
		}
		if _, err := read([]byte(changed)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.new, err, c.want)
		}
	}
}

// TestKubernetesFiles checks files of all flags by the schema of the oldest Kubernetes that they are for.
func TestKubernetesFiles(t *testing.T) {
	args, failOn := hostileArgs()
	for _, flags := range [][]string{
		{"--"},
		{"-claim", "shared", "-cpus", "64", "-memory", "512Mi", "-shards", "200", "-name", "a-1", "--", "."},
		{"-from", "https://h/p#v1", "-runner", "a=b", "-go", "1.27rc1", "--", "-base", "main", "."},
		{"-from", "./a", "-runner", "x.y/a=b", "-runner", "x.y/a=c", "--", "."},
		slices.Concat([]string{"-runner", "a=b", "-runner", "c=d", "--"}, failOn, args),
	} {
		text := generate(t, slices.Concat([]string{"kubernetes", "-image", "example.com/x@sha256:0123"}, flags)...)
		if _, err := read(text); err != nil {
			t.Error(err)
		}
		for _, document := range separator.Split(string(text), -1) {
			if strings.Contains(document, "\nkind: ") {
				valid(t, "kubernetes-1.29.json", []byte(document))
				parse(t, []byte(document), new(map[string]any))
			}
		}
	}
}

// TestExpand has cases of Kubernetes's own test of its expansion, and others.
func TestExpand(t *testing.T) {
	values := map[string]string{"VAR_A": "A", "VAR_B": "B", "VAR_EMPTY": "", "VAR_REF": "$(VAR_A)"}
	for in, want := range map[string]string{
		"$(VAR_A)": "A", "___$(VAR_B)___": "___B___", "$(VAR_A)-$(VAR_B)": "A-B", "$(VAR_EMPTY)": "", "$(VAR_REF)": "$(VAR_A)",
		"$(VAR_DNE)": "$(VAR_DNE)", "$$(VAR_A)": "$(VAR_A)", "$$$(VAR_B)": "$B", "$$$$(VAR_A)": "$$(VAR_A)", "$VAR_A": "$VAR_A",
		"$(VAR_A": "$(VAR_A", "f000-$$VAR_A": "f000-$VAR_A", "foo\\$(VAR_A)bar": "foo\\Abar", "$$": "$", "$$$": "$$", "$": "$", "a$": "a$", "$)": "$)", "$()": "$()",
	} {
		if got := expand(in, values); got != want {
			t.Errorf("expand(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestMoved checks which paths are those of a volume.
func TestMoved(t *testing.T) {
	paths := map[string]string{"/results": "/x/results/y", "/tmp": "/results"}
	for in, want := range map[string]string{
		"/results": "/x/results/y", "/results/a": "/x/results/y/a", "o=/results;": "o=/x/results/y;", "/tmp": "/results", "'/tmp/a' /results/b": "'/results/a' /x/results/y/b",
		"/resultsx": "/resultsx", "a/results": "a/results", "//results": "//results", "/results.d": "/results.d", "ä/tmp": "ä/tmp", "/tmpä": "/tmpä",
	} {
		if got := moved(in, paths); got != want {
			t.Errorf("moved(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestWrong checks that wrong flags and files have status 2.
func TestWrong(t *testing.T) {
	h := start(t, generate(t, "kubernetes", "-image", "x", "--", "."))
	for _, args := range [][]string{
		{}, {"x"}, {"-results", "a b", h.file}, {"-results", h.results, filepath.Join(h.folder, "none")}, {"-results", h.results, "-nodes", "0", h.file},
		{"-results", h.results, "-kill", "7", h.file}, {"-nosuch"},
	} {
		if status := run(context.Background(), &h.out, &h.out, args); status != 2 {
			t.Errorf("%q: status %d, want 2", args, status)
		}
	}
}

// TestSpreadingPage runs the commands of docs/spreading.md, over a file of its own.
func TestSpreadingPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/spreading.md")
	if err != nil {
		t.Fatal(err)
	}
	h := start(t, generate(t, "kubernetes", "-image", "x", "--", "."))
	ran := 0
	for line := range strings.Lines(string(page)) {
		args, ok := strings.CutPrefix(strings.TrimSpace(line), "go run ./bench/jobrun ")
		if !ok {
			continue
		}
		words := strings.Fields(args)
		flags := words[:len(words)-1]
		if i := slices.Index(flags, "results"); i > 0 {
			flags[i] = h.results
		}
		// The last of two flags counts, and no stub runs for an hour.
		if status := run(context.Background(), &h.out, &h.out, slices.Concat(flags, []string{"-C", h.folder, "-within", "1h", h.file})); status != 0 {
			t.Errorf("%s: status %d: %s", line, status, h.out.b.String())
		}
		ran++
	}
	if ran < 2 {
		t.Errorf("docs/spreading.md shows %d commands", ran)
	}
}
