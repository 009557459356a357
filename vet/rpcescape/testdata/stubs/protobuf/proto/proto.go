// Package proto stands for the package of this name: it has what the cases use.
package proto

import "reflect"

// A Message is a protobuf message.
type Message interface {
	Reset()
	String() string
	ProtoMessage()
}

// Clone returns a deep copy of m.
func Clone(m Message) Message {
	c := reflect.New(reflect.TypeOf(m).Elem()).Interface().(Message)
	Merge(c, m)
	return c
}

// CloneOf is Clone for a type.
func CloneOf[M Message](m M) M { return Clone(m).(M) }

// Merge copies what is set in src to dst.
func Merge(dst, src Message) {}

// Marshal returns the encoding of m.
func Marshal(m Message) ([]byte, error) { return []byte(m.String()), nil }

// Equal reports whether two messages are the same.
func Equal(x, y Message) bool { return x.String() == y.String() }
