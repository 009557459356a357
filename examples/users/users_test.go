package users

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"lessgc/arena"
	pb "lessgc/examples/users/userspb"
	"lessgc/rpc/arenagrpc"
)

// dial returns a client of a server with these options.
func dial(t *testing.T, options arenagrpc.Options) *grpc.ClientConn {
	t.Helper()
	s := grpc.NewServer()
	Register(arenagrpc.Register(s, options))
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	go s.Serve(listener)
	conn, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close()
		s.GracefulStop()
	})
	return conn
}

var modes = []arenagrpc.Options{{Heap: true}, {Policy: arena.Safe}, {Policy: arena.RecycleTyped}, {Policy: arena.RecycleAll}}

func TestUnary(t *testing.T) {
	for _, mode := range modes {
		t.Run(fmt.Sprintf("%v/heap=%v", mode.Policy, mode.Heap), func(t *testing.T) {
			conn, ctx := dial(t, mode), context.Background()
			users, traces := pb.NewUsersClient(conn), pb.NewTracesClient(conn)
			for i := range 50 {
				reply, err := users.Get(ctx, &pb.GetRequest{Count: int32(i), Prefix: "user "})
				if err != nil || len(reply.Users) != i {
					t.Fatalf("%d users, %v", len(reply.GetUsers()), err)
				}
				for k, u := range reply.Users {
					if name := fmt.Sprint("user ", k); u.Id != int64(k) || u.Name != name || u.Email != name+"@example.com" {
						t.Fatalf("user %d is %v", k, u)
					}
				}
				put, err := users.Put(ctx, ExamplePut(i))
				if err != nil || int(put.Count) != i || int(put.Tags) != 3*i {
					t.Fatalf("%v, %v", put, err)
				}
				exported, err := traces.Export(ctx, ExampleExport(i))
				if err != nil || int(exported.Spans) != i || int(exported.Attributes) != 2+10*i {
					t.Fatalf("%v, %v", exported, err)
				}
			}
			if _, err := users.Get(ctx, &pb.GetRequest{Count: -1}); status.Code(err) != codes.InvalidArgument {
				t.Error(err)
			}
			if _, err := users.Put(ctx, &pb.PutRequest{Users: []*pb.User{{Id: 7}}}); status.Convert(err).Message() != "user 7 has no name" {
				t.Error(err)
			}
		})
	}
}

func TestChat(t *testing.T) {
	for _, mode := range modes {
		t.Run(fmt.Sprintf("%v/heap=%v", mode.Policy, mode.Heap), func(t *testing.T) {
			client := pb.NewUsersClient(dial(t, mode))
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			var people []pb.Users_ChatClient
			for i := range 3 {
				s, err := client.Chat(ctx)
				if err != nil {
					t.Fatal(err)
				}
				if err := s.Send(&pb.ChatMessage{Room: "kitchen"}); err != nil {
					t.Fatal(err)
				}
				people = append(people, s)
				// Whoever hears himself is in the room.
				text := fmt.Sprint("here is ", i)
				if err := s.Send(&pb.ChatMessage{From: fmt.Sprint(i), Text: text}); err != nil {
					t.Fatal(err)
				}
				for _, p := range people {
					if m, err := p.Recv(); err != nil || m.Text != text {
						t.Fatalf("%v, %v", m, err)
					}
				}
			}
			for i := range 30 {
				text := strings.Repeat("x", i+1)
				people[i%3].Send(&pb.ChatMessage{From: "somebody", Text: text})
				for _, p := range people {
					if m, err := p.Recv(); err != nil || m.Text != text {
						t.Fatalf("%v, %v", m, err)
					}
				}
			}
			for _, p := range people {
				p.CloseSend()
				if _, err := p.Recv(); !errors.Is(err, io.EOF) {
					t.Error(err)
				}
			}
			nobody, err := client.Chat(ctx)
			if err != nil {
				t.Fatal(err)
			}
			nobody.Send(&pb.ChatMessage{Text: "no room"})
			if _, err := nobody.Recv(); status.Code(err) != codes.InvalidArgument {
				t.Error(err)
			}
		})
	}
}

// TestCommands runs the server and the client as a newcomer does.
func TestCommands(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no SIGTERM")
	}
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", dir, "./server", "./client").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, mode := range []string{"heap", "safe", "strings", "recycle"} {
		server := exec.Command(filepath.Join(dir, "server"), "-addr", "localhost:0", "-arena", mode)
		stdout, err := server.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := server.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(stdout).ReadString('\n')
		addr, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
		if err != nil || !ok {
			t.Fatalf("%q, %v", line, err)
		}
		for _, method := range []string{"Get", "Put", "Export"} {
			out, err := exec.Command(filepath.Join(dir, "client"), "-addr", addr, "-method", method, "-n", "20", "-size", "10").CombinedOutput()
			if err != nil || !strings.HasPrefix(string(out), method+": 20 requests of ") {
				t.Errorf("%v\n%s", err, out)
			}
		}
		server.Process.Signal(syscall.SIGTERM)
		if err := server.Wait(); err != nil {
			t.Errorf("-arena %s: %v", mode, err)
		}
	}
	check := func(want string, command string, args ...string) {
		t.Helper()
		out, err := exec.Command(filepath.Join(dir, command), args...).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(string(out), want) {
			t.Errorf("%s %v: %v\n%s", command, args, err, out)
		}
	}
	check("-arena is one of heap, recycle, safe, strings", "server", "-arena", "stack")
	check("listen tcp", "server", "-addr", "256.0.0.1:1")
	check("-method is Get, Put or Export", "client", "-method", "Delete")
	check("-n and -c are at least 1", "client", "-n", "0")
	check("connection refused", "client", "-addr", "127.0.0.1:1", "-n", "1")
}
