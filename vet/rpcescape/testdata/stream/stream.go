// Package stream has handlers of streams, whose messages are recycled one by one.
package stream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"cases/pb"

	"lessgc/arena"
	"lessgc/arena/deep"
	"lessgc/rpc/arenagrpc"
)

var (
	perMessage = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	changed    = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
)

func init() { changed.PerMessage = false }

func newServer() *grpc.Server {
	s := grpc.NewServer()
	o := arenagrpc.Options{Methods: map[string]arenagrpc.MethodOptions{
		"/users.Users/BadField":      {Policy: arena.RecycleTyped, PerMessage: true},
		"/users.Users/GoodSafe":      {PerMessage: true},
		"/users.Users/GoodWithout":   {Policy: arena.RecycleTyped},
		"/users.Users/BadVariable":   perMessage,
		"/users.Users/GoodVariable":  changed,
		"/other.Others/GoodOtherOne": {Policy: arena.RecycleTyped, PerMessage: true},
		"/users.Users/GoodOff":       {Policy: arena.RecycleTyped, PerMessage: false},
		"/users.Users/GoodHeap":      {Policy: arena.RecycleTyped, PerMessage: true, Heap: true},
	}}
	for _, name := range []string{"x"} {
		o.Methods[name] = perMessage
	}
	o.Methods["/users.Users/GoodField"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadOldStyle"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodOldStyle"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadRecvMsg"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodRecvMsg"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadSend"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodSend"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodAnswered"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadGo"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodGo"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadWaitsLate"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadErrgroup"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodWaits"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodErrgroup"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadReader"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodReader"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodFirstByGoroutine"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodSession"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodTakenBack"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadList"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodList"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadCollected"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodCollected"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodCounted"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadRanged"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodRangedNames"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadParts"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodEach"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodNew"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadBatch"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodEmptied"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadWindow"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadMapRanged"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadInfo"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodInfo"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadBroadcast"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodAsked"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadWriter"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodWriter"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodResetReply"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadAppendedReply"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadSelect"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadTwo"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodBatch"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadPrevious"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodPrevious"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodPreviousID"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadHeader"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodHeader"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodSometimes"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodFor"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadFor"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadMap"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodMap"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadReply"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodReply"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodEcho"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/GoodVariables"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	o.Methods["/users.Users/BadLast"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	pb.RegisterUsersServer(arenagrpc.Register(s, o), &server{})
	return s
}

type server struct {
	pb.UnimplementedUsersServer

	mu    sync.Mutex
	last  *pb.PutRequest
	owner *pb.User
	name  string
	users map[int64]*pb.User
	ids   map[string]int64
	all   []*pb.PutRequest
	batch []*pb.User
	jobs  chan *pb.PutRequest
	texts chan string
	acks  chan int
	data  []byte
}

type importServer = grpc.ClientStreamingServer[pb.PutRequest, pb.PutReply]

type chatServer = grpc.BidiStreamingServer[pb.PutRequest, pb.PutReply]

var (
	latest *pb.PutRequest
	total  int64
)

func (s *server) process(m *pb.PutRequest) { total += m.GetOwner().GetId() }
func (s *server) save(users []*pb.User) {
	for _, u := range users {
		total += u.GetId()
	}
}
func (s *server) saveAll(all []*pb.PutRequest) {
	for _, m := range all {
		s.process(m)
	}
}
func (s *server) remember(u *pb.User) { s.users[u.GetId()] = u }
func count(all []*pb.PutRequest) int  { return len(all) }

// Kept beyond the handler.

func (s *server) BadField(stream importServer) error {
	for {
		m, err := stream.Recv()
		if err == io.EOF {
			return stream.SendAndClose(&pb.PutReply{})
		}
		if err != nil {
			return err
		}
		s.last = m // want "outlives the message"
	}
}

func (s *server) GoodField(stream importServer) error {
	for {
		m, err := stream.Recv()
		if err == io.EOF {
			return stream.SendAndClose(&pb.PutReply{})
		}
		if err != nil {
			return err
		}
		s.last = proto.CloneOf(m)
		s.owner = deep.Clone(m.GetOwner())
		s.name = m.GetName()
		s.data = m.GetData()
		s.ids[m.GetOwner().GetName()] = m.GetOwner().GetId()
	}
}

// BadOldStyle has the interface that was generated before generics, without ServerStream here.
func (s *server) BadOldStyle(stream pb.Users_ChatServer) error {
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		s.users[m.GetOwner().GetId()] = m.GetOwner() // want "outlives the message"
		latest = m                                   // want "outlives the message"
		s.remember(m.GetOwner().GetFriend())         // want "outlives the message"
		if err := stream.Send(&pb.PutReply{First: m.GetOwner()}); err != nil {
			return err
		}
	}
}

