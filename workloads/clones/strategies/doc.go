// Package strategies runs every strategy of workload clones side by side in
// one build:
//
//	go test -bench . -count 10 ./clones/strategies | benchstat -col /strategy -
//
// It has no code of its own. The benchmarks are apart from those of package
// clones because a comparison of builds is to find four benchmarks there, and
// end in less than three minutes.
package strategies
