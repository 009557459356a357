package arenapb

import (
	"reflect"
	"sync/atomic"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// An op is what is done with a field of one wire type.
type op uint8

const (
	opVarint64 op = iota
	opVarint32
	opBool
	opZigzag32
	opZigzag64
	opFixed32
	opFixed64
	opString
	opBytes
	opMessage
	opGroup

	opPacked   // several scalars in one value
	opList     // of scalars, one by one
	opStrings  // list of strings
	opBytesees // list of bytes
	opMessages // list of messages
	opGroups
	opMap
	opModal       // see mode
	opOneofString // opModal with a string in a oneof
)

// A mode is what has to be done before the op of a field, or with it.
type mode uint8

const (
	modePointer  mode = 1 << iota // the value is behind a pointer: optional scalars
	modeOneof                     // the value is in a wrapper, behind an interface
	modeRequired                  // note that it was there
	modeNonNil                    // of bytes: an empty value is not nil
	modePresence                  // note it in the message's bits: opaque API
	modeHeader                    // the slice is behind a pointer: opaque API
)

// A field is how one field of a message is decoded from one wire type.
type field struct {
	op      op
	modalOp op // of opModal and what follows it
	elemOp  op // of opPacked and opList
	mode    mode
	utf8    bool  // strings are checked
	lax     bool  // required fields of the message are not
	size    uint8 // of an element of a list of scalars, in bytes
	keyLen  uint8 // of key, as it should be encoded, in bytes
	offset  uintptr
	keyBits uint64 // key, as it should be encoded

	sub  *table
	slab *slabType      // of what is pointed to: optional values, wrappers, slices
	list *slabType      // of a list's array
	tab  unsafe.Pointer // of a oneof's interface with this wrapper in it

	key      uint64 // the field's number and wire type
	presence int    // from the field to the word with its bit, in bytes
	bit      uint32 // in that word
	required uint64 // bit of a required field
	entry    *entry // of a map
	name     protoreflect.FullName
}

// plainOp returns what is done with the field after its mode.
func (f *field) plainOp() op {
	if f.op >= opModal {
		return f.modalOp
	}
	return f.op
}

// A table is how messages of one Go type are decoded. Once it is published it is
// never changed.
type table struct {
	typ  unsafe.Pointer // type word of the pointer to the Go type
	fast [128]step      // by key
	more map[uint64]*field

	elem    reflect.Type // the struct
	desc    protoreflect.MessageDescriptor
	size    uintptr
	slab    *slabType
	unknown uintptr // offset of the unknown fields, or 0

	special     bool // one of the following is not zero
	numRequired int
	extendable  bool // unknown fields may be extensions
	fallback    bool // left to package proto
	lazy        bool // there may be parts that package proto has yet to decode: nothing is merged with them
	why         string
}

// A step is a field with what most of them need beside it, so that one load gets
// all of that.
type step struct {
	field  *field // nil if there is none
	offset uint32
	op     op
}

func stepOf(f *field) step {
	if f == nil {
		return step{}
	}
	return step{f, uint32(f.offset), f.op}
}

// find returns the field of a key, or nil.
func (t *table) find(key uint64) *field {
	if key < uint64(len(t.fast)) {
		return t.fast[key].field
	}
	return t.more[key]
}

// reason returns why t, or a table of what it may hold, is not used; "" if all are.
func (t *table) reason(seen map[*table]bool) string {
	if t.fallback {
		return t.elem.String() + ": " + t.why
	}
	seen[t] = true
	check := func(f *field) string {
		if f == nil {
			return ""
		}
		sub := f.sub
		if f.entry != nil {
			sub = f.entry.sub
		}
		if sub == nil || seen[sub] {
			return ""
		}
		return sub.reason(seen)
	}
	for _, s := range t.fast {
		if why := check(s.field); why != "" {
			return why
		}
	}
	for _, f := range t.more {
		if why := check(f); why != "" {
			return why
		}
	}
	return ""
}

// message returns the message at p as one.
func (t *table) message(p unsafe.Pointer) proto.Message {
	return reflect.NewAt(t.elem, p).Interface().(proto.Message)
}

// slabTypes is how many there are.
var slabTypes atomic.Int32

// A slabType is a type that memory is needed for.
type slabType struct {
	ptr any // a nil pointer to it
	id  uint32
}

// lookups is how many places there are for tables that were used of late.
const lookups = 256

var recent [lookups]atomic.Pointer[table]

// tableOf returns the table for m, or nil if m is nothing that has one.
func tableOf(m proto.Message) *table {
	if m == nil {
		return nil
	}
	typ := (*iface)(unsafe.Pointer(&m)).tab // one per type, as long as the interface is the same
	place := &recent[(uintptr(typ)>>5^uintptr(typ)>>13)%lookups]
	if t := place.Load(); t != nil && t.typ == typ {
		return t
	}
	t := build(m)
	if t == nil || t.typ != typ {
		return t
	}
	place.Store(t)
	return t
}
