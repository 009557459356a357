package mode

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// parsed are -mode values and the modes they stand for.
var parsed = []struct {
	in   string
	want []Mode
}{
	{"default", []Mode{{Name: "default"}}},
	{"oldgc", []Mode{{Name: "oldgc", Experiment: "nogreenteagc"}}},
	{"greentea", []Mode{{Name: "greentea", Experiment: "greenteagc"}}},
	{"arenas", []Mode{{Name: "arenas", Experiment: "arenas,nogreenteagc"}}},
	{"arenas+greentea", []Mode{{Name: "arenas+greentea", Experiment: "arenas,greenteagc"}}},
	{"oldgc,default", []Mode{{Name: "oldgc", Experiment: "nogreenteagc"}, {Name: "default"}}},

	{"gogc=50,100,off", []Mode{{Name: "gogc=50", GOGC: "50"}, {Name: "gogc=100", GOGC: "100"}, {Name: "gogc=off", GOGC: "off"}}},
	{"memlimit=64MiB,1073741824,off", []Mode{{Name: "memlimit=64MiB", GOMEMLIMIT: "64MiB"},
		{Name: "memlimit=1073741824", GOMEMLIMIT: "1073741824"}, {Name: "memlimit=off", GOMEMLIMIT: "off"}}},
	{"toolchain=go1.26.8,go1.27.3", []Mode{{Name: "go1.26.8", Toolchain: "go1.26.8"}, {Name: "go1.27.3", Toolchain: "go1.27.3"}}},
	{"pgo=cpu.pprof,off", []Mode{{Name: "pgo=cpu.pprof", PGO: "cpu.pprof"}, {Name: "pgo=off", PGO: "off"}}},
	{"gomaxprocs=1,16", []Mode{{Name: "gomaxprocs=1", GOMAXPROCS: "1"}, {Name: "gomaxprocs=16", GOMAXPROCS: "16"}}},
	{"goamd64=v1,v3", []Mode{{Name: "goamd64=v1", GOAMD64: "v1"}, {Name: "goamd64=v3", GOAMD64: "v3"}}},

	{"plain:", []Mode{{Name: "plain"}}},
	{" two words : GOGC=200", []Mode{{Name: "two words", GOGC: "200"}}},
	{"a=b,c: GOGC=200", []Mode{{Name: "a=b,c", GOGC: "200"}}},
	{"x: GOTOOLCHAIN=go1.27.3 GOEXPERIMENT=jsonv2,greenteagc GOAMD64=v3 tags=a,b pgo=auto", []Mode{{Name: "x",
		Toolchain: "go1.27.3", Experiment: "jsonv2,greenteagc", GOAMD64: "v3", Tags: []string{"a", "b"}, PGO: "auto"}}},
	{"x: toolchain=go1.27.3 gogc=off memlimit=1GiB gomaxprocs=2 goamd64=v2", []Mode{{Name: "x",
		Toolchain: "go1.27.3", GOGC: "off", GOMEMLIMIT: "1GiB", GOMAXPROCS: "2", GOAMD64: "v2"}}},
	{"x: GOGC=50\tGOMEMLIMIT=512MiB  GOMAXPROCS=4 GODEBUG=madvdontneed=1,asyncpreemptoff=1", []Mode{{Name: "x",
		GOGC: "50", GOMEMLIMIT: "512MiB", GOMAXPROCS: "4", GODEBUG: "madvdontneed=1,asyncpreemptoff=1"}}},
	{"x: GOGC=50 GOGC=60", []Mode{{Name: "x", GOGC: "60"}}},

	{`x: GOFLAGS='-ldflags=-s -trimpath' CGO_ENABLED=0`, []Mode{{Name: "x", BuildEnv: []string{"GOFLAGS=-ldflags=-s -trimpath", "CGO_ENABLED=0"}}}},
	{`x: 'GOFLAGS=-tags=a -trimpath' CC="ccache gcc"`, []Mode{{Name: "x", BuildEnv: []string{"GOFLAGS=-tags=a -trimpath", "CC=ccache gcc"}}}},
	{`x: GOTRACEBACK=all FOO=1 GORACE=halt_on_error=1`, []Mode{{Name: "x", RunEnv: []string{"GOTRACEBACK=all", "FOO=1", "GORACE=halt_on_error=1"}}}},
	{`x: FOO="it's" EMPTY= URL=http://h:1/`, []Mode{{Name: "x", RunEnv: []string{"FOO=it's", "EMPTY=", "URL=http://h:1/"}}}},
}

