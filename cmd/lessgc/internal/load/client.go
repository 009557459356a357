package load

import (
	"context"
	"time"
)

// A Client is connections to one server. Its methods may be called by several
// goroutines.
type Client struct {
	transport transport
	timeout   time.Duration
}

// A transport sends requests by one protocol.
type transport interface {
	// ready waits until the server takes requests. The error, when ctx is done, says
	// what is missing.
	ready(ctx context.Context) error

	// resolver returns what makes calls of the requests of s.
	resolver(s *Spec) (func(context.Context, Request) (*Call, error), error)

	// do sends a request and reads the answer to its end. An answer that is an error
	// by the protocol, or not the one that the call wants, is an error.
	do(ctx context.Context, call *Call) error

	close()
}

// A Call is a request that is ready to be sent. Any client of its spec can send it.
type Call struct {
	grpc *grpcCall
	http *httpCall
}

// Dial makes the client that s asks for, of the server that listens, or is going to,
// on addr (host:port). It does not wait for the server.
func (s *Spec) Dial(addr string) (*Client, error) {
	var t transport
	var err error
	if s.overHTTP() {
		t, err = s.dialHTTP(addr)
	} else {
		t, err = s.dialGRPC(addr)
	}
	if err != nil {
		return nil, err
	}
	return &Client{transport: t, timeout: s.RequestTimeout()}, nil
}

// Close closes the connections.
func (c *Client) Close() { c.transport.close() }

// Ready waits until the server takes requests: of gRPC until all connections stand, of
// HTTP until it listens and answers the path of Spec.Ready, if there is one.
func (c *Client) Ready(ctx context.Context) error { return c.transport.ready(ctx) }

// Sender returns the function that the loops call: Do with one call.
func (c *Client) Sender(call *Call) func(context.Context) error {
	return func(ctx context.Context) error { return c.Do(ctx, call) }
}

// Do sends one request and waits for the end of the answer.
func (c *Client) Do(ctx context.Context, call *Call) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	return c.transport.do(ctx, call)
}
