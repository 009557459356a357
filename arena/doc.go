// Package arena allocates values that are freed together: those of a request, a
// document, a query. It is the standard library's experimental package of the
// same name and more, on every toolchain from Go 1.25, without GOEXPERIMENT.
//
//	a := arena.NewArena()
//	defer a.Free()
//	user := arena.New[User](a)
//	user.Name = a.String(name)
//	user.Roles = arena.Append(a, user.Roles, "admin")
//
// Memory is typed: it comes from Go's heap, as slices of the element type, so
// pointers between arena objects and to anything else on the heap may be stored
// in them without a rule to remember.
//
// # What Free means
//
// A [Policy] decides, one for each [Pool], and Safe for [NewArena]:
//
//   - [Safe] leaves the memory to the collector. A pointer that was kept stays
//     valid; there is nothing to get wrong. It saves the cost of many small
//     allocations, not that of collections.
//   - [RecycleTyped], the default of a Pool, zeroes objects, slices and bytes and
//     hands them out again. Strings it never does.
//   - [RecycleAll] recycles strings too.
//
// Recycling is where most of the gain is, and its one hazard: what is kept past
// Free is another owner's later. It is always of the same type, so the runtime
// is not corrupted, but data gets where it does not belong. What has to live
// on is copied out with [Clone], [DeepClone] or [Detach]. Before recycling is
// switched on, audits ([Pool.AuditEvery]) show in production whether anything is
// kept, and the checked build (-tags lessgc_checked, and in part -race) stops at
// misuse and says where the memory was opened, freed and used.
//
// # What a plain build notices
//
// Every life of an arena has a handle of its own, and each [Slab] is one life's.
// After Free each call that would take memory through them panics in every build, as
// does a second Free, even when the memory has a new owner. So does Release to a mark of a
// life that is over, and Free of an [Index] handle that is not in use.
//
// A plain build does not notice
//
//   - a pointer, slice or string that is used after Free, Reset or Release: with a
//     recycling policy it shows the next owner's data;
//   - a copy of an Arena, a Builder, a Map or a List, by value: go vet does (copylocks
//     for an Arena), and the doc comments forbid it;
//   - a Builder, Map or List that is used after its arena was freed: it is memory of
//     the arena itself, so the next owner's may be changed by it;
//   - an Index handle that was freed and handed out again;
//   - two goroutines in one arena, but by luck: a data race, see rule 22 of
//     docs/memory-model.md for what it can do;
//   - an arena that is never freed: the collector takes it.
//
// lessgc vet finds most of these in the source, audits the pointers, -race the
// goroutines, the checked build all but the copies and what an Index forgets.
//
// A nil *Arena is the heap: a function that takes an arena lets its caller
// decide where results live. [UseHeap], the environment variable
// LESSGC_ARENA=heap and the build tag lessgc_heap make every arena nil.
//
// # When not to use it
//
// An object that stays on the stack costs nothing; an arena object is never on
// the stack. Fewer than about ten objects per arena gain little. What lives long,
// or for different times, belongs on the heap, or in an [Index].
//
// docs/memory-model.md numbers what the package relies on, docs/levers.md has
// figures, docs/arenas-compared.md the hazards of other arenas.
package arena
