package intercept

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"

	"cases/pb"
)

// goodKey makes a key of strings, which stay.
func goodKey(hits map[string]int, mu *sync.Mutex) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		if in, ok := req.(*pb.PutRequest); ok {
			mu.Lock()
			hits[info.FullMethod+in.GetName()]++
			hits[in.GetOwner().GetName()]++
			mu.Unlock()
		}
		return handler(ctx, req)
	}
}

// goodError has the request in an error, whose text arenagrpc copies.
func goodError(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	if req == nil {
		return nil, errors.New("no request")
	}
	resp, err := handler(ctx, req)
	if err != nil {
		return nil, fmt.Errorf("%s of %v: %w", info.FullMethod, req, err)
	}
	return resp, nil
}

// goodRetry calls the handler again.
func goodRetry(n int) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
		for range n {
			if resp, err = handler(ctx, req); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		return resp, err
	}
}

// goodHedge runs the handler in goroutines.
func goodHedge(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	type result struct {
		resp any
		err  error
	}
	results := make(chan result, 1)
	run := func() {
		resp, err := handler(ctx, req)
		results <- result{resp, err}
	}
	go run()
	select {
	case r := <-results:
		return r.resp, r.err
	case <-time.After(time.Second):
		return nil, errors.New("too late")
	}
}

// goodGroup checks and handles at once.
func goodGroup(check func(any) error) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
		g, ctx := errgroup.WithContext(ctx)
		g.Go(func() error { return check(req) })
		g.Go(func() (err error) {
			resp, err = handler(ctx, req)
			return err
		})
		return resp, g.Wait()
	}
}

// A record is built and written in one interceptor.
type record struct {
	method string
	req    any
	took   time.Duration
}

func (r *record) write(out []string) []string {
	return append(out, fmt.Sprint(r.method, r.req, r.took))
}

func goodRecord(a *auditor) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		r := &record{method: info.FullMethod, req: req}
		start := time.Now()
		defer func() {
			r.took = time.Since(start)
			a.names = r.write(a.names)
		}()
		return handler(ctx, req)
	}
}

// badRecord hands the record to a writer.
func badRecord(records chan<- *record) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		r := &record{method: info.FullMethod, req: req}
		resp, err := handler(ctx, req)
		select {
		case records <- r: // want "outlives the RPC"
		default:
		}
		return resp, err
	}
}

// badHelper keeps through a method.
func badHelper(a *auditor) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		a.note(req) // want "kept by note"
		return handler(ctx, req)
	}
}

func (a *auditor) note(req any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.calls = append(a.calls, call{req: req})
}

// badTimer looks at the request later.
func badTimer(a *auditor) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		time.AfterFunc(time.Second, func() { a.log(req) }) // want "outlives the RPC"
		return handler(ctx, req)
	}
}

// goodTimer warns while the handler runs.
func goodTimer(a *auditor) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		t := time.AfterFunc(time.Second, func() { a.logText(info.FullMethod) })
		defer t.Stop()
		return handler(ctx, req)
	}
}

// A slot has a request while it is handled.
type slot struct{ req any }

var slots []*slot

func badSlot(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	s := &slot{req}
	resp, err := handler(ctx, req)
	slots = append(slots, s) // want "outlives the RPC"
	return resp, err
}

func goodSlot(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	s := &slot{req}
	resp, err := handler(ctx, s.req)
	s.req = nil
	slots = append(slots, s)
	return resp, err
}
