//go:build !unix

package input

// nonblock is not needed where folders hold no named pipes.
const nonblock = 0
