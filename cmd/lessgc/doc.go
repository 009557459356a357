// Lessgc shows where Go code pays for memory, and whether a remedy pays.
//
// This manual holds what lessgc help prints for each subcommand. What stands in
// a result folder is described in package session and in docs/measuring.md.
//
// # lessgc compare
//
//	usage: lessgc compare [flags] [packages]
//
//	Compare builds Go benchmarks in several modes, runs them in turn in random
//	order, and says for each mode whether it is better, worse, the same, or unclear.
//	Without -mode it compares the published four: oldgc, greentea, arenas and
//	arenas+greentea.
//
//	  lessgc compare ./...                                 the four modes
//	  lessgc compare -mode gogc=50,100,200,400 ./codec     a GOGC curve
//	  lessgc compare -mode toolchain=go1.26.8,go1.27.3 .   two toolchains
//	  lessgc compare -mode oldgc -mode 'big: GOGC=400 GOMEMLIMIT=1GiB' .
//	  lessgc compare -base main -bench Decode ./codec      code against revision main
//	  lessgc compare -col /strategy ./workloads/filterchain
//	  lessgc compare -exec './cmd/import -n 1000'          a whole program
//	  lessgc compare -load ./examples/users/load.json      a gRPC server under load
//	  lessgc compare -base main -fail-on 'cpu worse' .     a gate for CI
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
//	            run the benchmarks that match REGEXP, as go test -bench does (default ".")
//	  -col /key
//	            also compare by a /key of the benchmark names: with /impl, the impl that a benchmark has first is the baseline of its others
//	  -duet
//	            with -base: run both versions at once, each on one CPU
//	  -exec COMMAND
//	            compare a whole program: a COMMAND line that starts with a Go package
//	  -fail-on CONDITION
//	            exit with 1 if CONDITION holds, repeatable: 'cpu worse', 'allocs worse > 5%', 'geomean cpu worse', 'any worse'
//	  -json
//	            print report.json instead of tables
//	  -load FILE
//	            compare a gRPC server under load, as a FILE says; docs/measuring.md describes it
//	  -margin percentage
//	            differences up to this percentage count as the same (default 3%)
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
//	  -resume folder
//	            go on with the results in folder; with -rounds, up to that many
//	  -rounds n
//	            n rounds after the warm-up, at least 6 (default 10, or what the table needs)
//	  -seed seed
//	            seed of the random order (default: a new one)
//	  -time duration
//	            total duration; without -rounds it is filled with as many rounds as fit
//	  -timeout duration
//	            longest duration of one trial (default 10m0s)
//	  -trial duration
//	            least duration of one trial; with -load, of each loop (default what FILE says) (default 500ms)
//
// # lessgc advise
//
//	usage: lessgc advise [flags] PROFILE... | URL | PACKAGE...
//
//	Advise says what part of a program's CPU time goes to allocation and garbage
//	collection, which no lever can save more than, and which lines of your own code
//	cause it. It reads CPU profiles and profiles of allocations (heap or allocs), or
//	takes them: of a service that serves net/http/pprof, or of benchmarks.
//
//	  lessgc advise cpu.pb.gz allocs.pb.gz
//	  lessgc advise -for 30s http://localhost:6060/debug/pprof
//	  lessgc advise -bench Decode ./codec
//	  lessgc advise -paths -n 5 cpu.pb.gz heap.pb.gz     with what the lines call
//
//	Exit status: 0 done; 2 something could not be read or taken.
//
//	Flags:
//
//	  -bench REGEXP
//	            run the benchmarks of the packages that match REGEXP, as go test -bench does
//	  -benchtime duration
//	            duration of each benchmark (default 2s)
//	  -for duration
//	            sample a service for this duration (default 30s)
//	  -json
//	            print everything as JSON instead
//	  -module path
//	            count packages below this import path as yours, repeatable (default the module of the current folder)
//	  -n n
//	            show n lines of code (default 15)
//	  -paths
//	            show what each line calls, down to what allocates
//	  -reasons
//	            say why each line allocates; the first time this compiles all packages of the module (default true)
//
// # lessgc report
//
//	usage: lessgc report [flags] DIR
//
//	Report reads the results of an earlier lessgc compare, whole or interrupted, and
//	judges them again.
//
//	  lessgc report lessgc-results/20261121-101500
//	  lessgc report -write -plot DIR       make the files in DIR again, draw bars
//	  lessgc report -fail-on 'cpu worse' DIR
//
//	Exit status: 0 done; 1 a condition of -fail-on holds; 2 something could not be
//	read or measured.
//
//	Flags:
//
//	  -fail-on CONDITION
//	            exit with 1 if CONDITION holds, repeatable: 'cpu worse', 'allocs worse > 5%', 'geomean cpu worse', 'any worse'
//	  -json
//	            print report.json instead of tables
//	  -plot
//	            print bar charts as well
//	  -write
//	            write report.html, report.json, results.csv, summary.txt and tsv into DIR again
package main

//go:generate go test -run TestManual -update
