// Package flow follows pooled values, arenas and the memory of arenas through functions.
//
// For each origin, a value that has to be released, it computes which values share its memory, what
// each instruction does to it, and in which states it can be at each instruction. Package events asks
// questions about these, and each rule picks the events that are its mistake.
//
// # The pipeline
//
//	stage                 takes                           gives
//	facts.go              facts of imported packages,     a Summary for each called function:
//	                      the catalog, directives         what it does with its parameters
//	summary.go            a function, summaries of its    its own Summary; callees first, three
//	                      callees                         rounds for recursion
//	funcvars.go,          assignments of the package      what calls of function variables do
//	funcfields.go,                                        of functions in fields, and of methods of interfaces
//	ifaces.go, ifacepools.go                              whose types are known
//	decide.go, told.go    the states of a parameter       whether callers take it for released, and
//	                      that it may release             which value tells them
//	parts.go, partuses.go all summaries                   what functions do with fields whose
//	owner.go, elements.go values are released             values are released, by field name;
//	lists.go, built.go,                                   elements of lists, memory of an arena there
//	lastvalue.go
//	empties.go            deletes from maps               what is taken out of a parameter again
//	heldfrom.go           what results hold               fields of a parameter, if that is all
//	mixed.go              what a function returns         whether all of it is for a pool
//	replaced.go           uses of a field                 whether it holds slices of others
//	cleared.go            a store to all of a struct      the fields that get other memory by it
//	freelist.go           all functions                   the channels that take the place of pools
//	queues.go, queued.go  what is sent and received       the channels whose receivers own what they get
//	origins.go, origin.go a function and its Summary      its origins: what it acquires, is given,
//	loads.go, elemloads.go,                               borrows, or loads and releases
//	arenalists.go, ownpool.go,
//	rpc.go, stream.go
//	holders.go, held.go,  origins and parts               what goes with a struct that holds it,
//	wholes.go                                             and what becomes of one that goes on
//	goowned.go            all go statements               whether a goroutine owns what it is given
//	abandon.go            a goroutine that f starts       where f goes on without it, by a time limit
//	sources.go            a condition                     what it is computed from, for independence
//	reaching.go           a local variable in memory      for each store the loads that can see it
//	aliases*.go, owned.go a root value                    the values that derive from it, each with
//	filled.go, renewed.go                                 marks (how) and surely or on some paths
//	effects*.go,          the aliases                     for each instruction its effects: uses,
//	through.go, handed.go, usedafter.go,                  releases, keeps, hands over, takes back,
//	takenback.go                                          defers, ...
//	states.go,            the effects                     the states before each instruction and at
//	branches.go, failures.go, sizes.go,                   each return; what a branch tells of them
//	mark.go, follows.go, lentcalls.go, emptiness.go,
//	present.go, decided.go
//	events/               all of these                    events
//
// A value derives surely only if it does on all paths: of a phi, if all edges do. A state is a set of
// situations, each a phase (absent, live, handed over, released, dropped, perhaps released, to be told)
// with what is deferred; a join is a union.
//
// A callee that releases a parameter on some paths, and drops it on all others for reasons that no caller
// can know, such as a full pool, is taken to release it. If a count or a mark in the value decides, it
// only perhaps does. If a result or an argument tells which, the phase is to be told until a branch on
// that value settles it.
//
// What a function does with its parameters is exported as a fact of the package. Functions whose code
// says too little, or too much, are in package catalog; users may add to it.
//
// Calls through interfaces and of function values that are not known hand a value over: others may
// release it from there on. Its states go on, and hooks still see its effects. The command lessgc vet -debug shows what the engine believes.
package flow