func (s *server) GoodOldStyle(stream pb.Users_ChatServer) error {
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		s.process(m)
		if err := stream.Send(&pb.PutReply{First: m.GetOwner(), Name: m.GetName()}); err != nil {
			return err
		}
	}
}

func (s *server) BadRecvMsg(stream chatServer) error {
	for {
		m := new(pb.PutRequest)
		if err := stream.RecvMsg(m); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		s.all = append(s.all, m) // want "outlives the message"
	}
}

func (s *server) GoodRecvMsg(stream chatServer) error {
	m := new(pb.PutRequest)
	for {
		if err := stream.RecvMsg(m); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		s.process(m)
		s.name = m.Name
	}
}

func (s *server) BadSend(stream chatServer) error {
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		s.jobs <- m // want "outlives the message"
	}
}

func (s *server) GoodSend(stream chatServer) error {
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		s.texts <- m.GetName()
		s.jobs <- proto.CloneOf(m)
	}
}

// GoodAnswered waits for the answer before it receives the next.
func (s *server) GoodAnswered(stream chatServer) error {
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		s.jobs <- m
		total += int64(<-s.acks)
	}
}

func (s *server) BadGo(stream chatServer) error {
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		go s.process(m) // want "outlives the message"
	}
}

func (s *server) GoodGo(stream chatServer) error {
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		go s.process(proto.CloneOf(m))
	}
}

// BadWaitsLate waits for its goroutines, but after other messages.
func (s *server) BadWaitsLate(stream importServer) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		wg.Go(func() { s.process(m) }) // want "outlives the message"
	}
}

func (s *server) BadErrgroup(stream importServer) error {
	g, _ := errgroup.WithContext(context.Background())
	for {
		m, err := stream.Recv()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		g.Go(func() error { // want "outlives the message"
			s.process(m)
			return nil
		})
	}
	return g.Wait()
}

func (s *server) GoodWaits(stream importServer) error {
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		var wg sync.WaitGroup
		for _, u := range m.GetUsers() {
			wg.Go(func() { s.save([]*pb.User{u}) })
		}
		wg.Wait()
	}
}

func (s *server) GoodErrgroup(stream importServer) error {
	g, _ := errgroup.WithContext(context.Background())
	for {
		m, err := stream.Recv()
		if err != nil {
			break
		}
		name, id := m.GetName(), m.GetOwner().GetId()
		g.Go(func() error {
			s.texts <- fmt.Sprint(name, id)
			return nil
		})
	}
	return g.Wait()
}

// BadReader receives in a goroutine, and hands messages on by a channel.
func (s *server) BadReader(stream chatServer) error {
	messages := make(chan *pb.PutRequest)
	go func() {
		defer close(messages)
		for {
			m, err := stream.Recv()
			if err != nil {
				return
			}
			messages <- m // want "outlives the message"
		}
	}()
	for m := range messages {
		s.process(m)
	}
	return nil
}

func (s *server) GoodReader(stream chatServer) error {
	messages := make(chan *pb.PutRequest)
	go func() {
		defer close(messages)
		for {
			m, err := stream.Recv()
			if err != nil {
				return
			}
			messages <- proto.CloneOf(m)
		}
	}()
	for m := range messages {
		s.process(m)
	}
	return nil
}

// GoodFirstByGoroutine receives one message there, and no other.
func (s *server) GoodFirstByGoroutine(stream chatServer) error {
	first := make(chan *pb.PutRequest, 1)
	var again *pb.PutRequest
	go func() {
		m, err := stream.Recv()
		if err != nil {
			close(first)
			return
		}
		again = m
		first <- m
	}()
	s.process(<-first)
	s.process(again)
	return nil
}

// A session is one stream, with the message it is at.
type session struct {
	s       *server
	stream  chatServer
	current *pb.PutRequest
}

func (x *session) handle() { x.s.process(x.current) }

func (s *server) GoodSession(stream chatServer) error {
	x := &session{s: s, stream: stream}
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		x.current = m
		x.handle()
	}
}

func (s *server) GoodTakenBack(stream chatServer) error {
	defer func() { s.last = nil }()
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		s.last = m
	}
}

