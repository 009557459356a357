package arenapb

import (
	"maps"
	"reflect"
	"sync"
	"sync/atomic"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/runtime/protoimpl"

	"lessgc/internal/untyped"
)

// An extension describes how the values of an extension are decoded into the arena. Extensions
// that are not are left to package proto, and are nil.
type extension struct {
	xt    protoreflect.ExtensionType
	wire  protowire.Type
	slice reflect.Type // of a list, []*M, else nil
	field
}

// extensions holds the extensions of one message type that were looked up, by number.
type extensions struct {
	offset uintptr // of the map in the message

	known atomic.Pointer[map[protowire.Number]*extension]
	sync.Mutex
}

// maxNone bounds how many numbers without an extension are noted: an input may have any.
const maxNone = 256

// extension returns how extension num of the messages of t is decoded, or nil.
func (d *decoder) extension(t *table, num protowire.Number) *extension {
	var x *extension
	var known bool
	if m := t.extensions.known.Load(); m != nil {
		x, known = (*m)[num]
	}
	if !known {
		x = t.findExtension(num)
	}
	return x
}

// findExtension looks for extension num and notes the result. A type that is registered stays
// so; one that is registered after it was noted as missing is left to package proto.
//
//go:noinline
func (t *table) findExtension(num protowire.Number) *extension {
	x := t.newExtension(num)
	e := t.extensions
	e.Lock()
	defer e.Unlock()
	m := map[protowire.Number]*extension{}
	if old := e.known.Load(); old != nil {
		if x == nil && len(*old) >= maxNone {
			return nil
		}
		m = maps.Clone(*old)
	}
	m[num] = x
	e.known.Store(&m)
	return x
}

// newExtension returns how extension num is decoded, which is nil if it is not registered, or
// its values are not messages with a table, strings or bytes.
func (t *table) newExtension(num protowire.Number) *extension {
	if t.desc.Fields().ByNumber(num) != nil { // with another wire type
		return nil
	}
	xt, err := protoregistry.GlobalTypes.FindExtensionByNumber(t.desc.FullName(), num)
	if err != nil {
		return nil
	}
	if _, ok := xt.(*protoimpl.ExtensionInfo); !ok {
		return nil
	}
	xd := xt.TypeDescriptor().Descriptor()
	k := kinds[xd.Kind()]
	x := &extension{xt: xt, wire: k.wire}
	x.op, x.name = k.op, xd.FullName()
	x.setKey(num, k.wire)
	typ := reflect.TypeOf(xt.InterfaceOf(xt.Zero()))
	switch {
	case k.op == opString && !xd.IsList() && typ.Kind() == reflect.String:
		x.utf8 = enforcesUTF8(xd)
	case k.op == opBytes && !xd.IsList():
	case k.op == opMessage || k.op == opGroup:
		if xd.IsList() {
			x.slice, typ = typ, typ.Elem()
		}
		m, ok := reflect.Zero(typ).Interface().(proto.Message)
		if !ok {
			return nil
		}
		table := tableOf(m)
		if table == nil || table.fallback {
			return nil
		}
		x.sub = table.self
		if xd.IsList() {
			x.op = opMessages
			tables.Lock()
			x.list = slabFor(typ)
			tables.Unlock()
		}
	default:
		return nil
	}
	return x
}

// extended decodes an extension of the message at m, which ends at end. The value is the n bytes
// at pos. It returns the position behind what it decoded, or -1; or pos if that is left to
// package proto.
func (d *decoder) extended(t *table, m pointer, key uint64, pos, n, end int) int {
	if d.resolver != nil && d.resolver != Resolver(protoregistry.GlobalTypes) {
		return pos
	}
	num, wire := protowire.Number(key>>3), protowire.Type(key&7)
	x := d.extension(t, num)
	if x == nil || x.wire != wire {
		return pos
	}
	all := as[protoimpl.ExtensionFields](plus(m, t.extensions.offset))
	is := (*all)[int32(num)]
	if is.IsSet() && is.Type() != x.xt {
		return pos
	}
	value, next := is.Value(), pos+n
	switch {
	case x.op == opString:
		var s string
		if d.text(&x.field, pointerTo(&s), pos, next) < 0 {
			return -1
		}
		value = protoreflect.ValueOfString(s)
	case x.op == opBytes:
		size, start := d.size(pos, next)
		value = protoreflect.ValueOfBytes(d.bytesAt(start, size))
	default:
		depth := d.depth
		d.depth = protowire.DefaultRecursionLimit // package proto starts anew, too
		if x.slice != nil && wire == protowire.BytesType {
			value, next = d.extendedList(x, value, pos, end)
		} else {
			value = d.extendedMessage(x, value, pos, n)
		}
		d.depth = depth
		if next < 0 || !value.IsValid() {
			return -1
		}
	}
	is.Set(x.xt, value)
	if *all == nil {
		*all = protoimpl.ExtensionFields{}
	}
	(*all)[int32(num)] = is
	return next
}

