// Package mode names the ways in which one piece of Go code can be built and
// run: a toolchain, a GOEXPERIMENT, a GOGC, and so on.
//
// A mode holds only the differences from the caller's own environment. What a mode
// leaves empty stays as the caller has it.
package mode

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Mode is a named set of build and run-time settings. The zero Mode changes
// nothing: it is the code as the go command builds it today.
type Mode struct {
	Name string `json:"name"`

	// Settings that make a different binary.
	Toolchain  string   `json:"toolchain,omitempty"`    // GOTOOLCHAIN, such as go1.27.3
	Experiment string   `json:"goexperiment,omitempty"` // GOEXPERIMENT, such as nogreenteagc
	Tags       []string `json:"tags,omitempty"`         // build tags, for -tags
	GOAMD64    string   `json:"goamd64,omitempty"`      // v1 to v4
	PGO        string   `json:"pgo,omitempty"`          // a profile's path, auto or off, for -pgo
	BuildEnv   []string `json:"buildEnv,omitempty"`     // other NAME=VALUE read by the go command

	// Settings of the run.
	GOGC       string   `json:"gogc,omitempty"`       // a percentage or off
	GOMEMLIMIT string   `json:"gomemlimit,omitempty"` // such as 512MiB
	GOMAXPROCS string   `json:"gomaxprocs,omitempty"` // overrides the number all cells are pinned to
	GODEBUG    string   `json:"godebug,omitempty"`    // comma-separated, in addition to what lessgc sets
	RunEnv     []string `json:"runEnv,omitempty"`     // other NAME=VALUE for the process measured
}

// Default is the mode that changes nothing.
func Default() Mode { return Mode{Name: "default"} }

// BuildKey identifies the binary that m builds: modes with equal keys share it.
func (m Mode) BuildKey() string {
	return strings.Join(append(m.buildEnviron(), m.BuildFlags()...), "\x00")
}

func (m Mode) buildEnviron() []string {
	env := with(nil, "GOTOOLCHAIN", m.Toolchain)
	env = with(env, "GOEXPERIMENT", m.Experiment)
	env = with(env, "GOAMD64", m.GOAMD64)
	return append(env, m.BuildEnv...)
}

// with appends a variable to an environment if it has a value.
func with(env []string, name, value string) []string {
	if value == "" {
		return env
	}
	return append(env, name+"="+value)
}

// BuildEnviron returns base with the settings that the go command reads. The
// result does not share memory with base.
func (m Mode) BuildEnviron(base []string) []string {
	return append(slices.Clone(base), m.buildEnviron()...)
}

// BuildFlags returns the flags for go build and go test -c.
func (m Mode) BuildFlags() []string {
	var flags []string
	if len(m.Tags) > 0 {
		flags = append(flags, "-tags="+strings.Join(m.Tags, ","))
	}
	if m.PGO != "" {
		flags = append(flags, "-pgo="+m.PGO)
	}
	return flags
}

// RunEnviron returns base with the settings that the measured process reads.
// The result does not share memory with base. GODEBUG is left to the caller,
// who joins it with its own.
func (m Mode) RunEnviron(base []string) []string {
	env := with(slices.Clone(base), "GOGC", m.GOGC)
	env = with(env, "GOMEMLIMIT", m.GOMEMLIMIT)
	env = with(env, "GOMAXPROCS", m.GOMAXPROCS)
	return append(env, m.RunEnv...)
}

// NeedsBuild reports whether m changes how code is built, so that it means
// nothing for a program that is already built.
func (m Mode) NeedsBuild() bool { return m.BuildKey() != "" }

// Settings returns the settings of m, as the words of a -mode value, or "" for
// nothing.
func (m Mode) Settings() string {
	words := m.buildEnviron()
	if len(m.Tags) > 0 {
		words = append(words, "tags="+strings.Join(m.Tags, ","))
	}
	if m.PGO != "" {
		words = append(words, "pgo="+m.PGO)
	}
	words = m.RunEnviron(words)
	if m.GODEBUG != "" {
		words = append(words, "GODEBUG="+m.GODEBUG)
	}
	for i, w := range words {
		words[i] = quote(w)
	}
	return strings.Join(words, " ")
}

// presets are the modes with a fixed name. The GOEXPERIMENT is spelled out in
// full, because the default collector changed with Go 1.26: so a preset means
// the same on every toolchain.
var presets = []Mode{
	Default(),
	{Name: "oldgc", Experiment: "nogreenteagc"},
	{Name: "greentea", Experiment: "greenteagc"},
	{Name: "arenas", Experiment: "arenas,nogreenteagc"},
	{Name: "arenas+greentea", Experiment: "arenas,greenteagc"},
}

