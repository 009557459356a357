package arenapb

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A decodeError is the reason for which an input is not a message.
// [proto.Error] stands for all of them, as for those of package proto.
type decodeError string

func (e decodeError) Error() string        { return "proto: " + string(e) }
func (e decodeError) Is(target error) bool { return target == proto.Error }

const (
	errDecode decodeError = "cannot parse invalid wire-format data"
	errDepth  decodeError = "exceeded maximum recursion depth"
)

func errUTF8(name protoreflect.FullName) error {
	return decodeError("field " + string(name) + " contains invalid UTF-8")
}
