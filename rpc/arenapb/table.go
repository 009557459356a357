package arenapb

import (
	"math/bits"
	"reflect"
	"sync/atomic"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// An op selects how to decode a field of one wire type.
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
	opText        // opString in a table of strings that are not parts of the input, see keeping
)

// A mode selects the work before the op of a field, or with it.
type mode uint8

const (
	modePointer  mode = 1 << iota // the value is behind a pointer: optional scalars
	modeOneof                     // the value is in a wrapper, behind an interface
	modeRequired                  // note that it was there
	modeNonNil                    // of bytes: an empty value is not nil
	modePresence                  // note it in the message's bits: opaque API
	modeHeader                    // the slice is behind a pointer: opaque API
)

// A field describes how one field of a message is decoded from one wire type.
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

	sub  *lazyTable
	slab *slabType // of the values pointed to: optional values, wrappers, slices
	list *slabType // of a list's array
	tab  pointer   // of a oneof's interface with this wrapper in it

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

// A table describes how messages of one Go type are decoded. Once it is published it is never changed.
type table struct {
	typ  pointer   // type word of the pointer to the Go type
	fast [128]step // by key
	more []slot    // of longer keys, a hash table

	elem    reflect.Type // the struct
	desc    protoreflect.MessageDescriptor
	size    uintptr
	unknown uintptr // offset of the unknown fields, or 0

	special     bool // one of the following is not zero
	numRequired int
	extendable  bool        // unknown fields may be extensions
	extensions  *extensions // nil if all are left to package proto
	fallback    bool        // left to package proto
	why         string

	self *lazyTable

	aliases bool // a message, or one below it, may have strings or bytes, which are parts of the input
	flat    bool // a message has nothing but scalars in itself: nothing is allocated

	outs     []out // the fields of its messages to encode, by number
	noEncode bool  // package proto encodes them
	unsure   bool  // a message, or one below it, may lack required fields
}

// A lazyTable is the table of a Go type, which is made when it is needed: of all types that a request may
// hold, which are hundreds in some schemas, most are in none.
type lazyTable struct {
	table atomic.Pointer[table] // nil if it was not needed

	elem reflect.Type // the struct, nil of a twin
	size uintptr
	slab *slabType

	twin *lazyTable // see keeping, nil of a twin
	of   *lazyTable // of a twin: what it is the twin of
}

// get returns the table.
func (l *lazyTable) get() *table { return l.below(false) }

// below is get for messages below one; while the table of that is proved they are empty, and need none.
func (l *lazyTable) below(proving bool) *table {
	if t := l.table.Load(); t != nil {
		return t
	}
	return l.makeBelow(proving)
}

//go:noinline
func (l *lazyTable) makeBelow(proving bool) *table {
	if proving {
		return &nothing
	}
	return l.make()
}

// nothing stands for the tables below one that is proved.
var nothing table

// make makes the table.
//
//go:noinline
func (l *lazyTable) make() *table {
	tables.Lock()
	defer tables.Unlock()
	switch t := l.table.Load(); {
	case t != nil:
	case l.of == nil:
		l.table.Store(newTable(l))
	default: // what it is made of is not kept for that alone: most processes need one of the two
		original := l.of.table.Load()
		if original == nil {
			original = newTable(l.of)
		}
		twin := original.copy()
		if twin == original {
			l.of.table.Store(original)
		}
		l.table.Store(twin)
	}
	return l.table.Load()
}

// keeping returns a table that does the same as t, but has no strings decoded where that is inlined,
// as parts of the input.
func (t *table) keeping() *table {
	if t.self.twin == nil {
		return t
	}
	return t.self.twin.get()
}

// copy returns the table that keeping is to return: t itself if nothing is part of the input.
func (t *table) copy() *table {
	if t.fallback || !t.aliases {
		return t
	}
	k := &table{
		self: t.self.twin,
		typ:  t.typ, elem: t.elem, desc: t.desc, size: t.size, unknown: t.unknown,
		special: t.special, numRequired: t.numRequired, extendable: t.extendable, extensions: t.extensions, aliases: t.aliases, flat: t.flat,
	}
	of := func(f *field) *field {
		c := *f
		if c.op == opString {
			c.op, c.modalOp = opText, opString
		}
		if c.sub != nil {
			c.sub = c.sub.twin
		}
		if c.entry != nil && c.entry.sub != nil {
			e := *c.entry
			e.sub = e.sub.twin
			c.entry = &e
		}
		return &c
	}
	for i, s := range t.fast {
		if s.field != nil {
			k.fast[i] = stepOf(of(s.field))
		}
	}
	var long []*field
	for _, s := range t.more {
		if s.key != 0 {
			long = append(long, of(s.step.field))
		}
	}
	k.index(long)
	return k
}

