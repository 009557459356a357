// Package middleware has common middleware, and tests that a server
// whose RPCs have arenas is right with each: docs/middleware.md says who keeps messages.
package middleware
