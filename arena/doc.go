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
// Memory is typed and on Go's heap: pointers between arena objects and to
// anything else may be stored in them without a rule to remember. A nil *Arena is
// the heap, so a function that takes one lets its caller decide where results live.
//
// The [Policy] decides what Free does. With [Safe], the default, the collector frees
// unreachable memory; nothing can go wrong, and a small arena is the heap itself, value
// by value. A [Pool] may recycle instead, which saves the collections too. A value that is
// kept past Free then becomes another owner's: always of its own type, but not the same
// data. Copy values that have to live on, by [Clone] or package deep. Package audit
// samples in production which values are kept for longer; the checked build (-tags
// lessgc_checked, in part -race) panics at misuse with its position; lessgc vet finds it in
// the source. docs/memory-model.md lists the misuse that a plain build notices, and the
// guarantees that the package relies on.
//
// An object that stays on the stack costs nothing; an arena object never is. A
// safe arena gains nothing below some hundred objects. Values that live long, or for
// different times, belong on the heap, or in package index; maps and text in
// an arena are in packages amap and abytes. docs/levers.md has figures.
package arena
