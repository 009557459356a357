// Package bench is the module in which rivals are measured side by side with
// lessgc. Each measurement has a folder of its own, a program or benchmarks; what
// they printed, with the exact command, is kept in results.
//
// It is a module of its own so that nothing that users import ever requires a
// rival. It also pins the tools of development (go tool staticcheck).
package bench
