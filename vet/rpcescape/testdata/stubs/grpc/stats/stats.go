// Package stats stands for the package of this name.
package stats

import (
	"context"
	"time"
)

// An RPCStats is one of the events.
type RPCStats interface {
	isRPCStats()
	IsClient() bool
}

// A Handler is told of events.
type Handler interface {
	HandleRPC(context.Context, RPCStats)
}

// An InPayload is the event of a message that came.
type InPayload struct {
	Client   bool
	Payload  any
	Length   int
	RecvTime time.Time
}

func (s *InPayload) IsClient() bool { return s.Client }
func (s *InPayload) isRPCStats()    {}

// An End is the event of the end.
type End struct{ Error error }

func (s *End) IsClient() bool { return false }
func (s *End) isRPCStats()    {}
