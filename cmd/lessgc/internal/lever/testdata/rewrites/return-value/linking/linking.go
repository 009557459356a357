// Package linking calls functions of another package by directives.
package linking

import _ "unsafe" // for the directives

//go:linkname linked lessgc/cmd/lessgc/internal/lever/testdata/rewrites/return-value.linked
func linked(n int) *struct{ left int }

//go:linkname linkedMethod lessgc/cmd/lessgc/internal/lever/testdata/rewrites/return-value.(*linker).linkedMethod
func linkedMethod(*struct{ n int }) *struct{ left int }