// explained describes the presets of the published comparison.
var explained = map[string]string{
	"oldgc":           "the collector that was the default before Go 1.26",
	"greentea":        "the Green Tea collector, the default since Go 1.26",
	"arenas":          "oldgc, and package arena of the standard library for code that has it",
	"arenas+greentea": "greentea, and package arena of the standard library for code that has it",
}

// Explain describes m in a few words, if it is a preset that needs them, else "".
func (m Mode) Explain() string {
	i := slices.IndexFunc(presets, func(p Mode) bool { return p.Name == m.Name })
	if i < 0 || presets[i].Settings() != m.Settings() {
		return ""
	}
	return explained[m.Name]
}

// Published returns the four modes of the published comparison, the baseline
// first.
func Published() []Mode { return slices.Clone(presets[1:]) }

// families are the presets that take a list of values, each a mode of its own.
var families = []struct {
	name, example string
	make          func(value string) Mode
}{
	{"gogc", "gogc=50,100,200,400", func(v string) Mode { return Mode{Name: "gogc=" + v, GOGC: v} }},
	{"memlimit", "memlimit=64MiB,256MiB", func(v string) Mode { return Mode{Name: "memlimit=" + v, GOMEMLIMIT: v} }},
	{"toolchain", "toolchain=go1.26.8,go1.27.3", func(v string) Mode { return Mode{Name: v, Toolchain: v} }},
	{"pgo", "pgo=cpu.pprof", func(v string) Mode { return Mode{Name: "pgo=" + v, PGO: v} }},
	{"gomaxprocs", "gomaxprocs=1,2", func(v string) Mode { return Mode{Name: "gomaxprocs=" + v, GOMAXPROCS: v} }},
	{"goamd64", "goamd64=v1,v3", func(v string) Mode { return Mode{Name: "goamd64=" + v, GOAMD64: v} }},
}

// Parse reads one -mode value: a preset or a comma-separated list of presets
// ("oldgc,greentea"), a family with its values ("gogc=50,100,200"), or a mode
// spelled out ("name: GOEXPERIMENT=x GOGC=200 tags=y"). The error names the
// word that is wrong and what would be right.
func Parse(s string) ([]Mode, error) {
	if name, settings, ok := strings.Cut(s, ":"); ok {
		m, err := parseSettings(strings.TrimSpace(name), settings)
		if err != nil {
			return nil, fmt.Errorf("-mode %q: %w", HideText(s), err)
		}
		return []Mode{m}, nil
	}
	if family, values, ok := strings.Cut(s, "="); ok {
		for _, f := range families {
			if f.name == family {
				return parseFamily(f.make, s, values)
			}
		}
		return nil, fmt.Errorf("unknown mode %q; for settings of your own write -mode 'name: %s'", HideText(s), HideText(s))
	}
	var modes []Mode
	for word := range strings.SplitSeq(s, ",") {
		i := slices.IndexFunc(presets, func(m Mode) bool { return m.Name == word })
		if i < 0 {
			return nil, fmt.Errorf("unknown mode %q; modes are %s, or -mode 'name: GOGC=200 tags=x'", word, known())
		}
		modes = append(modes, presets[i])
	}
	return modes, nil
}

// known lists what Parse takes.
func known() string {
	var names []string
	for _, m := range presets {
		names = append(names, m.Name)
	}
	for _, f := range families {
		names = append(names, f.example)
	}
	return strings.Join(names, ", ")
}

func parseFamily(make func(string) Mode, s, values string) ([]Mode, error) {
	var modes []Mode
	for v := range strings.SplitSeq(values, ",") {
		if v == "" {
			return nil, fmt.Errorf("-mode %q: a value is missing", s)
		}
		m := make(v)
		if err := m.Check(); err != nil {
			return nil, fmt.Errorf("-mode %q: %w", s, err)
		}
		modes = append(modes, m)
	}
	return modes, nil
}

// parseSettings reads the words after the colon of a mode spelled out.
func parseSettings(name, settings string) (Mode, error) {
	m := Mode{Name: name}
	if name == "" {
		return m, fmt.Errorf("a name is missing before the colon")
	}
	words, err := SplitWords(settings)
	if err != nil {
		return m, err
	}
	for _, w := range words {
		k, v, ok := strings.Cut(w, "=")
		if !ok || k == "" {
			return m, fmt.Errorf("%q is not NAME=VALUE", hideWord(w))
		}
		switch k {
		case "GOTOOLCHAIN", "toolchain":
			m.Toolchain = v
		case "GOEXPERIMENT":
			m.Experiment = v
		case "GOGC", "gogc":
			m.GOGC = v
		case "GOMEMLIMIT", "memlimit":
			m.GOMEMLIMIT = v
		case "GOMAXPROCS", "gomaxprocs":
			m.GOMAXPROCS = v
		case "GOAMD64", "goamd64":
			m.GOAMD64 = v
		case "GODEBUG":
			m.GODEBUG = v
		case "tags":
			m.Tags = strings.Split(v, ",")
		case "pgo":
			m.PGO = v
		default:
			if k != strings.ToUpper(k) {
				return m, fmt.Errorf("%q is neither tags=, pgo= nor an environment variable in capitals", hideWord(w))
			}
			if readByGoCommand(k) {
				m.BuildEnv = append(m.BuildEnv, w)
			} else {
				m.RunEnv = append(m.RunEnv, w)
			}
		}
	}
	return m, m.Check()
}

