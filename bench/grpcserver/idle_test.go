package grpcserver

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"

	"lessgc/arena"
	pb "lessgc/examples/users/userspb"
	"lessgc/internal/checked"
	"lessgc/rpc/arenagrpc"
)

// An answerer answers each message of a stream with its length.
type answerer struct{ pb.UnimplementedUsersServer }

func (answerer) Chat(stream pb.Users_ChatServer) error {
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := stream.Send(&pb.ChatMessage{Room: fmt.Sprint(len(m.Text))}); err != nil {
			return err
		}
	}
}

// idle returns how many bytes of the heap each of n streams needs, client included, that had a
// message of this size and wait for the next.
func idle(t *testing.T, o arenagrpc.Options, n, size int) int {
	g := grpc.NewServer()
	pb.RegisterUsersServer(arenagrpc.Register(g, o), answerer{})
	listener := bufconn.Listen(1 << 20)
	go g.Serve(listener)
	defer g.Stop()
	conn, err := grpc.NewClient("passthrough:///test", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	heap := func() int {
		for range 3 {
			runtime.GC()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before := heap()
	message := &pb.ChatMessage{Text: strings.Repeat("x", size)}
	streams := make([]pb.Users_ChatClient, n)
	for i := range streams {
		s, err := pb.NewUsersClient(conn).Chat(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Send(message); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Recv(); err != nil {
			t.Fatal(err)
		}
		streams[i] = s
	}
	each := (heap() - before) / n
	runtime.KeepAlive(streams)
	return each
}

var streams = flag.Int("streams", 1000, "how many wait in TestIdle")

// TestIdle checks that a stream that waits for a message keeps no memory for it.
func TestIdle(t *testing.T) {
	if checked.Enabled {
		t.Skip("the checked build keeps what was freed for a while")
	}
	const size = 60_000
	n := *streams
	idle(t, arenagrpc.Options{Heap: true}, n, size) // what is there once
	want := idle(t, arenagrpc.Options{Heap: true}, n, size)
	method := "/" + pb.Users_ServiceDesc.ServiceName + "/Chat"
	for _, o := range []arenagrpc.MethodOptions{{}, {Policy: arena.RecycleTyped, PerMessage: true}, {Policy: arena.RecycleAll, PerMessage: true}} {
		got := idle(t, arenagrpc.Options{Methods: map[string]arenagrpc.MethodOptions{method: o}}, n, size)
		t.Logf("%+v: %d bytes, on the heap %d", o, got, want)
		if got > want+want/3 { // a tenth is what is wanted; the collector's timing is the rest
			t.Errorf("%+v: %d bytes for a stream that waits, on the heap %d", o, got, want)
		}
	}
}
