// Lessgc shows what allocation and garbage collection cost a Go program, and whether a change pays.
//
// This manual holds the help of each subcommand, as lessgc help prints it. What stands in
// a result folder is described in package session and in docs/measuring.md.
//
// # lessgc compare
//
//	usage: lessgc compare [flags] [packages] [-args arguments of the test binaries]
//
//	Compare builds Go benchmarks in several modes (toolchains, GOGC values, build tags,
//	git revisions), runs them interleaved, in random order, and reports for each mode
//	whether it is better, worse, the same, or unclear, with a 95 % interval. Without
//	-mode it compares oldgc, greentea, arenas and arenas+greentea.
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
//	  lessgc compare -base main -history perf.jsonl .      keep the result for lessgc report -history perf.jsonl
//	  lessgc compare -base main -profiles -bench Decode .  then lessgc diff DIR says why
//	  lessgc compare -resume DIR -rounds 30                more rounds for DIR
//	  lessgc compare -base main -shard 3/8 -o part3 .      one of eight machines; lessgc report part* takes them together
//
//	Exit status: 0 done; 1 a condition of -fail-on holds; 2 something could not be
//	measured (the rest is reported).
//
//	Flags:
//
//	  -badge FILE
//	            also write the answer to a new FILE, as JSON for an endpoint badge of shields.io
//	  -base REV
//	            compare git revision REV with the working tree
//	  -baseline name
//	            name of the mode that the others are compared with (default the first; of gogc=..., 100)
//	  -bench REGEXP
//	            run the benchmarks that match REGEXP, as go test -bench does; with -load the requests whose names match (default ".")
//	  -col /key
//	            also compare by a /key of the benchmark names: with /impl, each benchmark's first impl is the baseline of its others
//	  -decide UNIT
//	            decide by a CPU time UNIT that the benchmarks report, such as server-cpu-ns/op, instead of the process's:
//	            of a server that they start, or of their loop without what is before it
//	  -duet
//	            with -base: run both versions at once, each on one CPU
//	  -exec COMMAND
//	            compare a whole program: a COMMAND line that starts with a Go package
//	  -fail-on CONDITION
//	            exit with 1 if CONDITION holds, repeatable: [geomean] METRIC VERDICT [or VERDICT] [> N%], as 'cpu worse or unclear',
//	            'allocs worse > 5%', 'geomean cpu worse', 'any worse'. METRIC is cpu, wall, instructions, allocs, bytes, rss, gc, gc-cpu,
//	            stw, pause, goal, throughput, with -load p50 to p99.9, max, rate, full-cpu, any unit that a benchmark reports, or any;
//	            VERDICT is better, worse, same, unclear, or of several machines mixed
//	  -history FILE
//	            append the run as a line to FILE, once; report without a folder shows the course of the runs in it
//	  -json
//	            print report.json instead of tables
//	  -junit FILE
//	            also write a new FILE of JUnit XML: a test for each row, failed where -fail-on holds, skipped where it is unclear
//	  -load FILE
//	            compare a gRPC or HTTP server under load, described by FILE; see docs/measuring.md
//	  -margin percentage
//	            differences up to this percentage count as the same (default 3%)
//	  -markdown
//	            print Markdown for a pull request instead of tables
//	  -markdown-size n
//	            with -markdown: leave the least decisive lines out until there are at most n bytes, as many as GitHub takes
//	            of characters in a comment; a step summary takes 1048576 (default 65536)
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
//	            relink differing binaries repeatedly, in another function order each time, to average out code layout (default true)
//	  -resume folder
//	            continue the run in folder; with -rounds, up to that many.
//	            It builds and runs what the folder names, so resume only a folder you trust as you trust code
//	  -rounds n
//	            n rounds after the warm-up, at least 6 (default: until CPU time is clear in each row, or -time is over)
//	  -seed seed
//	            seed of the random order (default: a new one)
//	  -shard PART
//	            measure PART of a comparison that is spread over machines, such as 3/8, with 12 rounds unless -rounds says;
//	            auto takes it from LESSGC_SHARD, GitLab's CI_NODE_INDEX and CI_NODE_TOTAL, or, as auto/8, Kubernetes' JOB_COMPLETION_INDEX
//	  -tags tags
//	            comma-separated build tags of all modes
//	  -tests WHICH
//	            with -base: WHICH test files both versions run: new, base or own (default: the new ones if they build
//	            with the old code, else those of the base revision if they build with the new code, else their own)
//	  -time duration
//	            maximum total duration (default 5m for the rounds, builds and calibration not counted)
//	  -timeout duration
//	            maximum duration of one trial (default 10m0s)
//	  -trial duration
//	            minimum duration of one trial; with -load, of each loop (default: as in FILE) (default 200ms)
//	  -turns
//	            on Linux, let the processes of a round take turns of 10ms on one CPU, if they only compute (default true)
//	  -upgrade TOOLCHAIN
//	            compare the toolchain in use here with a newer TOOLCHAIN, such as go1.27.3, and with that without each change of
//	            its defaults that GOEXPERIMENT can take back, to say which change causes which difference
//
// # lessgc advise
//
//	usage: lessgc advise [flags] PROFILE... | FOLDER | ADDRESS | PACKAGE...
//
//	Advise reports the share of a program's CPU time that goes to allocation and garbage
//	collection, an upper bound on any saving; the lines of your own code that cause it;
//	why the compiler puts their values on the heap; and which lever would save how much.
//
//	It reads CPU and allocation profiles (heap or allocs), or a folder that it has
//	written. Or it takes them: from a service that serves net/http/pprof, from a fleet
//	whose profiles are in Parca or Grafana Pyroscope, or from benchmarks (their setup and
//	the cost of profiling are left out). ADDRESS is host:port, or the URL of the service
//	or of its pprof page. For a store, LESSGC_STORE_TOKEN is the bearer token and
//	LESSGC_STORE_TENANT the tenant.
//
//	  lessgc advise cpu.pb.gz allocs.pb.gz
//	  lessgc advise -for 30s localhost:6060
//	  lessgc advise -bench Decode ./codec
//	  lessgc advise -bench Decode -frontier 1m ./codec    the cost of GC at each GOGC
//	  lessgc advise -load load.json -limit 512MiB         the same for a server under load
//	  lessgc advise -parca http://localhost:7070 -query '{job="checkout"}' -range -1h
//	  lessgc advise -paths -n 5 cpu.pb.gz heap.pb.gz     with the callees of each line
//	  lessgc advise -explain presize-map                 where a lever applies, and when it is wrong
//
//	Exit status: 0 done; 2 a profile could not be read or taken.
//
//	Flags:
//
//	  -bench REGEXP
//	            run the benchmarks of the packages that match REGEXP, as go test -bench does
//	  -benchtime duration
//	            duration of each benchmark, for CPU time; a fifth for allocations (default 5s)
//	  -exec COMMAND
//	            program for -frontier: a COMMAND line that starts with a Go package; its profiles are the arguments
//	  -explain NAME
//	            explain lever NAME: where it applies, and when it is wrong; list prints all names
//	  -for duration
//	            sample a service for this duration (default 30s)
//	  -frontier duration
//	            with -bench, -exec or -load: measure for this duration the cost of GC at each GOGC,
//	            in CPU time and memory (default 1m with -exec, 3m with -load)
//	  -json
//	            print everything as JSON instead of tables
//	  -levers
//	            suggest levers, by the source around each line (default true)
//	  -limit SIZE
//	            with -frontier: report what GOGC=off saves with a memory limit of this SIZE, such as 512MiB
//	  -load FILE
//	            server to put under load and profile, also for -frontier: a load FILE, as for lessgc compare
//	  -markdown
//	            print Markdown for an issue or a pull request instead of tables
//	  -module path
//	            count packages below this import path as yours, repeatable (default the module of the current folder)
//	  -n n
//	            show the top n lines of code (default 15)
//	  -o folder
//	            folder for the results (default a new one in lessgc-results)
//	  -parca ADDRESS
//	            take profiles of a fleet from the Parca at ADDRESS
//	  -paths
//	            show the call paths from each line down to the allocation
//	  -pyroscope ADDRESS
//	            take profiles of a fleet from the Grafana Pyroscope at ADDRESS
//	  -query LABELS
//	            with -parca or -pyroscope: LABELS of the service, such as '{service_name="checkout"}'
//	  -range RANGE
//	            with -parca or -pyroscope: time RANGE, such as -2h..-1h, or two RFC 3339 times (default "-1h")
//	  -reasons
//	            explain why each line allocates; the first run recompiles the packages of those lines (default true)
//
// # lessgc apply
//
//	usage: lessgc apply [flags] [FOLDER | PACKAGE...]
//
//	Apply carries the advice of lessgc advise out: it makes each change that can be proved from
//	the source in a scratch checkout, builds, vets and tests it together with all packages of
//	the module that import it, and measures it in pairs. It keeps what takes less CPU time, or
//	allocates less with CPU time no worse, and takes back the rest. What it keeps are commits on a
//	new branch, one per change (one for the same change of functions that are alike), with the
//	line, the prediction, the measurement and the tests. Your files and your branches stay as
//	they are.
//
//	  lessgc apply -bench . ./...                     the module's benchmarks (default: of .)
//	  lessgc apply -bench Decode -dry-run ./codec     the changes, without trying them
//	  lessgc apply -bench Decode -w ./codec           also write what is kept into your files
//	  lessgc apply lessgc-results/20261128-101500     with the profiles of lessgc advise
//	  lessgc apply -load load.json                    a server under load, as for lessgc compare
//	  lessgc apply -resume DIR                        go on after an interrupt
//	  git log -p lessgc/apply-20261128-101500         what was kept
//
//	It runs your tests and benchmarks, as go test does. Exit status: 0 done, whether or not a
//	change was kept; 2 something could not be done.
//
//	Flags:
//
//	  -bench REGEXP
//	            benchmarks to profile and measure: those that match REGEXP, as go test -bench does (default all)
//	  -benchtime duration
//	            duration of the profile of each benchmark (default 3s)
//	  -branch name
//	            name of the new branch (default lessgc/apply-DATE)
//	  -differ duration
//	            call each changed function, old and new, with generated inputs for this duration; 0 to leave it out (default 3s)
//	  -dry-run
//	            print the changes with what they are predicted to save, and try none
//	  -exec COMMAND
//	            measure a whole program: a COMMAND line that starts with a Go package; its profiles are in FOLDER
//	  -json
//	            print everything as JSON instead of text
//	  -levers NAME,NAME
//	            only the changes of these levers: NAME,NAME; lessgc advise -explain list has the names
//	  -load FILE
//	            profile and measure a server under load: a load FILE, as for lessgc compare
//	  -n n
//	            try at most n changes (default 20)
//	  -o folder
//	            folder for the results (default a new one in lessgc-results)
//	  -patch FILE
//	            also write what is kept to FILE, for git am
//	  -resume folder
//	            go on with the run in folder. It builds and runs what the folder holds, so resume only a
//	            folder you trust as you trust code
//	  -short
//	            run the tests with -short
//	  -tags tags
//	            comma-separated build tags
//	  -test-timeout duration
//	            maximum duration of each run of the tests (default 10m0s)
//	  -time duration
//	            maximum duration of each comparison; it ends as soon as CPU time is clear (default 1m30s)
//	  -w        also write what is kept into your files
//
// # lessgc scoreboard
//
//	usage: lessgc scoreboard [flags]
//
//	Scoreboard shows, for each lever, how often lessgc apply has kept its change, and how often
//	the CPU time and the bytes that it saved were inside the predicted range: in public modules, which come
//	with lessgc, and in your own runs. Those are kept in a file, which LESSGC_SCOREBOARD names,
//	else scoreboard.jsonl in the folder lessgc of your configuration; nothing is sent anywhere.
//
//	  lessgc scoreboard
//	  lessgc scoreboard -own          only your own runs
//	  lessgc scoreboard -json         with each change
//
//	Exit status: 0 done; 2 the file could not be read.
//
//	Flags:
//
//	  -json
//	            print everything as JSON, with each change
//	  -own
//	            show your own runs only
//
// # lessgc tune
//
//	usage: lessgc tune [flags] ADDRESS | FILE | PACKAGE...
//
//	Tune observes a program once, at its present setting, and predicts others: GC CPU
//	time, total CPU time, peak memory and number of collections for GOGC from 25 to 1600
//	and for memory limits, each with a 90 % prediction interval; the memory limit below
//	which the collector spirals; and a recommended setting.
//
//	It observes a service that serves lessgc/live, benchmarks, a program, or a server
//	under load. Or it reads a recording of lessgc watch, the output of
//	GODEBUG=gctrace=1, or the tune.json of an earlier run. docs/tuning.md describes
//	the model and where it fails.
//
//	  lessgc tune -for 60s localhost:6060                    a running service
//	  lessgc tune -bench Decode ./codec                      a benchmark
//	  lessgc tune -bench Decode -prove ./codec               and check the prediction
//	  lessgc tune -exec './cmd/import -n 1000'               a whole program
//	  lessgc tune -load load.json -time 20s                  a server under load
//	  lessgc tune -memory 2GiB -replicas 30 service.jsonl    a recording of lessgc watch -o
//	  lessgc tune -gogc 200 -limit 512MiB gctrace.txt        output of GODEBUG=gctrace=1
//	  lessgc tune -memory 4GiB seen/tune.json                an earlier observation, from tune -o seen
//
//	Exit status: 0 done; 2 something could not be observed or measured.
//
//	Flags:
//
//	  -bench REGEXP
//	            observe the benchmarks that match REGEXP, as go test -bench does
//	  -cpu SIZE
//	            memory SIZE that costs as much as one CPU (default "4GiB")
//	  -exec COMMAND
//	            observe a whole program: a COMMAND line that starts with a Go package
//	  -for duration
//	            observe a service for this duration (default 1m0s)
//	  -gogc percent
//	            with a gctrace file: GOGC of its process, in percent; -1 for off (default 100)
//	  -interval duration
//	            read its metrics every duration (default 1s)
//	  -json
//	            print tune.json instead of tables
//	  -limit SIZE
//	            also predict for this GOMEMLIMIT, a SIZE such as 512MiB; repeatable
//	  -load FILE
//	            observe a gRPC or HTTP server under load, described by FILE; see docs/measuring.md
//	  -memory SIZE
//	            memory budget of the process, a SIZE such as 2GiB: memory up to it costs nothing
//	            (default: memory costs what -cpu says, up to the limit of the container that tune runs in)
//	  -o folder
//	            folder for tune.json and the page (default a new one in lessgc-results with -prove, else none)
//	  -procs int
//	            GOMAXPROCS of the observed process (default: all CPUs)
//	  -prove
//	            with -bench, -exec and -load: check the prediction with lessgc compare, at the recommended
//	            setting, the default and two more
//	  -record FILE
//	            FILE with the record of predictions and outcomes (default tune-record.jsonl in lessgc's folder of the user's configuration)
//	  -replicas number
//	            number of processes, for the savings of the whole fleet (default 1)
//	  -rounds n
//	            with -prove: n rounds, at least 6 (default 8)
//	  -tags tags
//	            comma-separated build tags
//	  -time duration
//	            run each benchmark, or put each load on a server, for this duration
//	            (default: benchmarks until they have some dozens of collections, 3s to 30s; a load as its file says)
//	  -timeout duration
//	            maximum duration of a program or benchmark (default 10m0s)
//
// # lessgc watch
//
//	usage: lessgc watch [flags] ADDRESS
//
//	Watch shows allocation and garbage collection in a running service, window by window:
//	allocation rate, collections and their CPU time, pauses, heap, and the room left under
//	its memory limit, with an alarm before the collector spirals; for a gRPC server with
//	arenas also each method. It reads lessgc/live, expvar (/debug/vars) or net/http/pprof,
//	whichever the service serves; lessgc/live has the most. ADDRESS is host:port, or the
//	URL of the service or of one of its /debug pages.
//
//	The collector's CPU time, pauses, live heap and goal are known at a collection only: a
//	window without one shows no value for them.
//
//	  lessgc watch localhost:6060
//	  lessgc watch -web :0 http://localhost:6060/debug/pprof     also as a web page
//	  lessgc watch -for 10m -o before.jsonl http://host:6060     record, for lessgc diff
//	  lessgc watch -json -interval 5s http://host:6060/debug/lessgc
//
//	Exit status: 0 done, or interrupted; 2 something could not be read or written.
//
//	Flags:
//
//	  -for duration
//	            stop after this duration (default: when interrupted)
//	  -interval duration
//	            read the service every duration (default 1s)
//	  -json
//	            print each window as a line of JSON
//	  -o FILE
//	            record to a new FILE, for lessgc diff and tune
//	  -web ADDRESS
//	            serve live charts at ADDRESS, such as :0 for any free port
//
// # lessgc diff
//
//	usage: lessgc diff [flags] BEFORE AFTER
//	       lessgc diff [flags] DIR
//
//	Diff shows what changed between two states of a program: CPU time, allocated bytes
//	and the cost of GC, by function and as flame graphs, and the runtime's metrics.
//	BEFORE and AFTER are profiles (several separated by commas), result folders of lessgc
//	advise, profile folders of lessgc compare, recordings of lessgc watch, addresses of
//	services, or time ranges of a profile store. If BEFORE is a folder of advise, its
//	predictions for the levers applied since are compared with the measurement. DIR is a
//	result folder of lessgc compare -profiles or -load.
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
//	Exit status: 0 done; 2 a profile could not be read or taken.
//
//	Flags:
//
//	  -for duration
//	            sample a service for this duration (default 30s)
//	  -json
//	            print everything as JSON instead of tables
//	  -module path
//	            mark packages below this import path as yours in the flame graphs, repeatable (default the module of the current folder)
//	  -n n
//	            show the top n functions of each kind (default 15)
//	  -o folder
//	            folder for the results (default a new one in lessgc-results)
//	  -parca ADDRESS
//	            take profiles of a fleet from the Parca at ADDRESS
//	  -pyroscope ADDRESS
//	            take profiles of a fleet from the Grafana Pyroscope at ADDRESS
//	  -query LABELS
//	            with -parca or -pyroscope: LABELS of the service, such as '{service_name="checkout"}'
//	  -requests BEFORE,AFTER
//	            number of requests, BEFORE,AFTER, that the profiles cover: values are then per request
//	  -took LEVER@FILE:LINE
//	            lever that was taken, as LEVER@FILE:LINE in the advice of BEFORE, or LEVER for one of the whole program; repeatable
//	            (default: the first lever of each line that is gone or allocates at most half)
//
// # lessgc vet
//
//	usage: lessgc vet [flags] [packages]
//
//	Vet finds misuse of arenas and pools in packages and their tests (default ./...): use
//	after free or put, double free or double put, a missing free or put, and memory that
//	outlives its owner. Each finding explains what happens at run time; many have a fix.
//	A comment //lessgc:ignore RULE REASON silences a rule on its own line and the next.
//
//	  lessgc vet ./...
//	  lessgc vet -fix ./...                       apply the suggested fixes
//	  lessgc vet -diff ./... | git apply          the same, for review first
//	  lessgc vet -advice -notes ./...             also advisory rules and notes
//	  lessgc vet -rules poolalias,poolmissingput ./internal/...
//	  lessgc vet -rules lessgcrenamed -fix ./...  follow renames in a new release of lessgc
//	  lessgc vet -explain poolalias               what a rule finds, and why it is a bug
//	  lessgc vet -debug summary,state Pool.Get .  what the analysis infers about a function
//	  lessgc vet -sarif vet.sarif ./...           for code hosts and editors
//	  GOEXPERIMENT=arenas lessgc vet ./...        also code that uses the standard library's arenas
//
//	Exit status: 0 no findings, or notes only; 1 errors or warnings found; 2 something could
//	not be checked, such as a package that does not compile (the rest is reported).
//
//	Flags:
//
//	  -advice
//	            also run advisory rules: pools that allocate, retain memory or hand on stale data; arenas that a panic loses
//	  -api FILE
//	            FILE that describes functions and types of other libraries; see docs/vetting.md
//	  -debug LIST
//	            print what the analysis infers about a function, named before the packages: LIST of summary and state
//	  -diff
//	            only print what -fix would change
//	  -disable NAME,NAME
//	            do not run these rules: NAME,NAME
//	  -explain RULE
//	            explain RULE; list prints all names
//	  -fix
//	            change the source: apply the first fix of each finding
//	  -json
//	            print everything as JSON instead of text
//	  -notes
//	            also report notes: code that is correct, but easy to break
//	  -rules NAME,NAME
//	            run only these rules: NAME,NAME
//	  -sarif FILE
//	            also write everything to FILE as SARIF 2.1.0
//	  -tags tags
//	            build tags, as for go build
//	  -tests
//	            also check tests; -tests=false does not load or compile them (default true)
//
// # lessgc report
//
//	usage: lessgc report [flags] DIR [DIR...]
//
//	Report reads the results of an earlier lessgc compare, complete or interrupted, and
//	evaluates them again. Several folders, up to 8, such as those of two commits, are
//	shown side by side: how the runs differ, and for each benchmark and metric the verdict
//	of each run against its own baseline. Those of the shards of one comparison, of which
//	some may be missing, are taken together: one report, about machines like these. With
//	-history and no folder: the course of the runs in that file, by commit.
//
//	  lessgc report lessgc-results/20261121-101500
//	  lessgc report -html both.html MONDAY TUESDAY     runs side by side, also as a page
//	  lessgc report -html all.html 'parts/*'          shards of compare -shard, together
//	  lessgc report -write -plot DIR                 write the files in DIR again, print bar charts
//	  lessgc report -fail-on 'cpu worse' -junit perf.xml DIR
//	  lessgc report -markdown -markdown-size 1048576 DIR >>"$GITHUB_STEP_SUMMARY"
//	  lessgc report -history perf.jsonl DIR          append the run to a history, if it is not in it
//	  lessgc report -history perf.jsonl -html perf.html
//
//	Exit status: 0 done; 1 a condition of -fail-on holds; 2 something could not
//	be read.
//
//	Flags:
//
//	  -badge FILE
//	            also write the answer to a new FILE, as JSON for an endpoint badge of shields.io
//	  -fail-on CONDITION
//	            exit with 1 if CONDITION holds, repeatable: [geomean] METRIC VERDICT [or VERDICT] [> N%], as 'cpu worse or unclear',
//	            'allocs worse > 5%', 'geomean cpu worse', 'any worse'. METRIC is cpu, wall, instructions, allocs, bytes, rss, gc, gc-cpu,
//	            stw, pause, goal, throughput, with -load p50 to p99.9, max, rate, full-cpu, any unit that a benchmark reports, or any;
//	            VERDICT is better, worse, same, unclear, or of several machines mixed
//	  -history FILE
//	            append the run as a line to FILE, once; report without a folder shows the course of the runs in it
//	  -html FILE
//	            also write a page to a new FILE
//	  -json
//	            print report.json instead of tables
//	  -junit FILE
//	            also write a new FILE of JUnit XML: a test for each row, failed where -fail-on holds, skipped where it is unclear
//	  -markdown
//	            print Markdown for a pull request instead of tables
//	  -markdown-size n
//	            with -markdown: leave the least decisive lines out until there are at most n bytes, as many as GitHub takes
//	            of characters in a comment; a step summary takes 1048576 (default 65536)
//	  -otava FILE
//	            with -history and no folder: write the history to a new FILE of CSV, for Apache Otava; see docs/measuring.md
//	  -plot
//	            print bar charts as well
//	  -write
//	            write report.html, report.json, results.csv, summary.txt and .tsv in DIR again
//
// # lessgc ci
//
//	usage: lessgc ci github|gitlab|kubernetes [flags] -- [flags and packages of lessgc compare]
//
//	Ci prints a file that runs one comparison on several machines: a workflow of GitHub
//	Actions, jobs of GitLab CI, or Jobs of Kubernetes. Each machine measures a shard, which is
//	whole rounds; a last job merges them (lessgc report), and its status is that of -fail-on.
//	What stands behind -- is passed on as it is: no shell expands anything in it.
//
//	-from says where machines get lessgc: PATH@VERSION for go install, the address of a clone
//	(https://HOST/PATH#REVISION), a folder of the checkout such as . or ./tools/lessgc, or
//	image, if the image or the machine has it. docs/spreading.md has more.
//
//	  lessgc ci github -from https://git.example.com/lessgc#v1.2.0 -- -base origin/main -fail-on 'cpu worse' ./...
//	  lessgc ci github -shards 8 -runner self-hosted,amd -runner self-hosted,intel -from . -- ./codec
//	  lessgc ci gitlab -go 1.26 -from . -- -mode gogc=50,100,200 ./codec
//	  lessgc ci kubernetes -image registry.example.com/codec:1 -shards 8 -cpus 4 -- -mode toolchain=go1.26.8,go1.27.3 .
//	  lessgc ci kubernetes -image codec:1 -runner kubernetes.io/arch=amd64 -- -bench Decode ./codec
//
//	Exit status: 0 done; 2 a flag is wrong, or holds what the file could not pass on.
//
//	Flags:
//
//	  -claim NAME
//	            kubernetes: NAME of an existing PersistentVolumeClaim for the results (default: a new one)
//	  -cpus number
//	            kubernetes: number of whole CPUs of a shard (default 2)
//	  -from SOURCE
//	            SOURCE of lessgc: PATH@VERSION, https://HOST/PATH#REVISION, ./FOLDER or image
//	            (default: the module that this lessgc is of; kubernetes: image)
//	  -go VERSION
//	            VERSION of Go, such as 1.26 (default: github: that of go.mod; others: 1.26)
//	  -image IMAGE
//	            container IMAGE that jobs run in; for kubernetes needed (default: none; gitlab: that of Go)
//	  -memory SIZE
//	            kubernetes: memory SIZE of a shard, such as 4Gi or 512Mi (default "4Gi")
//	  -name name
//	            name of the workflow, the jobs or the Job (default "lessgc")
//	  -runner LABEL
//	            LABEL of machines, or several with commas between them; of nodes KEY=VALUE.
//	            Repeatable, for machines of several kinds: shards are dealt out to them in turn
//	  -shards number
//	            number of machines, 2 to 200 (default 6)
//
// # lessgc version
//
//	usage: lessgc version [flags]
//
//	Version prints the version of lessgc's module, the revision it was built from, the Go
//	toolchain and the platform. The same line is in every file that lessgc writes.
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

//go:generate go test -run ^Test(Manual|Picture|Badges)$ -update
