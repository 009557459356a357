package load

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"
)

// A Client is connections to one server. Its methods may be called by several
// goroutines.
type Client struct {
	conns   []*grpc.ClientConn
	timeout time.Duration
	header  metadata.MD
	next    atomic.Uint64
}

// Dial makes the client that s asks for. It does not wait for the server.
func (s *Spec) Dial(addr string) (*Client, error) {
	c := &Client{timeout: s.RequestTimeout(), header: metadata.New(s.Metadata)}
	transport := insecure.NewCredentials()
	if s.TLS {
		transport = credentials.NewTLS(&tls.Config{InsecureSkipVerify: true})
	}
	for range cmp.Or(s.Connections, 4) {
		conn, err := grpc.NewClient("passthrough:///"+addr, grpc.WithTransportCredentials(transport), grpc.WithNoProxy(),
			grpc.WithConnectParams(grpc.ConnectParams{MinConnectTimeout: time.Second}), // and tried again at once
			grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32), grpc.MaxCallSendMsgSize(math.MaxInt32)))
		if err != nil {
			c.Close()
			return nil, err
		}
		c.conns = append(c.conns, conn)
	}
	return c, nil
}

// Close closes the connections.
func (c *Client) Close() {
	for _, conn := range c.conns {
		conn.Close()
	}
}

// Ready waits until all connections stand.
func (c *Client) Ready(ctx context.Context) error {
	for _, conn := range c.conns {
		for state := conn.GetState(); state != connectivity.Ready; state = conn.GetState() {
			conn.Connect()
			if state == connectivity.TransientFailure {
				conn.ResetConnectBackoff()
				select { // the server is not there yet
				case <-time.After(5 * time.Millisecond):
				case <-ctx.Done():
				}
			} else {
				conn.WaitForStateChange(ctx, state)
			}
			if err := ctx.Err(); err != nil {
				return errors.New("it does not listen on the address it was given")
			}
		}
	}
	return nil
}

// Sender returns what the loops call: Do with one call.
func (c *Client) Sender(call *Call) func(context.Context) error {
	return func(ctx context.Context) error { return c.Do(ctx, call) }
}

// Do sends one request and waits for the answer.
func (c *Client) Do(ctx context.Context, call *Call) error {
	n := c.next.Add(1)
	conn := c.conns[n%uint64(len(c.conns))]
	ctx, cancel := context.WithTimeout(metadata.NewOutgoingContext(ctx, c.header), c.timeout)
	defer cancel()
	var reply ignored
	if !call.stream() {
		return conn.Invoke(ctx, call.path, encoded(call.messages[n%uint64(len(call.messages))]), &reply, grpc.ForceCodecV2(raw{}))
	}
	stream, err := conn.NewStream(ctx, &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, call.path, grpc.ForceCodecV2(raw{}))
	if err != nil {
		return err
	}
	for _, m := range call.messages {
		if err := stream.SendMsg(encoded(m)); errors.Is(err, io.EOF) {
			break // RecvMsg has the reason
		} else if err != nil {
			return err
		}
	}
	if err := stream.CloseSend(); err != nil {
		return err
	}
	for {
		if err := stream.RecvMsg(&reply); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// raw is a codec for what is encoded already.
type raw struct{}

type (
	encoded []byte
	ignored struct{}
)

func (raw) Name() string { return "proto" }

func (raw) Marshal(v any) (mem.BufferSlice, error) {
	m, ok := v.(encoded)
	if !ok {
		return nil, fmt.Errorf("%T is not encoded", v)
	}
	return mem.BufferSlice{mem.SliceBuffer(m)}, nil
}

func (raw) Unmarshal(mem.BufferSlice, any) error { return nil }