// BadList answers a request with many messages: the request is received in the same way.
func (s *server) BadList(in *pb.PutRequest, stream grpc.ServerStreamingServer[pb.User]) error {
	s.last = in                                 // want "outlives the message"
	s.batch = append(s.batch, in.GetUsers()...) // want "outlives the message"
	for _, u := range in.GetUsers() {
		if err := stream.Send(u); err != nil {
			return err
		}
	}
	return nil
}

func (s *server) GoodList(in *pb.PutRequest, stream grpc.ServerStreamingServer[pb.User]) error {
	all := slices.Clone(in.GetUsers())
	for _, u := range all {
		s.name = u.GetName()
		if err := stream.Send(u); err != nil {
			return err
		}
	}
	return nil
}

// Used after the next message was received.

func (s *server) BadCollected(stream importServer) error {
	var all []*pb.PutRequest
	for {
		m, err := stream.Recv()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		all = append(all, m)
	}
	s.saveAll(all) // want "recycled when the next one was received"
	return stream.SendAndClose(&pb.PutReply{Count: int64(len(all))})
}

func (s *server) GoodCollected(stream importServer) error {
	var all []*pb.PutRequest
	for {
		m, err := stream.Recv()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		all = append(all, proto.CloneOf(m))
	}
	s.saveAll(all)
	return stream.SendAndClose(&pb.PutReply{Count: int64(len(all))})
}

// GoodCounted looks at how many there are only.
func (s *server) GoodCounted(stream importServer) error {
	var all []*pb.PutRequest
	for {
		m, err := stream.Recv()
		if err != nil {
			break
		}
		all = append(all, m)
	}
	return stream.SendAndClose(&pb.PutReply{Count: int64(count(all))})
}

func (s *server) BadRanged(stream importServer) error {
	var all []*pb.PutRequest
	for {
		m, err := stream.Recv()
		if err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		if m.GetLimit() > 0 {
			all = append(all, m)
		}
	}
	for _, m := range all { // want "recycled when the next one was received"
		s.process(m)
	}
	return nil
}

func (s *server) GoodRangedNames(stream importServer) error {
	var names []string
	for {
		m, err := stream.Recv()
		if err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		names = append(names, m.GetTags()...)
	}
	for _, name := range names {
		s.texts <- name
	}
	return nil
}

func (s *server) BadParts(stream importServer) error {
	var users []*pb.User
	for {
		m, err := stream.Recv()
		if err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		users = append(users, m.GetUsers()...)
	}
	s.save(users) // want "recycled when the next one was received"
	return nil
}

// GoodEach empties the list before each message.
func (s *server) GoodEach(stream importServer) error {
	var users []*pb.User
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		users = append(users[:0], m.GetUsers()...)
		users = append(users, m.GetOwner())
		s.save(users)
	}
}

// GoodNew has another list for each message.
func (s *server) GoodNew(stream importServer) error {
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		var users []*pb.User
		for _, u := range m.GetUsers() {
			users = append(users, u)
		}
		byID := map[int64]*pb.User{}
		for _, u := range users {
			byID[u.GetId()] = u
		}
		for _, u := range byID {
			total += u.GetId()
		}
		s.save(users)
	}
}

func (s *server) BadBatch(stream importServer) error {
	var batch []*pb.User
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		batch = append(batch, m.GetOwner())
		if len(batch) >= 100 {
			s.save(batch) // want "recycled when the next one was received"
			batch = batch[:0]
		}
	}
}

// GoodEmptied has nothing left in the list when it receives.
func (s *server) GoodEmptied(stream importServer) error {
	var batch, queue []*pb.User
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		batch = append(batch, m.GetOwner())
		s.save(batch)
		batch = batch[:0]
		queue = append(queue, m.GetUsers()...)
		for len(queue) > 0 {
			total += queue[0].GetId()
			queue = queue[1:]
		}
	}
}

// BadWindow has the last ten.
func (s *server) BadWindow(stream importServer) error {
	var window []*pb.PutRequest
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		window = append(window, m)
		if len(window) > 10 {
			window = window[1:]
		}
		s.process(window[0]) // want "recycled when the next one was received"
	}
}

func (s *server) GoodBatch(stream importServer) error {
	var batch []*pb.User
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		batch = append(batch, deep.Clone(m.GetOwner()))
		if len(batch) >= 100 {
			s.save(batch)
			batch = batch[:0]
		}
	}
}

func (s *server) BadPrevious(stream chatServer) error {
	var previous *pb.PutRequest
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		if previous != nil && previous.GetOwner().GetId() > m.GetOwner().GetId() { // want "recycled when the next one was received"
			return errors.New("not in order")
		}
		previous = m
	}
}

