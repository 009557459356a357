package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/compare"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/spread"
	"lessgc/cmd/lessgc/internal/version"
)

const ciHelp = `usage: lessgc ci github|gitlab|kubernetes [flags] -- [flags and packages of lessgc compare]

Ci prints a file that runs one comparison on several machines: a workflow of GitHub
Actions, jobs of GitLab CI, or Jobs of Kubernetes. Each machine measures a shard, which is
whole rounds; a last job merges them (lessgc report), and its status is that of -fail-on.
What stands behind -- is passed on as it is: no shell expands anything in it.

-from says where machines get lessgc: PATH@VERSION for go install, the address of a clone
(https://HOST/PATH#REVISION), a folder of the checkout such as . or ./tools/lessgc, or
image, if the image or the machine has it. docs/spreading.md has more.

  lessgc ci github -from https://git.example.com/lessgc#v1.2.0 -- -base origin/main -fail-on 'cpu worse' ./...
  lessgc ci github -shards 8 -runner self-hosted,amd -runner self-hosted,intel -from . -- ./codec
  lessgc ci gitlab -go 1.26 -from . -- -mode gogc=50,100,200 ./codec
  lessgc ci kubernetes -image registry.example.com/codec:1 -shards 8 -cpus 4 -- -mode toolchain=go1.26.8,go1.27.3 .
  lessgc ci kubernetes -image codec:1 -runner kubernetes.io/arch=amd64 -- -bench Decode ./codec

Exit status: 0 done; 2 a flag is wrong, or holds what the file could not pass on.
`

// ciFlags are the flags of ci as given.
type ciFlags struct {
	name    string
	shards  int
	image   string
	goLine  string
	runners list
	from    string
	cpus    int
	memory  string
	claim   string
}

func (f *ciFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.name, "name", "lessgc", "`name` of the workflow, the jobs or the Job")
	fs.IntVar(&f.shards, "shards", 6, "`number` of machines, 2 to 200")
	fs.StringVar(&f.image, "image", "", "container `IMAGE` that jobs run in; for kubernetes needed (default: none; gitlab: that of Go)")
	fs.StringVar(&f.goLine, "go", "", "`VERSION` of Go, such as 1.26 (default: github: that of go.mod; others: 1.26)")
	fs.Var(&f.runners, "runner", "`LABEL` of machines, or several with commas between them; of nodes KEY=VALUE.\n"+
		"Repeatable, for machines of several kinds: shards are dealt out to them in turn")
	fs.StringVar(&f.from, "from", "", "`SOURCE` of lessgc: PATH@VERSION, https://HOST/PATH#REVISION, ./FOLDER or image\n"+
		"(default: the module that this lessgc is of; kubernetes: image)")
	fs.IntVar(&f.cpus, "cpus", 2, "kubernetes: `number` of whole CPUs of a shard")
	fs.StringVar(&f.memory, "memory", "4Gi", "kubernetes: memory `SIZE` of a shard, such as 4Gi or 512Mi")
	fs.StringVar(&f.claim, "claim", "", "kubernetes: `NAME` of an existing PersistentVolumeClaim for the results (default: a new one)")
}

func runCI(_ context.Context, e *env, args []string) int {
	var f ciFlags
	fs := flag.NewFlagSet("ci", flag.ContinueOnError)
	f.register(fs)
	flags, service := args, ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		service, flags = args[0], args[1:]
	}
	forCompare := []string(nil)
	if i := slices.Index(flags, "--"); i >= 0 {
		flags, forCompare = flags[:i], flags[i+1:]
	}
	if status, done := e.parse(fs, ciHelp, flags); done {
		return status
	}
	switch {
	case service == "":
		return e.fail(fmt.Errorf("name the service first: lessgc ci %s", strings.Join(spread.Services, "|")))
	case fs.NArg() > 0:
		return e.fail(fmt.Errorf("flags and packages of compare stand behind --: lessgc ci %s -- %s", service, fs.Arg(0)))
	}
	plan, err := f.plan(fs, service, forCompare)
	if err != nil {
		return e.fail(err)
	}
	plan.Command = append([]string{"ci"}, args...)
	var file bytes.Buffer
	if err := spread.Write(&file, plan); err != nil {
		return e.fail(err)
	}
	if _, err := file.WriteTo(e.stdout); err != nil {
		return e.fail(err)
	}
	return exitClean
}

