// Package catalog describes libraries to the rules: which functions acquire and release, which
// results share whose memory, which types are arenas and pools.
//
// All of it stands in catalog.txt. Users add statements of the same form, with -api or in the
// settings of a linter; docs/vetting.md describes them. A statement is a line: a verb, then its
// operands. Functions have the compiler's full names without type arguments, parameters their
// numbers, counted from the receiver. In catalog.txt a path without a major version is that of all
// majors; an entry with one, such as example.com/a/v2.F, takes precedence for its own. A user's
// statements about a function replace those of the catalog that are of the same aspect: how values
// flow through it, what it allocates, how it is paired. The verbs calm, fresh and few also take PACKAGE.*,
// for all functions and methods of a package.
//
//	verbs                                        read by
//	acquire release reset alloc text alias same
//	hold once store keep own scope spawn go
//	borrow                                       the analysis flow, and so by pooluseafterput,
//	                                             pooldoubleput, poolalias, poolmissingput,
//	                                             arenauseafterfree, arenadoublefree, arenaescape,
//	                                             arenamissingfree, arenalock, rpcescape
//	go                                           arenashared
//	nonnil                                       the analysis flow, poolnoreset
//	infallible                                   the analysis flow
//	concurrent                                   arenashared
//	pair calm                                    freenotdeferred
//	limit few                                    poolunbounded
//	nolock                                       arenalock
//	slice                                        arenaappend
//	unscanned append part holder fresh fill      heappointer
//	arena handle buffer job lent                 the analysis flow
//	arena confined                               heappointer
//	hold                                         poolunbounded
//	alloc text confined single                   arenashared
//	pool                                         the analysis pooluse, and so by poolmismatch,
//	                                             poolnonpointer, poolnoreset, poolunbounded, poollocal
//	nocopy makes                                 poolmismatch
package catalog