// GoodPrevious reads strings and numbers of the message itself, which is on the heap.
func (s *server) GoodPrevious(stream chatServer) error {
	var previous *pb.PutRequest
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		if previous != nil && previous.GetName() == m.GetName() && previous.Name != "" {
			return errors.New("twice")
		}
		previous = m
	}
}

func (s *server) GoodPreviousID(stream chatServer) error {
	last := int64(-1)
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		if id := m.GetOwner().GetId(); id <= last {
			return errors.New("not in order")
		} else {
			last = id
		}
	}
}

// BadHeader uses the first message with all others.
func (s *server) BadHeader(stream importServer) error {
	first, err := stream.Recv()
	if err != nil {
		return err
	}
	owner := first.GetOwner()
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		log.Print(owner.GetId(), m.GetName()) // want "recycled when the next one was received"
	}
}

func (s *server) GoodHeader(stream importServer) error {
	first, err := stream.Recv()
	if err != nil {
		return err
	}
	id, name := first.GetOwner().GetId(), first.GetOwner().GetName()
	s.process(first)
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		log.Print(id, name, m.GetName())
	}
}

// GoodSometimes receives in one branch only.
func (s *server) GoodSometimes(stream chatServer) error {
	var m *pb.PutRequest
	var err error
	for i := 0; i < 100; i++ {
		if i%2 == 0 {
			m, err = stream.Recv()
			if err != nil {
				return err
			}
		}
		s.process(m)
	}
	return nil
}

// GoodFor receives in two places, and each time uses what came last.
func (s *server) GoodFor(stream importServer) error {
	for m, err := stream.Recv(); err == nil; m, err = stream.Recv() {
		s.process(m)
	}
	return nil
}

func (s *server) BadFor(stream importServer) error {
	for m, err := stream.Recv(); err == nil; m, err = stream.Recv() {
		s.last = m // want "outlives the message"
	}
	return nil
}

func (s *server) BadMap(stream importServer) error {
	byID := map[int64]*pb.User{}
	for {
		m, err := stream.Recv()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if old := byID[m.GetOwner().GetId()]; old != nil { // want "recycled when the next one was received"
			log.Print(old.GetName())
		}
		byID[m.GetOwner().GetId()] = m.GetOwner()
	}
	return nil
}

func (s *server) BadMapRanged(stream importServer) error {
	byID := map[int64]*pb.User{}
	for {
		m, err := stream.Recv()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		byID[m.GetOwner().GetId()] = m.GetOwner()
	}
	for _, u := range byID { // want "recycled when the next one was received"
		s.name = u.GetName()
	}
	return nil
}

// GoodMap uses keys only, and whether there is one.
func (s *server) GoodMap(stream importServer) error {
	byID := map[int64]*pb.User{}
	for {
		m, err := stream.Recv()
		if err != nil {
			break
		}
		if _, twice := byID[m.GetOwner().GetId()]; twice || byID[0] != nil {
			return errors.New("twice")
		}
		byID[m.GetOwner().GetId()] = m.GetOwner()
	}
	for id := range byID {
		total += id
	}
	return nil
}

// BadReply collects in the reply.
func (s *server) BadReply(stream importServer) error {
	reply := new(pb.PutReply)
	for {
		m, err := stream.Recv()
		if err == io.EOF {
			return stream.SendAndClose(reply) // want "recycled when the next one was received"
		}
		if err != nil {
			return err
		}
		reply.First = m.GetOwner()
		reply.Count++
	}
}

func (s *server) GoodReply(stream importServer) error {
	reply := new(pb.PutReply)
	for {
		m, err := stream.Recv()
		if err == io.EOF {
			return stream.SendAndClose(reply)
		}
		if err != nil {
			return err
		}
		reply.Name = m.GetOwner().GetName()
		reply.Count++
	}
}

// GoodEcho answers each message before it receives the next.
func (s *server) GoodEcho(stream chatServer) error {
	reply := new(pb.PutReply)
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		reply.First = m.GetOwner()
		if err := stream.Send(reply); err != nil {
			return err
		}
	}
}

// GoodVariables hands over what came last, by a variable that a closure has.
func (s *server) GoodVariables(stream chatServer) error {
	var m *pb.PutRequest
	var err error
	work := func() { s.process(m) }
	for {
		if m, err = stream.Recv(); err != nil {
			return err
		}
		work()
	}
}

func (s *server) BadLast(stream importServer) error {
	var last *pb.PutRequest
	for {
		m, err := stream.Recv()
		if err != nil {
			break
		}
		last = m
	}
	s.last = last // want "outlives the message"
	return nil
}

