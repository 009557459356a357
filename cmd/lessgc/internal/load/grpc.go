package load

import (
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

// grpcConns is the transport of gRPC. Requests take its connections in turn.
type grpcConns struct {
	conns  []*grpc.ClientConn
	header metadata.MD
	next   atomic.Uint64
}

func (s *Spec) dialGRPC(addr string) (*grpcConns, error) {
	g := &grpcConns{header: metadata.New(s.Metadata)}
	transport := insecure.NewCredentials()
	if s.TLS {
		transport = credentials.NewTLS(&tls.Config{InsecureSkipVerify: true})
	}
	for range s.connections() {
		conn, err := grpc.NewClient("passthrough:///"+addr, grpc.WithTransportCredentials(transport), grpc.WithNoProxy(),
			grpc.WithConnectParams(grpc.ConnectParams{MinConnectTimeout: time.Second}), // and tried again at once
			grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32), grpc.MaxCallSendMsgSize(math.MaxInt32)))
		if err != nil {
			g.close()
			return nil, err
		}
		g.conns = append(g.conns, conn)
	}
	return g, nil
}

func (g *grpcConns) close() {
	for _, conn := range g.conns {
		conn.Close()
	}
}

func (g *grpcConns) ready(ctx context.Context) error {
	for _, conn := range g.conns {
		for state := conn.GetState(); state != connectivity.Ready; state = conn.GetState() {
			conn.Connect()
			if state == connectivity.TransientFailure {
				conn.ResetConnectBackoff()
				wait(ctx) // the server is not there yet
			} else {
				conn.WaitForStateChange(ctx, state)
			}
			if ctx.Err() != nil {
				return errSilent
			}
		}
	}
	return nil
}

func (g *grpcConns) do(ctx context.Context, c *Call) error {
	call := c.grpc
	n := g.next.Add(1)
	conn := g.conns[n%uint64(len(g.conns))]
	ctx = metadata.NewOutgoingContext(ctx, g.header)
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
