// Package lent lets package arenagrpc decode from a buffer of its own, and encode to one of package arenapb.
package lent

import (
	"google.golang.org/protobuf/proto"

	"lessgc/arena"
)

// Unmarshal is arenapb.Unmarshal from b, with a capacity of arenapb.Slack bytes more than its length: it is
// read during the call, and not afterwards, so that no copy is needed of what the message keeps no part of. Package
// arenapb sets it.
var Unmarshal func(a *arena.Arena, b []byte, m proto.Message) error

// Marshal returns what [proto.Marshal] does, in memory that is valid until release is called, or nil and
// nil if package proto is to do it, for an error too. Package arenapb sets it.
var Marshal func(m proto.Message) (b []byte, release func())

// Fallback is arenapb.Fallback, of the types that messages of this process had so far. Package arenapb
// sets it.
var Fallback func(m proto.Message) string