// goCommand are the variables of go help environment that can change what the
// go command builds or where it finds it, and that no field of Mode stands for.
var goCommand = []string{
	"AR", "CC", "CXX", "FC", "GCCGO", "PKG_CONFIG",
	"GO111MODULE", "GOARCH", "GOAUTH", "GOBIN", "GOCACHE", "GOCACHEPROG", "GOENV", "GOEXTLINKENABLED", "GOFIPS140", "GOFLAGS",
	"GOINSECURE", "GOMODCACHE", "GONOPROXY", "GONOSUMDB", "GOOS", "GOPATH", "GOPRIVATE", "GOPROXY", "GOROOT", "GOSUMDB", "GOTMPDIR",
	"GOVCS", "GOWORK",
	"GO386", "GOARM", "GOARM64", "GOMIPS", "GOMIPS64", "GOPPC64", "GORISCV64", "GOWASM",
}

// readByGoCommand reports whether the environment variable changes what the go
// command builds. Everything else reaches the measured process only, and needs
// no build of its own.
func readByGoCommand(name string) bool {
	return slices.Contains(goCommand, name) || strings.HasPrefix(name, "CGO_")
}

// Check finds the settings that the Go runtime would quietly ignore or that
// would only fail much later. The limits are those of the runtime, which reads
// GOGC and GOMAXPROCS as 32 bits and GOMEMLIMIT as 64.
func (m Mode) Check() error {
	if m.GOGC != "" && m.GOGC != "off" && !number(m.GOGC, 0, math.MaxInt32) {
		return fmt.Errorf("GOGC=%s is neither a percentage nor off", m.GOGC)
	}
	if _, err := Size(m.GOMEMLIMIT); m.GOMEMLIMIT != "" && m.GOMEMLIMIT != "off" && err != nil {
		return fmt.Errorf("GOMEMLIMIT=%s is not a size such as 512MiB", m.GOMEMLIMIT)
	}
	if m.GOMAXPROCS != "" && !number(m.GOMAXPROCS, 1, math.MaxInt32) {
		return fmt.Errorf("GOMAXPROCS=%s is not a positive number", m.GOMAXPROCS)
	}
	if m.GOAMD64 != "" && !slices.Contains([]string{"v1", "v2", "v3", "v4"}, m.GOAMD64) { // go build takes anything
		return fmt.Errorf("invalid GOAMD64=%s; want v1, v2, v3 or v4", m.GOAMD64)
	}
	return nil
}

// Size reads a number of bytes as GOMEMLIMIT has it: with an optional unit, B or KiB to TiB.
func Size(s string) (int64, error) {
	units := map[string]int64{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
	count := strings.TrimRight(s, "KMGTiB")
	unit, ok := units[s[len(count):]]
	if !ok || !number(count, 0, math.MaxInt64/unit) {
		return 0, fmt.Errorf("%q is not a size such as 512MiB", s)
	}
	n, err := strconv.ParseInt(count, 10, 64)
	return n * unit, err
}

// number reports whether s is written in digits only and lies in the range.
func number(s string, least, most int64) bool {
	n, err := strconv.ParseInt(s, 10, 64)
	return err == nil && strings.Trim(s, "0123456789") == "" && least <= n && n <= most
}

// Baseline returns the index of the mode that the others are compared with:
// the one called name, or, if name is empty, the first one; a list of GOGC
// values is compared with 100, Go's default, wherever that stands in it. ok is
// false if there is no mode of that name.
func Baseline(modes []Mode, name string) (i int, ok bool) {
	if name == "" && strings.HasPrefix(modes[0].Name, "gogc=") {
		i := slices.IndexFunc(modes, func(m Mode) bool { return m.Name == "gogc=100" })
		return max(i, 0), true
	}
	if name == "" {
		return 0, true
	}
	i = slices.IndexFunc(modes, func(m Mode) bool { return m.Name == name })
	return i, i >= 0
}

// Duplicate returns the first name that two modes share, or "".
func Duplicate(modes []Mode) string {
	names := slices.SortedFunc(slices.Values(modes), func(a, b Mode) int { return cmp.Compare(a.Name, b.Name) })
	for i := 1; i < len(names); i++ {
		if names[i].Name == names[i-1].Name {
			return names[i].Name
		}
	}
	return ""
}
