// Package streamall has handlers of streams whose strings are recycled, too.
package streamall

import (
	"fmt"
	"io"
	"strings"

	"google.golang.org/grpc"

	"cases/pb"

	"lessgc/arena"
	"lessgc/rpc/arenagrpc"
)

// all is by the name of a constant.
const method = "/users.Users/BadNames"

func newServer() *grpc.Server {
	s := grpc.NewServer()
	pb.RegisterUsersServer(arenagrpc.Register(s, arenagrpc.Options{Methods: map[string]arenagrpc.MethodOptions{
		method:                     {Policy: arena.RecycleAll, PerMessage: true},
		"/users.Users/GoodNames":   {Policy: arena.RecycleAll, PerMessage: true},
		"/users.Users/BadName":     {Policy: arena.RecycleAll, PerMessage: true},
		"/users.Users/GoodName":    {Policy: arena.RecycleAll, PerMessage: true},
		"/users.Users/BadReply":    {Policy: arena.RecycleAll, PerMessage: true},
		"/users.Users/GoodReply":   {Policy: arena.RecycleAll, PerMessage: true},
		"/users.Users/BadPrevious": {Policy: arena.RecycleAll, PerMessage: true},
		"/users.Users/GoodTwice":   {Policy: arena.RecycleAll, PerMessage: true},
		"/users.Twice/GoodTwice":   {Policy: arena.RecycleAll},
		"/users.Twice/Import":      {Policy: arena.RecycleAll, PerMessage: true},
	}}), &server{})
	return s
}

type server struct {
	name  string
	texts chan string
	last  *pb.PutRequest
}

func (s *server) BadNames(stream pb.Users_ImportServer) error {
	var names []string
	for {
		m, err := stream.Recv()
		if err == io.EOF {
			s.name = strings.Join(names, ",") // want "recycled when the next one was received"
			return stream.SendAndClose(&pb.PutReply{})
		}
		if err != nil {
			return err
		}
		names = append(names, m.GetName())
	}
}

func (s *server) GoodNames(stream pb.Users_ImportServer) error {
	var names []string
	for {
		m, err := stream.Recv()
		if err == io.EOF {
			s.name = strings.Join(names, ",")
			return stream.SendAndClose(&pb.PutReply{})
		}
		if err != nil {
			return err
		}
		names = append(names, strings.Clone(m.GetName()))
	}
}

func (s *server) BadName(stream pb.Users_ImportServer) error {
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		s.name = m.GetName()      // want "outlives the message"
		s.texts <- m.GetTags()[0] // want "outlives the message"
	}
}

func (s *server) GoodName(stream pb.Users_ImportServer) error {
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		s.name = strings.Clone(m.GetName())
		s.texts <- fmt.Sprint(m.GetTags())
	}
}

func (s *server) BadReply(stream pb.Users_ImportServer) error {
	reply := &pb.PutReply{}
	for {
		m, err := stream.Recv()
		if err == io.EOF {
			return stream.SendAndClose(reply) // want "recycled when the next one was received"
		}
		if err != nil {
			return err
		}
		reply.Name = m.GetName()
	}
}

func (s *server) GoodReply(stream pb.Users_ImportServer) error {
	reply := &pb.PutReply{}
	for {
		m, err := stream.Recv()
		if err == io.EOF {
			return stream.SendAndClose(reply)
		}
		if err != nil {
			return err
		}
		reply.Name = strings.Clone(m.GetName())
		reply.Count += int64(len(m.GetName()))
	}
}

func (s *server) BadPrevious(stream pb.Users_ChatServer) error {
	previous := ""
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		if m.GetName() == previous { // want "recycled when the next one was received"
			continue
		}
		previous = m.GetName()
	}
}

// GoodTwice may be the method of the other service.
func (s *server) GoodTwice(stream grpc.BidiStreamingServer[pb.PutRequest, pb.PutReply]) error {
	m, err := stream.Recv()
	s.last = m
	return err
}

// A goodServer is of another service than that of the options, by what it embeds.
type goodServer struct {
	pb.UnimplementedUsersServer
	last *pb.PutRequest
}

func (s *goodServer) Import(stream grpc.ClientStreamingServer[pb.PutRequest, pb.PutReply]) error {
	m, err := stream.Recv()
	s.last = m
	return err
}

// A plainServer is so by the type of the stream.
type plainServer struct{ last *pb.PutRequest }

func (s *plainServer) Import(stream pb.Users_ImportServer) error {
	m, err := stream.Recv()
	s.last = m
	return err
}