// below returns the table of an extension's messages.
func (d *decoder) below(x *extension) *lazyTable {
	if d.kept == nil {
		return x.sub.twin
	}
	return x.sub
}

// extendedMessage decodes a message of extension x, whose value is before. It returns the new
// value, or an invalid one.
func (d *decoder) extendedMessage(x *extension, before protoreflect.Value, pos, n int) (none protoreflect.Value) {
	below := d.below(x)
	sub := below.get()
	var p pointer
	if x.slice == nil && before.IsValid() {
		p = reflect.ValueOf(before.Message().Interface()).UnsafePointer()
	} else {
		p = d.slab(below.slab).New()
	}
	end := pos + n
	if x.wire == protowire.BytesType {
		_, pos = d.size(pos, end)
	} else {
		content, _ := protowire.ConsumeGroup(protowire.Number(x.key>>3), bytesAt(d.base, pos, n))
		end = pos + len(content)
	}
	if d.sub(sub, p, pos, end, 0) < 0 {
		return none
	}
	v := sub.value(p)
	if x.slice == nil {
		return v
	}
	if !before.IsValid() {
		before = x.xt.New()
	}
	before.List().Append(v)
	return before
}

// extendedList decodes a run of messages of the list x, whose value is before. It returns the new
// value, and the position behind the run or -1.
func (d *decoder) extendedList(x *extension, before protoreflect.Value, pos, end int) (protoreflect.Value, int) {
	f := x.field
	f.sub = d.below(x)
	run := new(slice)
	next := d.messages(&f, run, pos, end)
	if next < 0 {
		return before, -1
	}
	if !before.IsValid() {
		return x.xt.ValueOf(reflect.NewAt(x.slice, pointerTo(run)).Elem().Interface()), next
	}
	l := before.List()
	for _, p := range sliceAt[pointer](run.data, run.len) {
		l.Append(f.sub.get().value(p))
	}
	return before, next
}

// value returns the message at p, of a table that is not a fallback, as one of reflection.
func (t *table) value(p pointer) protoreflect.Value {
	var m proto.Message
	*as[iface](pointerTo(&m)) = iface{t.typ, p}
	return protoreflect.ValueOfMessage(m.ProtoReflect())
}

// Package deep does not see what a protoreflect.Value points to.
func init() {
	if !lazyExtensions {
		untyped.Opaques[reflect.TypeFor[protoimpl.ExtensionFieldV1]()] = untyped.Opaque{Get: insideOf, Set: setInside}
	}
}

// insideOf returns what the extension at p points to: n values of type elem, at data.
func insideOf(p pointer) (elem reflect.Type, n int, data pointer) {
	x := as[protoimpl.ExtensionFieldV1](p)
	if !x.IsSet() {
		return nil, 0, nil
	}
	switch v := reflect.ValueOf(x.Type().InterfaceOf(x.Value())); v.Kind() {
	case reflect.String:
		s := v.String()
		return reflect.TypeFor[byte](), len(s), dataOf(bytesOf(s))
	case reflect.Slice:
		return v.Type().Elem(), v.Cap(), v.UnsafePointer()
	case reflect.Pointer:
		return v.Type().Elem(), 1, v.UnsafePointer()
	}
	return nil, 0, nil
}

// setInside makes the extension at p point to data, which is like what insideOf returned.
func setInside(p, data pointer) {
	x := as[protoimpl.ExtensionFieldV1](p)
	v := reflect.ValueOf(x.Type().InterfaceOf(x.Value()))
	switch v.Kind() {
	case reflect.String:
		v = reflect.ValueOf(textAt(data, v.Len())).Convert(v.Type())
	case reflect.Slice:
		v = reflect.SliceAt(v.Type().Elem(), data, v.Len())
	case reflect.Pointer:
		v = reflect.NewAt(v.Type().Elem(), data)
	}
	x.Set(x.Type(), x.Type().ValueOf(v.Interface()))
}
