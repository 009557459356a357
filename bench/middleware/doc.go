// Package middleware has what servers commonly put around their handlers, and tests that a server
// whose RPCs have arenas is right with each: docs/middleware.md says who keeps messages.
package middleware
