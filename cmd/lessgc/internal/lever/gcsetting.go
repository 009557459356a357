package lever

// GCSetting is about the whole program: package advice looks for its evidence, which is in
// the profile of CPU time and not in the source.
var GCSetting = &Lever{
	Name:   "gc-setting",
	Title:  "raise GOGC, with GOMEMLIMIT as the bound",
	Looks:  "collecting (marking, sweeping, starting and stopping) that costs at least 5 % of the CPU time, while the size of the live heap is known, so that the memory which it takes can be estimated.",
	Wrong:  "when memory is what the service pays for, and when GOGC or a memory limit is set already: profiles do not tell. Finding memory for objects and zeroing it costs the same as before.",
	Before: `./service`,
	After: `GOGC=400 GOMEMLIMIT=2GiB ./service
lessgc compare -mode gogc=100,200,400 .`,
	Model: "With GOGC pacing the number of collections goes with 1/GOGC. What goes with them was 0.26 to 1.6 times what the profile shows of the collector, in six programs at 400 (bench/results/advise.md): collections also cost the program its caches and barriers, and a larger heap costs misses. lessgc advise -frontier measures it.",
	Saves: Saves{Collect: Range{0.25, 1.6}},
}