// BadInfo has what came first in a oneof, and uses it with what comes next.
func (s *server) BadInfo(stream importServer) error {
	var info *pb.User
	var data []byte
	for {
		m, err := stream.Recv()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		switch x := m.GetSource().(type) {
		case *pb.PutRequest_Import:
			info = x.Import
		case *pb.PutRequest_File:
			data = append(data, m.GetData()...)
		}
	}
	s.name = info.GetName() + string(data) // want "recycled when the next one was received"
	return nil
}

func (s *server) GoodInfo(stream importServer) error {
	var name string
	var data []byte
	var chunks [][]byte
	for {
		m, err := stream.Recv()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		switch x := m.GetSource().(type) {
		case *pb.PutRequest_Import:
			name = x.Import.GetName()
		case *pb.PutRequest_File:
			data = append(data, m.GetData()...)
			chunks = append(chunks, m.GetData())
		}
	}
	s.name = name + string(data) + fmt.Sprint(chunks)
	return nil
}

func (s *server) broadcast(m *pb.PutRequest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jobs <- m
}

func (s *server) ask(m *pb.PutRequest) int {
	s.jobs <- m
	return <-s.acks
}

func (s *server) BadBroadcast(stream chatServer) error {
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		s.broadcast(m) // want "kept by broadcast"
	}
}

func (s *server) GoodAsked(stream chatServer) error {
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		total += int64(s.ask(m))
	}
}

// BadWriter has a goroutine that sends replies.
func (s *server) BadWriter(stream chatServer) error {
	replies := make(chan *pb.PutReply, 10)
	go func() {
		for r := range replies {
			if stream.Send(r) != nil {
				return
			}
		}
	}()
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		replies <- &pb.PutReply{First: m.GetOwner()} // want "outlives the message"
	}
}

func (s *server) GoodWriter(stream chatServer) error {
	replies := make(chan *pb.PutReply, 10)
	go func() {
		for r := range replies {
			if stream.Send(r) != nil {
				return
			}
		}
	}()
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		replies <- &pb.PutReply{Name: m.GetOwner().GetName()}
	}
}

// GoodResetReply empties the reply before each message.
func (s *server) GoodResetReply(stream chatServer) error {
	reply := new(pb.PutReply)
	for {
		proto.Merge(reply, &pb.PutReply{})
		reply.Reset()
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		if m.GetLimit() == 0 {
			if err := stream.Send(reply); err != nil {
				return err
			}
			continue
		}
		reply.First = m.GetOwner()
	}
}

func (s *server) BadAppendedReply(stream importServer) error {
	reply := new(pb.PutRequest)
	for {
		m, err := stream.Recv()
		if err == io.EOF {
			_, err = proto.Marshal(reply) // want "recycled when the next one was received"
			return err
		}
		if err != nil {
			return err
		}
		reply.Users = append(reply.Users, m.GetUsers()...)
	}
}

func (s *server) BadSelect(stream chatServer) error {
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		select {
		case s.jobs <- m: // want "outlives the message"
		case <-stream.Context().Done():
			return nil
		}
	}
}

// BadTwo keeps in two places.
func (s *server) BadTwo(stream chatServer) error {
	m, err := stream.Recv()
	if err != nil {
		return err
	}
	s.last = m                                 // want "outlives the message"
	s.batch = append(s.batch, m.GetUsers()...) // want "outlives the message"
	return nil
}

// Handlers for which it is not to be seen that messages are recycled.

func (s *server) GoodSafe(stream chatServer) error {
	m, err := stream.Recv()
	s.last = m
	return err
}

func (s *server) GoodWithout(stream chatServer) error {
	m, err := stream.Recv()
	s.last = m
	return err
}

func (s *server) BadVariable(stream chatServer) error {
	m, err := stream.Recv()
	s.last = m // want "outlives the message"
	return err
}

func (s *server) GoodVariable(stream chatServer) error {
	m, err := stream.Recv()
	s.last = m
	return err
}

func (s *server) GoodOtherOne(stream chatServer) error {
	m, err := stream.Recv()
	s.last = m
	return err
}

func (s *server) GoodOff(stream chatServer) error {
	m, err := stream.Recv()
	s.last = m
	return err
}

func (s *server) GoodHeap(stream chatServer) error {
	m, err := stream.Recv()
	s.last = m
	return err
}

func (s *server) GoodNotNamed(stream chatServer) error {
	m, err := stream.Recv()
	s.last = m
	return err
}
