// Package audit has interceptors for all servers, and knows nothing of arenas.
package audit

import (
	"context"
	"fmt"
	"log"
	"sync"

	"google.golang.org/grpc"
)

var last any

// Last keeps the last request.
func Last(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	last = req
	return handler(ctx, req)
}

// Texts formats requests.
func Texts(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	last = fmt.Sprint(req)
	return handler(ctx, req)
}

// Later returns an interceptor that logs later.
func Later() grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		go log.Print(req)
		return handler(ctx, req)
	}
}

// Now returns an interceptor that logs at once.
func Now() grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		log.Print(req)
		return handler(ctx, req)
	}
}

// A Log has the last requests.
type Log struct {
	mu   sync.Mutex
	reqs []any
	n    int
}

// Keep is an interceptor.
func (l *Log) Keep(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	l.mu.Lock()
	l.reqs = append(l.reqs, req)
	l.mu.Unlock()
	return handler(ctx, req)
}

// Count is an interceptor.
func (l *Log) Count(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	l.mu.Lock()
	l.n++
	l.mu.Unlock()
	return handler(ctx, req)
}
