package stream

import (
	"fmt"
	"log"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"cases/pb"
)

// A tap sees what streams receive.
type tap struct {
	messages chan any
	counts   map[string]any
	recent   []any
	last     any
}

func (t *tap) stream(srv any, ss grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
	if info.FullMethod == "" {
		return handler(srv, &goodLast{ServerStream: ss})
	}
	return handler(srv, &badTap{ServerStream: ss, tap: t})
}

type badTap struct {
	grpc.ServerStream
	tap *tap
}

func (w *badTap) RecvMsg(m any) error {
	err := w.ServerStream.RecvMsg(m)
	w.tap.messages <- m                    // want "outlives the message"
	w.tap.counts["last"] = m               // want "outlives the message"
	w.tap.recent = append(w.tap.recent, m) // want "outlives the message"
	go log.Print(m)                        // want "outlives the message"
	return err
}

type badAll struct {
	grpc.ServerStream
	all []*pb.PutRequest
}

func (w *badAll) RecvMsg(m any) error {
	if err := w.ServerStream.RecvMsg(m); err != nil {
		return err
	}
	if in, ok := m.(*pb.PutRequest); ok {
		w.all = append(w.all, in) // want "outlives the message"
	}
	return nil
}

// A goodLast has the last message, until the next one.
type goodLast struct {
	grpc.ServerStream
	last any
	n    int
}

func (w *goodLast) RecvMsg(m any) error {
	err := w.ServerStream.RecvMsg(m)
	w.last = m
	w.n++
	return err
}

func (w *goodLast) SendMsg(m any) error {
	log.Print(w.last, m)
	return w.ServerStream.SendMsg(m)
}

// A goodTap copies.
type goodTap struct {
	grpc.ServerStream
	tap *tap
}

func (w *goodTap) RecvMsg(m any) error {
	err := w.ServerStream.RecvMsg(m)
	if m, ok := m.(proto.Message); ok {
		w.tap.messages <- proto.Clone(m)
	}
	w.tap.recent = append(w.tap.recent, fmt.Sprint(m))
	return err
}

// A goodOther wraps no stream.
type goodOther struct{ last any }

func (w *goodOther) RecvMsg(m any) error {
	w.last = m
	recent = append(recent, m)
	return nil
}

var recent []any
