// Lessgc shows where Go code pays for memory, and whether a remedy pays.
//
// This manual holds what lessgc help prints for each subcommand. What stands in
// a result folder is described in package session and in docs/measuring.md.
//
// # lessgc compare
//
//	usage: lessgc compare [flags] [packages] [-args arguments of the test binaries]
//
//	Compare builds Go benchmarks in several modes, runs them in turn in random
//	order, and says for each mode whether it is better, worse, the same, or unclear.
//	Without -mode it compares the published four: oldgc, greentea, arenas and
//	arenas+greentea.
//
//	  lessgc compare ./...                                 the four modes
//	  lessgc compare -mode gogc=50,100,200,400 ./codec     a GOGC curve
//	  lessgc compare -mode toolchain=go1.26.8,go1.27.3 .   two toolchains
//	  lessgc compare -upgrade go1.27.3 ./...               the next toolchain, and which change of it causes what
//	  lessgc compare -mode oldgc -mode 'big: GOGC=400 GOMEMLIMIT=1GiB' .
//	  lessgc compare -base main -bench Decode ./codec      code against revision main
//	  lessgc compare -col /strategy ./workloads/filterchain
//	  lessgc compare -exec './cmd/import -n 1000'          a whole program
//	  lessgc compare -load ./examples/users/load.json      a gRPC server under load
//	  lessgc compare -base main -fail-on 'cpu worse' .     a gate for CI
//	  lessgc compare -base main -profiles -bench Decode .  then lessgc diff DIR says why
//	  lessgc compare -resume DIR -rounds 30                more rounds for DIR
//
//	Exit status: 0 done; 1 a condition of -fail-on holds; 2 something could not be
//	measured (the rest is reported).
//
//	Flags:
//
//	  -base REV
//	            compare git revision REV with the working tree
//	  -baseline name
//	            name of the mode that the others are compared with (default the first; of gogc=..., 100)
//	  -bench REGEXP
//	            run the benchmarks that match REGEXP, as go test -bench does; with -load the requests whose names match (default ".")
//	  -col /key
//	            also compare by a /key of the benchmark names: with /impl, the impl that a benchmark has first is the baseline of its others
//	  -decide UNIT
//	            a UNIT of CPU time that the benchmarks report, as server-cpu-ns/op, which decides instead of the process's:
//	            of a server that they start, or of their loop without what is before it
//	  -duet
//	            with -base: run both versions at once, each on one CPU
//	  -exec COMMAND
//	            compare a whole program: a COMMAND line that starts with a Go package
//	  -fail-on CONDITION
//	            exit with 1 if CONDITION holds, repeatable: [geomean] METRIC VERDICT [or VERDICT] [> N%], as 'cpu worse or unclear',
//	            'allocs worse > 5%', 'geomean cpu worse', 'any worse'. METRIC is cpu, wall, instructions, allocs, bytes, rss, gc, gc-cpu,
//	            stw, pause, goal, throughput, with -load p50 to p99.9, max, rate, full-cpu, any unit that a benchmark reports, or any;
//	            VERDICT is better, worse, same or unclear
//	  -json
//	            print report.json instead of tables
//	  -load FILE
//	            compare a gRPC or HTTP server under load, as a FILE says; docs/measuring.md describes it
//	  -margin percentage
//	            differences up to this percentage count as the same (default 3%)
//	  -markdown
//	            print Markdown for a pull request instead of tables
//	  -mode MODE
//	            a MODE to compare, repeatable: a preset (default, oldgc, greentea, arenas, arenas+greentea),
//	            gogc=50,100,..., memlimit=..., toolchain=..., pgo=FILE, gomaxprocs=..., goamd64=...,
//	            or 'name: GOEXPERIMENT=x GOGC=200 tags=y ANY_VARIABLE=z'
//	  -o folder
//	            folder for the results (default a new one in lessgc-results)
//	  -plot
//	            print bar charts as well
//	  -procs int
//	            GOMAXPROCS of every trial (default: all CPUs)
//	  -profiles
//	            after the rounds, take CPU and allocation profiles of each benchmark, for lessgc diff (-load always takes some)
//	  -relink
//	            link binaries that differ again and again, with their functions in another order each time (default true)
//	  -resume folder
//	            go on with the results in folder; with -rounds, up to that many.
//	            It builds and runs what the folder names, so resume only a folder you trust as you trust code
//	  -rounds n
//	            n rounds after the warm-up, at least 6 (default: until CPU time is clear in each row, or -time is over)
//	  -seed seed
//	            seed of the random order (default: a new one)
//	  -tags tags
//	            comma-separated build tags of all modes
//	  -tests WHICH
//	            with -base: WHICH test files both versions run: new, base or own (default: the new ones if they build
//	            with the old code, else those of the base revision if they build with the new code, else their own)
//	  -time duration
//	            longest total duration (default 5m for the rounds, without what comes before them)
//	  -timeout duration
//	            longest duration of one trial (default 10m0s)
//	  -trial duration
//	            least duration of one trial; with -load, of each loop (default what FILE says) (default 200ms)
//	  -turns
//	            on Linux, have the processes of a round take turns of 10ms on one CPU, where they only compute (default true)
//	  -upgrade TOOLCHAIN
//	            compare the toolchain in use here with a newer TOOLCHAIN, such as go1.27.3, and with that without each change of
//	            its defaults that GOEXPERIMENT can take back, to say which change causes which difference
//
// # lessgc advise
//
//	usage: lessgc advise [flags] PROFILE... | FOLDER | ADDRESS | PACKAGE...
//
//	Advise says what part of a program's CPU time goes to allocation and garbage
//	collection, which no lever can save more than, and which lines of your own code
//	cause it; why the compiler puts it on the heap; and which lever would save how much.
//	It reads CPU profiles and profiles of allocations (heap or allocs), also all of a
//	folder that it has written, or takes them: of a service that serves net/http/pprof,
//	without what it spends on being asked, of a fleet whose profiles Parca or Grafana
//	Pyroscope keep, or of benchmarks, without what they set up.
//	ADDRESS is host:port, or the URL of the service or of its page of pprof. LESSGC_STORE_TOKEN and
//	LESSGC_STORE_TENANT are the bearer token and the tenant for a store.
//
//	  lessgc advise cpu.pb.gz allocs.pb.gz
//	  lessgc advise -for 30s localhost:6060
//	  lessgc advise -bench Decode ./codec
//	  lessgc advise -bench Decode -frontier 1m ./codec    what collecting costs, at each GOGC
//	  lessgc advise -load load.json -limit 512MiB         the same of a server under load
//	  lessgc advise -parca http://localhost:7070 -query '{job="checkout"}' -range -1h
//	  lessgc advise -paths -n 5 cpu.pb.gz heap.pb.gz     with what the lines call
//	  lessgc advise -explain presize-map                 what a lever is, and when it is wrong
//
//	Exit status: 0 done; 2 something could not be read or taken.
//
//	Flags:
//
//	  -bench REGEXP
//	            run the benchmarks of the packages that match REGEXP, as go test -bench does
//	  -benchtime duration
//	            duration of each benchmark, for CPU time; a fifth for allocations (default 5s)
//	  -exec COMMAND
//	            the whole program that -frontier runs: a COMMAND line that starts with a Go package; its profiles are the arguments
//	  -explain NAME
//	            print what the rule of lever NAME looks for, and when it is wrong; list prints all names
//	  -for duration
//	            sample a service for this duration (default 30s)
//	  -frontier duration
//	            with -bench, -exec or -load: measure for this duration what collecting costs,
//	            and what each GOGC saves and takes (default 1m with -exec, 3m with -load)
//	  -json
//	            print everything as JSON instead of tables
//	  -levers
//	            say what would help, from the source around each line (default true)
//	  -limit SIZE
//	            with -frontier: say what GOGC=off saves with a memory limit of this SIZE, such as 512MiB
//	  -load FILE
//	            the server that -frontier puts under load, as a FILE of lessgc compare says, which also takes its profiles
//	  -markdown
//	            print Markdown for an issue or a pull request instead of tables
//	  -module path
//	            count packages below this import path as yours, repeatable (default the module of the current folder)
//	  -n n
//	            show n lines of code (default 15)
//	  -o folder
//	            folder for the results (default a new one in lessgc-results)
//	  -parca ADDRESS
//	            take profiles of a fleet from the Parca at ADDRESS
//	  -paths
//	            show what each line calls, down to what allocates
//	  -pyroscope ADDRESS
//	            take profiles of a fleet from the Grafana Pyroscope at ADDRESS
//	  -query LABELS
//	            with -parca or -pyroscope: LABELS of the service, such as '{service_name="checkout"}'
//	  -range RANGE
//	            with -parca or -pyroscope: the RANGE of time, such as -2h..-1h, or two times of RFC 3339 (default "-1h")
//	  -reasons
//	            say why each line allocates; the first time this compiles the packages of those lines once more (default true)
//
// # lessgc tune
//
//	usage: lessgc tune [flags] ADDRESS | FILE | PACKAGE...
//
//	Tune observes a program once, at the setting that it has, and predicts what it takes
//	at others: GC CPU, all CPU, peak memory and collections for GOGC from 25 to 1600 and
//	for memory limits, each with an interval that is to hold 90 of 100 measurements; the memory
//	limit below which the collector spirals; and the setting to choose. It observes a
//	service that serves lessgc/live, benchmarks, a program or a server under load, or reads a recording of
//	lessgc watch, the lines of GODEBUG=gctrace=1, or a tune.json to predict from again.
//	docs/tuning.md has the model, and where it fails.
//
//	  lessgc tune -for 60s localhost:6060                    a running service
//	  lessgc tune -bench Decode ./codec                      a benchmark
//	  lessgc tune -bench Decode -prove ./codec               and measure what was predicted
//	  lessgc tune -exec './cmd/import -n 1000'               a whole program
//	  lessgc tune -load load.json -time 20s                  a server under load
//	  lessgc tune -memory 2GiB -replicas 30 service.jsonl    a recording of lessgc watch -o
//	  lessgc tune -gogc 200 -limit 512MiB gctrace.txt        lines of GODEBUG=gctrace=1
//	  lessgc tune -memory 4GiB seen/tune.json                what tune -o seen observed
//
//	Exit status: 0 done; 2 something could not be observed or measured.
//
//	Flags:
//
//	  -bench REGEXP
//	            observe the benchmarks that match REGEXP, as go test -bench does
//	  -cpu SIZE
//	            SIZE of memory that costs as much as one CPU (default "4GiB")
//	  -exec COMMAND
//	            observe a whole program: a COMMAND line that starts with a Go package
//	  -for duration
//	            observe a service for this duration (default 1m0s)
//	  -gogc percent
//	            GOGC of the process that wrote a file of gctrace, in percent; -1 for off (default 100)
//	  -interval duration
//	            ask it once per duration (default 1s)
//	  -json
//	            print tune.json instead of tables
//	  -limit SIZE
//	            also predict for this GOMEMLIMIT, a SIZE such as 512MiB; repeatable
//	  -load FILE
//	            observe a gRPC or HTTP server under load, as a FILE says; docs/measuring.md describes it
//	  -memory SIZE
//	            SIZE that the process may take, such as 2GiB: memory up to it costs nothing
//	            (default: memory costs what -cpu says, up to the limit of the container that tune runs in)
//	  -o folder
//	            folder for tune.json and the page (default a new one in lessgc-results with -prove, else none)
//	  -procs int
//	            GOMAXPROCS of what is started (default: all CPUs)
//	  -prove
//	            with -bench, -exec and -load: measure with lessgc compare what was predicted, at the recommended
//	            setting, the default and two more
//	  -record FILE
//	            FILE with the record of predictions and outcomes (default tune-record.jsonl in lessgc's folder of the user's configuration)
//	  -replicas number
//	            number of processes of the service, for what the fleet saves (default 1)
//	  -rounds n
//	            with -prove: n rounds, at least 6 (default 8)
//	  -tags tags
//	            comma-separated build tags
//	  -time duration
//	            run each benchmark, or put each load on a server, for this duration
//	            (default: benchmarks until they have some dozens of collections, 3s to 30s; a load as its file says)
//	  -timeout duration
//	            longest duration of a program or benchmark (default 10m0s)
//
// # lessgc watch
//
//	usage: lessgc watch [flags] ADDRESS
//
//	Watch shows what allocation and garbage collection do in a running service, window
//	by window: how fast it allocates, how often it collects and what that costs, how
//	long it stops, its heap, how far its memory limit is from having the collector run without
//	end, with an alarm when that is near, and of a gRPC server with arenas what each method does. It
//	reads lessgc/live, expvar (/debug/vars) or net/http/pprof, whichever the service has;
//	from lessgc/live it learns most. ADDRESS is host:port, the URL of the service, or that
//	of one of its pages under /debug: the figures are the same.
//	What only a collection tells (the collector's CPU time, pauses, live heap, goal) has no
//	value in a window without one.
//
//	  lessgc watch localhost:6060
//	  lessgc watch -web :0 http://localhost:6060/debug/pprof     as a page, too
//	  lessgc watch -for 10m -o before.jsonl http://host:6060     record, for lessgc diff
//	  lessgc watch -json -interval 5s http://host:6060/debug/lessgc
//
//	Exit status: 0 done, or interrupted; 2 something could not be read or written.
//
//	Flags:
//
//	  -for duration
//	            end after this duration (default when interrupted)
//	  -interval duration
//	            read the service once per duration (default 1s)
//	  -json
//	            print each window as a line of JSON
//	  -o FILE
//	            record everything in a new FILE, for lessgc diff
//	  -web ADDRESS
//	            serve a page with live charts at ADDRESS, such as :0 for any port of this machine
//
// # lessgc diff
//
//	usage: lessgc diff [flags] BEFORE AFTER
//	       lessgc diff [flags] DIR
//
//	Diff says what has changed between two states of a program: CPU time, allocated
//	bytes and what collection costs, by function and as flame graphs; and what the
//	runtime says of itself. BEFORE and AFTER are profiles (several with commas
//	between them), folders of lessgc advise or of the profiles in a folder of lessgc
//	compare, recordings of lessgc watch, addresses of services, or times of a store.
//	If BEFORE is a folder of advise, what that predicted of the levers that were taken
//	is set against what was measured. DIR is a folder of lessgc compare -profiles or -load with one
//	comparison in it; of more, it says how to name one.
//
//	  lessgc diff before.pprof after.pprof
//	  lessgc diff lessgc-results/20261121-101500 lessgc-results/20261122-093000
//	  lessgc diff -took preallocate@codec/x.go:12 before-folder after-folder
//	  lessgc diff DIR/profiles/oldgc/Decode DIR/profiles/greentea/Decode
//	  lessgc diff -requests 120000,118000 cpu1.pprof,allocs1.pprof cpu2.pprof,allocs2.pprof
//	  lessgc diff monday.watch tuesday.watch
//	  lessgc diff http://old:6060 http://new:6060
//	  lessgc diff -parca http://localhost:7070 -query '{job="checkout"}' -- -26h..-25h -2h..-1h
//
//	Exit status: 0 done; 2 something could not be read or taken.
//
//	Flags:
//
//	  -for duration
//	            sample a service for this duration (default 30s)
//	  -json
//	            print everything as JSON instead of tables
//	  -module path
//	            packages below this import path are yours in the flame graphs, repeatable (default the module of the current folder)
//	  -n n
//	            show n functions of each kind (default 15)
//	  -o folder
//	            folder for the results (default a new one in lessgc-results)
//	  -parca ADDRESS
//	            take profiles of a fleet from the Parca at ADDRESS
//	  -pyroscope ADDRESS
//	            take profiles of a fleet from the Grafana Pyroscope at ADDRESS
//	  -query LABELS
//	            with -parca or -pyroscope: LABELS of the service, such as '{service_name="checkout"}'
//	  -requests BEFORE,AFTER
//	            how many BEFORE,AFTER requests the profiles are of: values are per request then
//	  -took RULE@FILE:LINE
//	            the lever RULE@FILE:LINE of the advice for BEFORE was taken, or RULE of the whole program, repeatable
//	            (default the first of each line that is gone, or allocates at most half)
//
// # lessgc vet
//
//	usage: lessgc vet [flags] [packages]
//
//	Vet finds misuse of arenas and pools in packages and their tests (default ./...): memory
//	that is used after it went back, that goes back twice or never, or that is handed
//	out while another owner gets it. Each finding says what happens at run time, and many
//	can be repaired. A comment silences a rule on its own line and the next:
//	//lessgc:ignore RULE REASON.
//
//	  lessgc vet ./...
//	  lessgc vet -fix ./...                       repair what can be repaired
//	  lessgc vet -diff ./... | git apply          the same, to be looked at first
//	  lessgc vet -advice -notes ./...             what is slow, and what is worth knowing
//	  lessgc vet -rules poolalias,poolmissingput ./internal/...
//	  lessgc vet -rules lessgcrenamed -fix ./...  rename what a new release of lessgc has renamed
//	  lessgc vet -explain poolalias               what a rule finds, and why that is wrong
//	  lessgc vet -debug summary,state Pool.Get .  what the rules believe of a function
//	  lessgc vet -sarif vet.sarif ./...           for code hosts and editors
//	  GOEXPERIMENT=arenas lessgc vet ./...        code with the standard library's arenas, too
//
//	Exit status: 0 nothing found but notes; 1 errors or warnings found; 2 something could not
//	be looked at, such as a package that does not compile (the rest is reported).
//
//	Flags:
//
//	  -advice
//	            run the rules that advise, too: what is slower than it need be
//	  -api FILE
//	            FILE that says what functions do with pools and arenas; docs/vetting.md describes it
//	  -debug LIST
//	            print what the rules believe of a function, named before the packages: LIST of summary and state
//	  -diff
//	            only print what -fix would change
//	  -disable NAME,NAME
//	            do not run these rules: NAME,NAME
//	  -explain RULE
//	            print what RULE finds, and why that is wrong; list prints all names
//	  -fix
//	            change the source: apply the first fix of each finding
//	  -json
//	            print everything as JSON instead of text
//	  -notes
//	            tell also what is correct, and worth knowing
//	  -rules NAME,NAME
//	            run only these rules: NAME,NAME
//	  -sarif FILE
//	            also write everything to FILE as SARIF 2.1.0
//	  -tags tags
//	            build tags, as for go build
//	  -tests
//	            look at tests, too; if not, they are neither loaded nor compiled (default true)
//
// # lessgc report
//
//	usage: lessgc report [flags] DIR [DIR...]
//
//	Report reads the results of an earlier lessgc compare, whole or interrupted, and
//	judges them again. Several folders, up to 8, are set side by side, such as those of
//	two commits: what differs between the runs, and for each benchmark and metric what
//	each run says against its own baseline.
//
//	  lessgc report lessgc-results/20261121-101500
//	  lessgc report -html both.html MONDAY TUESDAY     runs side by side, as a page, too
//	  lessgc report -write -plot DIR       make the files in DIR again, draw bars
//	  lessgc report -fail-on 'cpu worse' DIR
//
//	Exit status: 0 done; 1 a condition of -fail-on holds; 2 something could not be
//	read or measured.
//
//	Flags:
//
//	  -fail-on CONDITION
//	            exit with 1 if CONDITION holds, repeatable: [geomean] METRIC VERDICT [or VERDICT] [> N%], as 'cpu worse or unclear',
//	            'allocs worse > 5%', 'geomean cpu worse', 'any worse'. METRIC is cpu, wall, instructions, allocs, bytes, rss, gc, gc-cpu,
//	            stw, pause, goal, throughput, with -load p50 to p99.9, max, rate, full-cpu, any unit that a benchmark reports, or any;
//	            VERDICT is better, worse, same or unclear
//	  -html FILE
//	            with several folders: also write a page to a new FILE
//	  -json
//	            print report.json instead of tables
//	  -markdown
//	            print Markdown for a pull request instead of tables
//	  -plot
//	            print bar charts as well
//	  -write
//	            write report.html, report.json, results.csv, summary.txt and tsv into DIR again
//
// # lessgc version
//
//	usage: lessgc version [flags]
//
//	Version says which lessgc this is: the version of its module, the revision it was built
//	from, the Go toolchain and the platform. The same line stands in all that lessgc writes.
//
//	  lessgc version
//	  lessgc version -json
//
//	Exit status: 0 done; 2 a flag is wrong.
//
//	Flags:
//
//	  -json
//	            print a JSON object
package main

//go:generate go test -run TestManual -update