func TestParse(t *testing.T) {
	for _, test := range parsed {
		got, err := Parse(test.in)
		if err != nil {
			t.Errorf("Parse(%q): %v", test.in, err)
		} else if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("Parse(%q): (-want +got)\n%s", test.in, diff)
		}
	}
}

// The message has to hold the word that is wrong, so that a user finds it in a
// long command line.
func TestParseErrors(t *testing.T) {
	check := func(in string, parts ...string) {
		t.Helper()
		got, err := Parse(in)
		if err == nil {
			t.Errorf("Parse(%q) = %+v without an error", in, got)
			return
		}
		for _, part := range parts {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("Parse(%q): %q does not say %q", in, err, part)
			}
		}
	}
	check("", `""`, "oldgc")
	check("oldgc,newgc", `"newgc"`, "greentea", "gogc=50")
	check("oldgc, greentea", `" greentea"`)
	check("OldGC", `"OldGC"`)
	check("gcpercent=50", `"gcpercent=50"`, "name: gcpercent=50")
	check("gogc=", "a value is missing")
	check("gogc=50,,100", "a value is missing")
	check("gogc=50,fast", "GOGC=fast", "percentage")
	check("gogc=-1", "GOGC=-1")
	check("gogc=1.5", "GOGC=1.5")
	check("memlimit=64MB", "GOMEMLIMIT=64MB", "512MiB")
	check("memlimit=MiB", "GOMEMLIMIT=MiB")
	check("memlimit=1.5GiB", "GOMEMLIMIT=1.5GiB")
	check("memlimit=64iB", "GOMEMLIMIT=64iB")
	check("gomaxprocs=0", "GOMAXPROCS=0", "positive")
	check("gomaxprocs=00", "GOMAXPROCS=00")
	check("gomaxprocs=many", "GOMAXPROCS=many")
	check("goamd64=v1,v9", "GOAMD64=v9", "v4")
	check(": GOGC=50", "name is missing")
	check("  : GOGC=50", "name is missing")
	check("x: nonsense", `"nonsense"`, "NAME=VALUE")
	check("x: =5", `"=5"`)
	check("x: -race", `"-race"`)
	check("x: ldflags=-s", `"ldflags=-s"`, "tags=")
	check("x: GOGC=5x", "GOGC=5x", `"x: GOGC=5x"`)
	check("x: GOGC='5", "quote ' is not closed")
}

// The runtime reads the first two as 32-bit numbers and passes over what is
// larger: the mode would be measured as the default.
func TestParseBounds(t *testing.T) {
	check := func(most, tooMuch string) {
		t.Helper()
		if _, err := Parse(most); err != nil {
			t.Error(err)
		}
		if _, err := Parse(tooMuch); err == nil {
			t.Errorf("Parse(%q) takes a value that the runtime does not", tooMuch)
		}
	}
	check("gogc=2147483647", "gogc=2147483648")
	check("gomaxprocs=2147483647", "gomaxprocs=2147483648")
	check("memlimit=9223372036854775807", "memlimit=9223372036854775808")
	check("memlimit=8388607TiB", "memlimit=8388608TiB")
	check("memlimit=0", "memlimit=-1")
	check("gogc=0", "gogc=+0")
}

// The go command reads the variables of `go env`. Others may start with GO as
// well, and the program has to get them.
func TestEnvironmentRoute(t *testing.T) {
	check := func(name string, build, run bool) {
		t.Helper()
		modes, err := Parse("x: " + name + "=v")
		if err != nil {
			t.Error(err)
			return
		}
		m := modes[0]
		if b := slices.Contains(m.BuildEnviron(nil), name+"=v"); b != build {
			t.Errorf("the go command gets %s: %v, want %v", name, b, build)
		}
		if r := slices.Contains(m.RunEnviron(nil), name+"=v"); r != run {
			t.Errorf("the process gets %s: %v, want %v", name, r, run)
		}
		if m.NeedsBuild() != build {
			t.Errorf("%s needs a build: %v, want %v", name, m.NeedsBuild(), build)
		}
	}
	check("GOFLAGS", true, false)
	check("GOARCH", true, false)
	check("GOPROXY", true, false)
	check("CGO_ENABLED", true, false)
	check("CGO_CFLAGS", true, false)
	check("CC", true, false)
	check("PKG_CONFIG", true, false)
	check("GOTRACEBACK", false, true)
	check("GORACE", false, true)
	check("FOO", false, true)
	check("CCC", false, true)
	check("LD_PRELOAD", false, true)
	check("_X1", false, true)
	check("GOCOVERDIR", false, true)
	check("GOOGLE_CLOUD_PROJECT", false, true)
}

