// Package layout measures what fields cost that few objects use: in the object itself, and behind a pointer that is nil
// where they are zero.
//
//	go run ./cmd/lessgc compare -col /fields ./bench/layout
package layout