// all calls f for all fields of t.
func (t *table) all(f func(*field)) {
	for _, s := range t.fast {
		if s.field != nil {
			f(s.field)
		}
	}
	for _, s := range t.more {
		if s.key != 0 {
			f(s.step.field)
		}
	}
}

// below returns the table of the messages that f may hold, or nil.
func (f *field) below() *lazyTable {
	if f.entry != nil {
		return f.entry.sub
	}
	return f.sub
}

// isText reports whether values of op are parts of the input.
func (o op) isText() bool { return o == opString || o == opBytes || o == opStrings || o == opBytesees }

// isFlat returns what flat is to be.
func (t *table) isFlat() bool {
	flat := !t.fallback && !t.extendable
	t.all(func(f *field) {
		flat = flat && !f.plainOp().isText() && f.below() == nil && f.entry == nil && f.list == nil && f.mode&(modePointer|modeOneof) == 0
	})
	return flat
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

// A slot is an element of table.more.
type slot struct {
	key  uint64 // 0 if it is free
	step step
}

// firstSlot returns where the search for a key begins. Fields with consecutive numbers have slots side
// by side, and those that may be packed or not two of these.
func firstSlot(key uint64) uint64 { return key>>2&^1 | key>>1&1 }

// index makes t.more of fields, which have keys that are not in t.fast.
func (t *table) index(fields []*field) {
	if len(fields) == 0 {
		return
	}
	size := uint64(1) << bits.Len(uint(4*len(fields)))
	t.more = make([]slot, size)
	for _, f := range fields {
		i := firstSlot(f.key)
		for t.more[i%size].key != 0 {
			i++
		}
		t.more[i%size] = slot{f.key, stepOf(f)}
	}
}

// longStep returns the step of a key that is not in t.fast.
func (t *table) longStep(key uint64) step {
	if len(t.more) == 0 {
		return step{}
	}
	mask := uint64(len(t.more) - 1)
	for i := firstSlot(key); ; i++ {
		switch s := &t.more[i&mask]; s.key {
		case key:
			return s.step
		case 0:
			return step{}
		}
	}
}

// find returns the field of a key, or nil.
func (t *table) find(key uint64) *field {
	if key < uint64(len(t.fast)) {
		return t.fast[key].field
	}
	return t.longStep(key).field
}

// reason returns why t, or a table of what it may hold, is not used; "" if all are. It looks at tables
// that were made, or at all, which it makes.
func (t *table) reason(seen map[*table]bool, all bool) string {
	if t.fallback {
		return t.elem.String() + ": " + t.why
	}
	seen[t] = true
	why := ""
	t.all(func(f *field) {
		l := f.below()
		if why != "" || l == nil {
			return
		}
		sub := l.table.Load()
		if sub == nil && all {
			sub = l.make()
		}
		if sub != nil && !seen[sub] {
			why = sub.reason(seen, all)
		}
	})
	return why
}

// message returns the message at p as one.
func (t *table) message(p pointer) proto.Message {
	return reflect.NewAt(t.elem, p).Interface().(proto.Message)
}

// slabTypes is the number of slab types.
var slabTypes atomic.Int32

// A slabType is a type that memory is needed for.
type slabType struct {
	ptr      any // a nil pointer to it
	id       int
	pointers bool
}

// lookups is the number of slots for tables that were used recently.
const lookups = 256

var recent [lookups]atomic.Pointer[table]

// tableOf returns the table for m, or nil if m is nothing that has one: no pointer to a struct.
func tableOf(m proto.Message) *table {
	if m == nil {
		return nil
	}
	typ := as[iface](pointerTo(&m)).tab // one per type, as long as the interface is the same
	place := &recent[(uintptr(typ)>>5^uintptr(typ)>>13)%lookups]
	if t := place.Load(); t != nil && t.typ == typ {
		return t
	}
	goType := reflect.TypeOf(m)
	if goType.Kind() != reflect.Pointer || goType.Elem().Kind() != reflect.Struct {
		return nil
	}
	tables.Lock()
	l := lazyTableFor(goType)
	tables.Unlock()
	t := l.get()
	if t.typ == typ {
		place.Store(t)
	}
	return t
}