func TestPublished(t *testing.T) {
	var got []string
	for _, m := range Published() {
		got = append(got, m.Name+"="+m.Experiment)
	}
	want := []string{"oldgc=nogreenteagc", "greentea=greenteagc", "arenas=arenas,nogreenteagc", "arenas+greentea=arenas,greenteagc"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	Published()[0].Name = "changed"
	if Published()[0].Name != "oldgc" {
		t.Error("Published shares memory with its caller")
	}
}

func TestEnvirons(t *testing.T) {
	m := must(t, "x: GOTOOLCHAIN=go1.27.3 GOEXPERIMENT=e GOAMD64=v3 tags=a,b pgo=p GOFLAGS=-v "+
		"GOGC=50 GOMEMLIMIT=1GiB GOMAXPROCS=3 GODEBUG=d=1 FOO=1")
	base := make([]string, 1, 100)
	base[0] = "HOME=/h"
	build, run := m.BuildEnviron(base), m.RunEnviron(base)
	wantBuild := []string{"HOME=/h", "GOTOOLCHAIN=go1.27.3", "GOEXPERIMENT=e", "GOAMD64=v3", "GOFLAGS=-v"}
	if diff := cmp.Diff(wantBuild, build); diff != "" {
		t.Errorf("build (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"HOME=/h", "GOGC=50", "GOMEMLIMIT=1GiB", "GOMAXPROCS=3", "FOO=1"}, run); diff != "" {
		t.Errorf("run (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"-tags=a,b", "-pgo=p"}, m.BuildFlags()); diff != "" {
		t.Errorf("flags (-want +got)\n%s", diff)
	}
	if base[:2][1] != "" {
		t.Errorf("the caller's slice was written to: %q", base[:2])
	}
	if d := Default(); d.BuildFlags() != nil || len(d.BuildEnviron(nil)) != 0 || len(d.RunEnviron(nil)) != 0 || d.NeedsBuild() || d.Settings() != "" {
		t.Errorf("the default mode sets something: %+v", d)
	}
}

func TestBuildKey(t *testing.T) {
	check := func(a, b string, equal bool) {
		t.Helper()
		x, y := must(t, a), must(t, b)
		if (x.BuildKey() == y.BuildKey()) != equal {
			t.Errorf("%q and %q: equal keys %v, want %v", a, b, !equal, equal)
		}
	}
	check("a:", "default", true)
	check("a: GOGC=50", "b: GOGC=100", true)
	check("a: GOMEMLIMIT=1GiB GOMAXPROCS=1 GODEBUG=x=1 FOO=2", "default", true)
	check("a: tags=x GOGC=50", "b: tags=x", true)
	check("a: tags=x", "b: tags=y", false)
	check("a: tags=x", "default", false)
	check("a: pgo=x", "b: pgo=y", false)
	check("oldgc", "greentea", false)
	check("arenas", "arenas+greentea", false)
	check("a: GOEXPERIMENT=nogreenteagc", "oldgc", true)
	check("a: GOTOOLCHAIN=go1.27.3", "toolchain=go1.27.3", true)
	check("goamd64=v1", "goamd64=v3", false)
	check("a: CGO_ENABLED=0", "a: CGO_ENABLED=1", false)
	check("a: tags=v1", "a: GOAMD64=v1", false)
	check("a: 'GOFLAGS=-trimpath GOOS=js'", "a: GOFLAGS=-trimpath GOOS=js", false)
}

// Settings are shown to users, who paste them behind -mode.
func TestSettingsRoundTrip(t *testing.T) {
	check := func(m Mode) {
		t.Helper()
		got, err := Parse(m.Name + ": " + m.Settings())
		if err != nil {
			t.Errorf("%+v: %v", m, err)
		} else if diff := cmp.Diff([]Mode{m}, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", m.Settings(), diff)
		}
	}
	for _, test := range parsed {
		for _, m := range test.want {
			check(m)
		}
	}
	for _, value := range []string{"", "plain", "a b", "a\tb", "a\nb", " lead", "trail ", "it's", `say "hi"`, `it's "both"`, "a=b", "a:b", "ü", "a\rb"} {
		check(Mode{Name: "n", RunEnv: []string{"FOO=" + value}})
		check(Mode{Name: "n", BuildEnv: []string{"GOFLAGS=" + value}})
		if value != "" {
			check(Mode{Name: "n", PGO: value, GODEBUG: value, Experiment: value, Toolchain: value, GOAMD64: "v3"})
		}
	}
	// Every subset of settings.
	for set := range 1 << 9 {
		m := Mode{Name: "n"}
		on := func(bit int) bool { return set>>bit&1 == 1 }
		for i, s := range []struct {
			field *string
			value string
		}{{&m.Toolchain, "go1.27.3"}, {&m.Experiment, "a,nob"}, {&m.GOGC, "50"}, {&m.GOMEMLIMIT, "64MiB"}, {&m.GODEBUG, "a=1,b=2"}, {&m.PGO, "my profile"}} {
			if on(i) {
				*s.field = s.value
			}
		}
		if on(6) {
			m.Tags = []string{"a", "b"}
		}
		if on(7) {
			m.BuildEnv = []string{"GOFLAGS=-x -y", "CC=c"}
		}
		if on(8) {
			m.RunEnv = []string{"FOO=1 2", "BAR="}
		}
		check(m)
	}
}

func TestBaseline(t *testing.T) {
	check := func(values, name string, want int, wantOK bool) {
		t.Helper()
		var modes []Mode
		for v := range strings.SplitSeq(values, " ") {
			parsed, err := Parse(v)
			if err != nil {
				t.Fatal(err)
			}
			modes = append(modes, parsed...)
		}
		if i, ok := Baseline(modes, name); ok != wantOK || ok && i != want {
			t.Errorf("Baseline(%s, %q) = %d, %v, want %d, %v", values, name, i, ok, want, wantOK)
		}
	}
	check("oldgc,greentea", "", 0, true)
	check("oldgc,greentea", "greentea", 1, true)
	check("oldgc,greentea", "default", 0, false)
	check("gogc=50,100,200", "", 1, true)
	check("gogc=50,200", "", 0, true)
	check("gogc=200,400,100", "", 2, true)
	check("gogc=50,100,200", "gogc=200", 2, true)
	check("gogc=50,100", "100", 0, false)
	check("gogc=50,200 default gogc=100", "", 3, true)
	check("default gogc=50,100", "", 0, true)
	check("memlimit=64MiB gogc=100", "", 0, true)
	check("toolchain=go1.26.8,go1.27.3", "go1.27.3", 1, true)
}

func TestDuplicate(t *testing.T) {
	check := func(want string, names ...string) {
		t.Helper()
		var modes []Mode
		for i, n := range names {
			modes = append(modes, Mode{Name: n, GOGC: fmt.Sprint(i)})
		}
		if got := Duplicate(modes); got != want {
			t.Errorf("Duplicate(%q) = %q, want %q", names, got, want)
		}
		for i, n := range names {
			if modes[i].Name != n {
				t.Errorf("Duplicate(%q) reordered its argument", names)
				break
			}
		}
	}
	check("")
	check("", "a")
	check("", "b", "a", "c")
	check("a", "a", "a")
	check("b", "b", "a", "c", "b")
	check("a", "b", "a", "b", "a")
	check("", "a", "A")
}

func must(t *testing.T, s string) Mode {
	t.Helper()
	modes, err := Parse(s)
	if err != nil || len(modes) != 1 {
		t.Fatalf("Parse(%q) = %v, %v", s, modes, err)
	}
	return modes[0]
}

// TestExplain checks that each published mode is explained, and nothing that only has
// the name of one.
func TestExplain(t *testing.T) {
	for _, m := range Published() {
		if m.Explain() == "" {
			t.Errorf("%s is not explained", m.Name)
		}
	}
	for _, m := range []Mode{Default(), {Name: "oldgc", GOGC: "50"}, {Name: "mine"}, {Name: "oldgc"}} {
		if got := m.Explain(); got != "" {
			t.Errorf("%+v is %q", m, got)
		}
	}
}
