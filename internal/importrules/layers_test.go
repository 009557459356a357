package importrules

// A layer is packages of one role, and all they may import besides the standard
// library, tests left out. Packages of a layer do not import each other, unless
// the layer names itself.
type layer struct {
	name     string
	packages []string // folders from the root of the repository, with the wildcards of path.Match
	layers   []string // names of others
	outside  []string // other modules' packages: a path, or with a slash at the end all below it
}

const command = "cmd/lessgc/internal/"

// layers hold every package of every module. Data flows one way: what measures
// does not render, what computes knows nothing of how it is shown, and what
// renders reads what has been computed.
var layers = []layer{
	// What users import.
	{name: "ground", packages: []string{"internal/checked", "internal/outline", "internal/untyped", "internal/alloctest", "internal/panictest"}},
	{name: "libraries", packages: []string{"arena", "pool"}, layers: []string{"ground"}},
	{name: "heap dumps", packages: []string{"internal/heapdump"}},
	{name: "on arenas", packages: []string{"arena/abytes", "arena/amap", "arena/audit", "arena/deep"}, layers: []string{"ground", "libraries", "heap dumps"}},
	{name: "indices", packages: []string{"arena/index"}, layers: []string{"ground"}},
	{name: "pipelines", packages: []string{"seq"}},
	{name: "figures of methods", packages: []string{"internal/methods"}},
	{name: "control groups", packages: []string{"internal/cgroup"}},
	{name: "figures of pacing", packages: []string{"internal/pacing"}},
	{name: "pacing", packages: []string{"pace"}, layers: []string{"control groups", "figures of pacing"}},
	{name: "live", packages: []string{"live"}, layers: []string{"figures of methods", "figures of pacing"}},
	{name: "between decoding and serving", packages: []string{"rpc/internal/lent"}, layers: []string{"libraries"}, outside: []string{"google.golang.org/protobuf/proto"}},
	{name: "decoding", packages: []string{"rpc/arenapb"}, layers: []string{"ground", "libraries", "between decoding and serving"}, outside: []string{"google.golang.org/protobuf/"}},
	{name: "serving", packages: []string{"rpc/arenagrpc"}, layers: []string{"ground", "libraries", "figures of methods", "between decoding and serving", "decoding"},
		outside: []string{"google.golang.org/protobuf/proto", "google.golang.org/grpc", "google.golang.org/grpc/"}},
	{name: "messages", packages: []string{"rpc/internal/testpb", "rpc/internal/hybridpb", "rpc/internal/opaquepb"}, outside: []string{"google.golang.org/protobuf/"}},

	// What looks after the repository.
	{name: "upkeep", packages: []string{"internal/importrules", "internal/rehome", "internal/skips", "internal/longtest"}},

	// The rules of vet.
	{name: "rule helpers", packages: []string{"vet/internal/*", "vet/internal/flow/*"}, layers: []string{"rule helpers"}, outside: []string{"golang.org/x/tools/"}},
	{name: "rules", packages: []string{"vet/arena*", "vet/pool*", "vet/freenotdeferred", "vet/heappointer", "vet/lessgc*", "vet/rpcescape"},
		layers: []string{"rule helpers"}, outside: []string{"golang.org/x/tools/go/"}},
	{name: "suite", packages: []string{"vet"}, layers: []string{"rule helpers", "rules"}, outside: []string{"golang.org/x/tools/go/analysis", "golang.org/x/tools/go/analysis/"}},
	{name: "suite's doors", packages: []string{"vet/cmd/lessgc-vet", "vet/golangci"}, layers: []string{"rule helpers", "suite"},
		outside: []string{"golang.org/x/tools/go/analysis", "github.com/golangci/plugin-module-register/"}},

	// The command: what all of it uses,
	{name: "guards", packages: []string{command + "input", command + "local", command + "rooted", command + "secret", command + "version", command + "visible"}},
	{name: "addresses", packages: []string{command + "endpoint"}, layers: []string{"guards"}},
	{name: "locks", packages: []string{command + "lockfile", command + "scratch"}, layers: []string{"locks"}, outside: []string{"golang.org/x/sys/"}},
	{name: "progress", packages: []string{command + "progress"}, layers: []string{"guards"}},
	{name: "executables", packages: []string{command + "executable"}},
	// what runs and measures,
	{name: "processes", packages: []string{command + "procgroup", command + "gctrace", command + "mode"}, layers: []string{"guards"}},
	{name: "upgrades", packages: []string{command + "upgrade"}, layers: []string{"processes"}},
	{name: "builds", packages: []string{command + "build", command + "escape"}, layers: []string{"guards", "locks", "processes", "builds"}},
	{name: "differential checks", packages: []string{command + "differ", command + "differ/harness"}, outside: []string{"golang.org/x/tools/go/"}},
	{name: "trials", packages: []string{command + "trial", command + "trial/countertest", command + "turns"}, layers: []string{"processes"}, outside: []string{"golang.org/x/sys/"}},
	{name: "isolation", packages: []string{command + "offline"}, outside: []string{"golang.org/x/sys/"}},
	{name: "timed regions", packages: []string{command + "timed", command + "timed/region"}},
	{name: "load", packages: []string{command + "load", command + "load/probe"}, layers: []string{"guards", "processes"},
		outside: []string{"google.golang.org/grpc", "google.golang.org/grpc/", "google.golang.org/protobuf/", "github.com/HdrHistogram/hdrhistogram-go"}},
	{name: "counters", packages: []string{command + "coverage"}, layers: []string{"guards"}},
	{name: "profiles", packages: []string{command + "prof"}, layers: []string{"counters"}, outside: []string{"github.com/google/pprof/profile"}},
	{name: "collecting", packages: []string{command + "collect"}, layers: []string{"guards", "addresses", "live", "processes", "builds", "trials", "profiles", "counters"},
		outside: []string{"github.com/google/pprof/profile", "golang.org/x/perf/benchfmt"}},
	{name: "fleets", packages: []string{command + "fleet"}, layers: []string{"guards", "profiles"},
		outside: []string{"github.com/google/pprof/profile", "google.golang.org/protobuf/encoding/protowire"}},
	{name: "curves", packages: []string{command + "curve"}},
	{name: "watching", packages: []string{command + "watch"}, layers: []string{"curves", "guards", "addresses", "processes", "live"}},
	{name: "results", packages: []string{command + "session"}, layers: []string{"control groups", "guards", "locks", "processes", "executables", "upgrades"}, outside: []string{"golang.org/x/perf/benchfmt"}},
	{name: "vet runs", packages: []string{command + "vetrun"}, layers: []string{"guards", "locks", "processes", "suite"},
		outside: []string{"golang.org/x/tools/go/analysis", "golang.org/x/tools/go/analysis/checker", "golang.org/x/tools/go/packages", "github.com/rogpeppe/go-internal/diff", "github.com/rogpeppe/go-internal/lockedfile"}},
	// what computes,
	{name: "statistics", packages: []string{command + "stats"}, outside: []string{"github.com/aclements/go-moremath/mathx"}},
	{name: "verdicts", packages: []string{command + "verdict"}, layers: []string{"guards", "processes", "executables", "upgrades", "results", "statistics"},
		outside: []string{"github.com/HdrHistogram/hdrhistogram-go"}},
	{name: "runs", packages: []string{command + "runs"}, layers: []string{"guards", "processes", "results", "verdicts"}},
	{name: "histories", packages: []string{command + "history"}, layers: []string{"guards", "locks", "results", "verdicts"}},
	{name: "ceilings", packages: []string{command + "ceiling"}, layers: []string{"profiles"}},
	{name: "sites", packages: []string{command + "site", command + "flame"}, layers: []string{"profiles", "ceilings"}},
	{name: "repeated work", packages: []string{command + "repeats", command + "repeats/record"}, layers: []string{"guards", "processes", "builds", "trials", "profiles", "sites"}},
	{name: "boards", packages: []string{command + "board"}, layers: []string{"guards"}},
	{name: "levers", packages: []string{command + "lever"}, layers: []string{"profiles", "sites", "boards"}, outside: []string{"golang.org/x/tools/go/"}},
	{name: "advice", packages: []string{command + "advice"}, layers: []string{"guards", "profiles", "watching", "ceilings", "sites", "levers"}},
	{name: "sources", packages: []string{command + "source"}, layers: []string{"guards", "builds", "profiles", "sites", "repeated work", "levers", "advice"},
		outside: []string{"github.com/google/pprof/profile"}},
	{name: "differences", packages: []string{command + "diff"}, layers: []string{"guards", "profiles", "watching", "ceilings", "sites", "advice"}},
	{name: "attempts", packages: []string{command + "attempt"}, layers: []string{"guards", "verdicts", "advice"}},
	// what renders,
	{name: "renderings", packages: []string{command + "render", command + "sarif"},
		layers:  []string{"guards", "watching", "vet runs", "verdicts", "runs", "histories", "ceilings", "sites", "levers", "advice", "differences", "curves", "attempts", "boards"},
		outside: []string{"golang.org/x/perf/benchmath", "golang.org/x/perf/benchunit", "golang.org/x/tools/go/analysis"}},
	{name: "spreading", packages: []string{command + "spread"}, layers: []string{"guards"}},
	// and what joins them.
	{name: "experiments", packages: []string{command + "compare"}, layers: []string{"guards", "locks", "progress", "executables", "processes", "upgrades", "builds", "trials", "timed regions", "load", "collecting", "results", "statistics", "verdicts"},
		outside: []string{"github.com/HdrHistogram/hdrhistogram-go", "golang.org/x/perf/benchfmt", "golang.org/x/perf/benchproc"}},
	{name: "applying", packages: []string{command + "apply"},
		layers:  []string{"guards", "locks", "progress", "processes", "builds", "trials", "profiles", "results", "verdicts", "sites", "levers", "advice", "sources", "attempts", "differential checks", "isolation", "vet runs"},
		outside: []string{"golang.org/x/perf/benchfmt", "golang.org/x/tools/go/ast/astutil"}},
	{name: "observing", packages: []string{command + "observe", command + "observe/probe"},
		layers: []string{"guards", "live", "progress", "processes", "builds", "trials", "timed regions", "watching", "results", "curves", "experiments"}},
	{name: "command", packages: []string{"cmd/lessgc"},
		layers: []string{"control groups", "statistics", "curves", "observing", "guards", "addresses", "progress", "processes", "upgrades", "builds", "trials", "load", "profiles", "collecting", "fleets", "watching", "results", "vet runs", "suite",
			"verdicts", "runs", "histories", "sites", "repeated work", "levers", "advice", "sources", "differences", "renderings", "spreading", "experiments", "boards", "attempts", "applying", "locks", "isolation"},
		outside: []string{"golang.org/x/term"}},

	// What shows and compares.
	{name: "workloads", packages: []string{"workloads/*", "workloads/*/*"}, layers: []string{"libraries", "pipelines"},
		outside: []string{"golang.org/x/net/html", "golang.org/x/net/html/"}},
	{name: "examples", packages: []string{"examples/users", "examples/users/*"}, layers: []string{"libraries", "live", "serving", "examples"},
		outside: []string{"google.golang.org/grpc", "google.golang.org/grpc/", "google.golang.org/protobuf/"}},
	{name: "figures of services", packages: []string{"bench/internal/cputime", "bench/internal/plot", "bench/internal/service", "bench/internal/vetting"}, layers: []string{"figures of services"}},
	{name: "guards of services", packages: []string{"bench/internal/guards", "bench/internal/box"}, layers: []string{"pacing", "figures of services"},
		outside: []string{"github.com/KimMachineGun/automemlimit/memlimit"}},
	{name: "rivals", packages: []string{"bench", "bench/*", "bench/arenas/*", "bench/foreign/*", "bench/pipelines/*", "bench/protobuf/*", "bench/structures/*"}, layers: []string{"pacing", "live", "figures of services", "guards of services"},
		outside: []string{"google.golang.org/protobuf/", "github.com/bufbuild/protocompile", "github.com/planetscale/vtprotobuf/", "golang.org/x/perf/", "golang.org/x/tools/txtar",
			"k8s.io/api/", "k8s.io/apimachinery/", "sigs.k8s.io/yaml"}}, // jobrun
}
