// Package codes stands for the package of this name.
package codes

// A Code is a status of an RPC.
type Code uint32

// Some codes.
const (
	InvalidArgument Code = 3
	NotFound        Code = 5
)
