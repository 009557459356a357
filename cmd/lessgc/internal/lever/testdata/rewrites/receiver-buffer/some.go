//go:build !plan9

package space

import "io"

type ofSomeBuilds struct {
	r    io.Reader
	read int
}
