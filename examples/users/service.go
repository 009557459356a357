package users

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"lessgc/arena"
	pb "lessgc/examples/users/userspb"
)

// MaxCount is the largest number of users that Get returns.
const MaxCount = 100_000

// Register registers the services of this package.
func Register(s grpc.ServiceRegistrar) {
	pb.RegisterUsersServer(s, &usersServer{rooms: map[string]map[chan *pb.ChatMessage]bool{}})
	pb.RegisterTracesServer(s, tracesServer{})
}

type usersServer struct {
	pb.UnimplementedUsersServer
	mu    sync.Mutex
	rooms map[string]map[chan *pb.ChatMessage]bool
}

// Get makes users, in the arena of the RPC or on the heap.
func (*usersServer) Get(ctx context.Context, in *pb.GetRequest) (*pb.GetReply, error) {
	if in.Count < 0 || in.Count > MaxCount {
		return nil, status.Errorf(codes.InvalidArgument, "count is %d, want 0 to %d", in.Count, MaxCount)
	}
	a := arena.FromContext(ctx)
	reply := arena.New[pb.GetReply](a)
	reply.Users = arena.MakeSlice[*pb.User](a, int(in.Count), int(in.Count))
	users := arena.Of[pb.User](a)
	for i := range reply.Users {
		u := users.New()
		u.Id = int64(i)
		u.Name = a.String(fmt.Sprintf("%s%d", in.Prefix, i))
		u.Email = a.String(u.Name + "@example.com")
		reply.Users[i] = u
	}
	return reply, nil
}

// Put counts what it is given.
func (*usersServer) Put(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	reply := arena.New[pb.PutReply](arena.FromContext(ctx))
	for _, u := range in.Users {
		if u.Name == "" {
			return nil, status.Errorf(codes.InvalidArgument, "user %d has no name", u.Id)
		}
		reply.Count++
		reply.Tags += int64(len(u.Tags))
	}
	return reply, nil
}

// Chat hands on each message that comes in to all streams in its room. The message
// that joins a room has no text.
func (s *usersServer) Chat(stream pb.Users_ChatServer) error {
	first, err := stream.Recv()
	if errors.Is(err, io.EOF) {
		return nil
	} else if err != nil {
		return err
	}
	room := first.Room
	if room == "" || first.Text != "" {
		return status.Error(codes.InvalidArgument, "the first message names the room, without a text")
	}
	out := make(chan *pb.ChatMessage, 100)
	s.join(room, out)
	defer s.leave(room, out)
	sent := make(chan error, 1)
	go func() {
		for m := range out {
			if err := stream.Send(m); err != nil {
				sent <- err
				for range out { // until it is closed
				}
				return
			}
		}
		sent <- nil
	}()
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			s.leave(room, out)
			return <-sent
		}
		if err != nil {
			return err
		}
		s.say(room, m) // messages of streams are nobody else's: they may be handed on
	}
}

func (s *usersServer) join(room string, out chan *pb.ChatMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rooms[room] == nil {
		s.rooms[room] = map[chan *pb.ChatMessage]bool{}
	}
	s.rooms[room][out] = true
}

// leave closes out, the first time.
func (s *usersServer) leave(room string, out chan *pb.ChatMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rooms[room][out] {
		close(out)
		delete(s.rooms[room], out)
		if len(s.rooms[room]) == 0 {
			delete(s.rooms, room)
		}
	}
}

// say gives m to everybody in the room who is not too slow.
func (s *usersServer) say(room string, m *pb.ChatMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for out := range s.rooms[room] {
		select {
		case out <- m:
		default:
		}
	}
}

type tracesServer struct{ pb.UnimplementedTracesServer }

// Export counts spans and attributes.
func (tracesServer) Export(ctx context.Context, in *pb.ExportRequest) (*pb.ExportReply, error) {
	reply := arena.New[pb.ExportReply](arena.FromContext(ctx))
	for _, r := range in.ResourceSpans {
		reply.Attributes += int64(len(r.Attributes))
		for _, s := range r.Spans {
			reply.Spans++
			reply.Attributes += int64(len(s.Attributes))
			for _, e := range s.Events {
				reply.Attributes += int64(len(e.Attributes))
			}
		}
	}
	return reply, nil
}