// plan checks the flags and makes a plan of them.
func (f *ciFlags) plan(fs *flag.FlagSet, service string, args []string) (*spread.Plan, error) {
	p := &spread.Plan{
		Service: service, Name: f.name, Shards: f.shards, Image: f.image, Go: strings.TrimPrefix(f.goLine, "go"),
		Runners: f.runners, CPUs: f.cpus, Memory: f.memory, Claim: f.claim,
	}
	kubernetes := service == spread.Kubernetes
	wrong := error(nil)
	fs.Visit(func(g *flag.Flag) {
		if !kubernetes && slices.Contains([]string{"cpus", "memory", "claim"}, g.Name) {
			wrong = fmt.Errorf("-%s is for kubernetes; runners of %s are as large as they are", g.Name, service)
		}
	})
	if wrong == nil && service == spread.GitLab && f.image != "" && f.goLine != "" {
		wrong = errors.New("-image holds Go: leave out -go, or -image")
	}
	if wrong != nil {
		return nil, wrong
	}
	from := f.from
	if from == "" && kubernetes {
		from = "image"
	}
	v := version.Get()
	var err error
	if p.From, err = spread.ParseSource(from, v.Module, v.Version); err != nil {
		return nil, err
	}
	p.Compare, p.FailOn, err = shardArgs(args)
	return p, err
}

// notOfShards says why a flag of compare cannot be one of a shard.
var notOfShards = map[string]string{
	"resume":   "goes on with a folder of one machine; let the service run the job again",
	"o":        "names a folder; the file chooses one for each shard",
	"shard":    "is set by the file for each machine; -shards N before -- says how many there are",
	"upgrade":  "takes the changes of a toolchain back one by one, on one machine; compare two toolchains, with -mode toolchain=OLD,NEW",
	"json":     "says how one machine prints; give it to lessgc report with the folders of all shards",
	"markdown": "says how one machine prints; the report of all shards is in the form that the service shows",
	"plot":     "says how one machine prints; give it to lessgc report with the folders of all shards",
}

// shardArgs checks the arguments of compare, and takes the conditions of -fail-on out of them.
func shardArgs(args []string) (shard, failOn []string, err error) {
	var f compareFlags
	fs := flag.NewFlagSet("compare", flag.ContinueOnError)
	f.register(fs)
	behind := []string(nil) // -args and what is for the test binaries
	if i := slices.IndexFunc(args, func(a string) bool { return a == "-args" || a == "--args" }); i >= 0 {
		args, behind = args[:i], args[i:]
	}
	fs.SetOutput(new(bytes.Buffer))
	fs.Usage = func() {}
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil, nil, errors.New("lessgc help compare lists what may stand behind --")
	} else if err != nil {
		if hint := foreignFlag("compare", err); hint != "" {
			return nil, nil, errors.New(hint)
		}
		return nil, nil, fmt.Errorf("behind --: %w; lessgc compare -h lists the flags", err)
	}
	if err := f.fitShards(fs); err != nil {
		return nil, nil, err
	}
	if hidden := mode.HideArgs(slices.Concat([]string{"compare"}, args, behind)); !slices.Equal(hidden[1:], slices.Concat(args, behind)) {
		return nil, nil, errors.New("what stands behind -- holds a secret, and the file would show it; set it in the environment of the jobs instead")
	}
	for _, c := range f.show.conditions {
		if slices.Contains(byTheClock, c.Metric) && f.turns {
			shard = append(shard, "-turns=false") // compare would do so by itself if it saw the condition
			break
		}
	}
	shard = append(shard, without(fs, args, "fail-on")...)
	return append(shard, behind...), f.show.failOn, nil
}

// fitShards checks what can be checked on a machine that need not have the code.
func (f *compareFlags) fitShards(fs *flag.FlagSet) error {
	var only flag.FlagSet // what says how to show a report
	f.show.register(&only)
	var wrong error
	fs.Visit(func(g *flag.Flag) {
		why := notOfShards[g.Name]
		if why == "" && only.Lookup(g.Name) != nil && g.Name != "fail-on" {
			why = "is about the report; give it to lessgc report with the folders of all shards"
		}
		if why != "" && wrong == nil {
			wrong = fmt.Errorf("-%s does not go with shards: it %s", g.Name, why)
		}
	})
	if wrong != nil {
		return wrong
	}
	if f.rounds != 0 && f.rounds < compare.MinRounds {
		return fmt.Errorf("-rounds %d: at least %d rounds are needed for a 95 %% interval", f.rounds, compare.MinRounds)
	}
	for _, s := range f.modes {
		if _, err := mode.Parse(s); err != nil {
			return err
		}
	}
	if i := slices.IndexFunc(fs.Args(), func(p string) bool { return strings.HasPrefix(p, "-") }); i >= 0 {
		return fmt.Errorf("flags go before packages: move %s to the front", fs.Arg(i))
	}
	return f.show.check()
}

// without returns arguments that fs has parsed, without a flag and its values.
func without(fs *flag.FlagSet, args []string, drop string) []string {
	var kept []string
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		if args[0] == "--" {
			args = args[1:]
			break
		}
		name, _, hasValue := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(args[0], "-"), "-"), "=")
		n := 1
		if b, ok := fs.Lookup(name).Value.(interface{ IsBoolFlag() bool }); !hasValue && (!ok || !b.IsBoolFlag()) {
			n = 2
		}
		if name != drop {
			kept = append(kept, args[:n]...)
		}
		args = args[n:]
	}
	return append(kept, args...)
}
