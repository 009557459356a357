package arenapb

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/runtime/protoimpl"

	"lessgc/internal/untyped"
)

// tables has all tables there are.
var tables struct {
	sync.Mutex
	m     map[reflect.Type]*lazyTable // by struct
	slabs map[reflect.Type]*slabType

	text     census // of types that have strings, bytes or extensions
	required census // of those that have required fields
}

// lazyTableFor returns that of a message type, a pointer to a struct. tables is locked.
func lazyTableFor(typ reflect.Type) *lazyTable {
	elem := typ.Elem()
	l := tables.m[elem]
	if l == nil {
		l = &lazyTable{elem: elem, size: elem.Size(), slab: slabFor(elem)}
		l.twin = &lazyTable{size: l.size, slab: l.slab, of: l}
		if tables.m == nil {
			tables.m = map[reflect.Type]*lazyTable{}
		}
		tables.m[elem] = l
	}
	return l
}

// newTable makes a table. tables is locked.
func newTable(l *lazyTable) *table {
	m := reflect.Zero(reflect.PointerTo(l.elem)).Interface().(proto.Message)
	t := &table{
		self: l,
		typ:  as[iface](pointerTo(&m)).tab,
		elem: l.elem,
		size: l.size,
	}
	new(builder).fill(t)
	t.special = t.extendable || t.numRequired > 0
	t.flat = t.isFlat()
	t.noEncode = t.extendable && t.extensions == nil
	slices.SortStableFunc(t.outs, func(a, b out) int { return cmp.Compare(a.order, b.order) })
	if !t.fallback {
		t.prove()
	}
	if t.fallback {
		t.special, t.noEncode = true, true
	}
	return t
}

// A census records which message types have something, in themselves or in messages below, as their descriptors say.
type census map[protoreflect.MessageDescriptor]bool

// has reports whether messages of type md, or those below one, may have what self says of one of them.
func (c *census) has(md protoreflect.MessageDescriptor, self func(protoreflect.MessageDescriptor) bool) bool {
	if *c == nil {
		*c = census{}
	}
	seen := census{}
	var below func(protoreflect.MessageDescriptor) bool
	below = func(md protoreflect.MessageDescriptor) bool {
		if has, ok := (*c)[md]; ok || seen[md] {
			return has
		}
		seen[md] = true
		has := self(md)
		for i := 0; i < md.Fields().Len() && !has; i++ {
			if sub := md.Fields().Get(i).Message(); sub != nil {
				has = below(sub)
			}
		}
		if has {
			(*c)[md] = true
		}
		return has
	}
	has := below(md)
	if !has {
		for md := range seen { // none of them has it, then
			(*c)[md] = false
		}
	}
	return has
}

func hasText(md protoreflect.MessageDescriptor) bool {
	for i := range md.Fields().Len() {
		if k := md.Fields().Get(i).Kind(); k == protoreflect.StringKind || k == protoreflect.BytesKind {
			return true
		}
	}
	return md.ExtensionRanges().Len() > 0
}

func hasRequired(md protoreflect.MessageDescriptor) bool { return md.RequiredNumbers().Len() > 0 }

// A builder fills in a table. tables is locked.
type builder struct {
	presence reflect.StructField // of a message with the opaque API: its bits
	long     []*field            // that have longer keys
}

// A hidden is how the opaque API stores a field. The zero hidden is what the
// open one does.
type hidden struct {
	at     uintptr // offset of the word with the field's bit
	bit    uint32  // in that word, 0 if it has none
	header bool    // the slice is behind a pointer
}

// slabFor returns the slab type of memory for values of type t. Scalars of the
// same size share one, as any bits are a value of each; bool is not one of them.
func slabFor(t reflect.Type) *slabType {
	switch t.Kind() {
	case reflect.Int32, reflect.Uint32, reflect.Float32:
		t = reflect.TypeFor[uint32]()
	case reflect.Int64, reflect.Uint64, reflect.Float64:
		t = reflect.TypeFor[uint64]()
	}
	s := tables.slabs[t]
	if s == nil {
		s = &slabType{reflect.Zero(reflect.PointerTo(t)).Interface(), len(tables.slabs), untyped.HasPointers(t)}
		if tables.slabs == nil {
			tables.slabs = map[reflect.Type]*slabType{}
		}
		tables.slabs[t] = s
		slabTypes.Store(int32(len(tables.slabs)))
	}
	return s
}

// An unfit is the reason for which a message is left to package proto.
type unfit string

// refuse ends the filling in of a table.
func refuse(format string, args ...any) { panic(unfit(fmt.Sprintf(format, args...))) }

// leave makes t one that leaves its messages to package proto, if what deferred it
// refused or panicked: the methods of a type that somebody made up may do anything.
func (t *table) leave() {
	switch why := recover().(type) {
	case nil:
	case unfit:
		t.fallback, t.why = true, string(why)
	default:
		t.fallback, t.why = true, fmt.Sprintf("its methods panic: %v", why)
	}
}

// fill makes the fields of t. If there is anything that this package does not
// know, t becomes one that leaves its messages to package proto.
func (b *builder) fill(t *table) {
	defer t.leave()
	if !littleEndian || ptrSize != 8 {
		refuse("the machine is not a little-endian one with 64 bits")
	}
	state, ok := t.elem.FieldByName("state")
	if !ok || state.Offset != 0 || state.Type != reflect.TypeFor[protoimpl.MessageState]() {
		refuse("its code is not by protoc-gen-go")
	}
	m, ok := reflect.New(t.elem).Interface().(protoreflect.ProtoMessage)
	if !ok {
		refuse("%v is not a message", t.elem)
	}
	r := m.ProtoReflect()
	if r.Interface() != m {
		refuse("its reflection is of something else")
	}
	t.desc = r.Descriptor()
	if d, ok := t.desc.(interface{ IsMessageSet() bool }); !ok || d.IsMessageSet() { // its options may not be linked in
		refuse("it is a MessageSet")
	}
	opaque := strings.HasPrefix(state.Tag.Get("protogen"), "opaque.")
	t.extendable = t.desc.ExtensionRanges().Len() > 0
	defer func() { t.index(b.long) }()
	byNumber := map[protowire.Number]reflect.StructField{}
	oneofs := map[protoreflect.Name]reflect.StructField{}
	for i := range t.elem.NumField() {
		f := t.elem.Field(i)
		switch {
		case f.Name == "unknownFields":
			if f.Type.Kind() != reflect.Slice || f.Type.Elem().Kind() != reflect.Uint8 {
				refuse("unknown fields are a %v", f.Type)
			}
			t.unknown = f.Offset
		case f.Type == reflect.TypeFor[protoimpl.ExtensionFields]() && !lazyExtensions:
			t.extensions = &extensions{offset: f.Offset}
		case f.Name == "XXX_lazyUnmarshalInfo":
			refuse("it has fields that are decoded when they are asked for")
		case f.Name == "XXX_presence":
			if !opaque || f.Type.Kind() != reflect.Array || f.Type.Elem().Kind() != reflect.Uint32 {
				refuse("its presence is a %v", f.Type)
			}
			b.presence = f
		case f.Tag.Get("protobuf_oneof") != "":
			oneofs[protoreflect.Name(f.Tag.Get("protobuf_oneof"))] = f
		case f.Tag.Get("protobuf") != "":
			byNumber[numberIn(f.Tag.Get("protobuf"))] = f
		}
	}
	t.aliases, t.unsure = tables.text.has(t.desc, hasText), tables.required.has(t.desc, hasRequired)
	fields := t.desc.Fields()
	for i := range fields.Len() {
		fd := fields.Get(i)
		if oneof := fd.ContainingOneof(); oneof != nil && !oneof.IsSynthetic() {
			b.oneof(t, fd, r, oneofs[oneof.Name()])
			continue
		}
		sf, ok := byNumber[fd.Number()]
		if !ok {
			refuse("there is no Go field for %s", fd.Name())
		}
		if opaque {
			b.opaque(t, fd, r, sf)
		} else {
			b.field(t, fd, sf, hidden{})
		}
	}
}

// opaque adds a field of a message with the opaque API that is not in a oneof.
// Which bit notes that it is there is seen when it is set by reflection.
func (b *builder) opaque(t *table, fd protoreflect.FieldDescriptor, r protoreflect.Message, sf reflect.StructField) {
	var h hidden
	if fd.IsList() && fd.Message() != nil {
		if sf.Type.Kind() != reflect.Pointer {
			refuse("%s is a %v in Go", fd.Name(), sf.Type)
		}
		sf.Type, h.header = sf.Type.Elem(), true
	}
	var words []uint32
	if b.presence.Type != nil {
		m := r.New()
		setExample(m, fd, 1)
		p := reflect.ValueOf(m.Interface()).UnsafePointer()
		words = sliceAt[uint32](plus(p, b.presence.Offset), b.presence.Type.Len())
	}
	for i, w := range words {
		if w&(w-1) != 0 || w != 0 && h.bit != 0 {
			refuse("%s sets several bits", fd.Name())
		}
		if w != 0 {
			h.at, h.bit = b.presence.Offset+uintptr(i)*4, w
		}
	}
	b.field(t, fd, sf, h)
}

// numberIn returns the field's number in a struct tag such as "bytes,1,opt,name=a".
func numberIn(tag string) protowire.Number {
	for part := range strings.SplitSeq(tag, ",") {
		if n, err := strconv.Atoi(part); err == nil {
			return protowire.Number(n)
		}
	}
	return 0
}

// A kind describes how values of one kind of field are decoded, and their type in Go.
type kind struct {
	op   op
	wire protowire.Type
	in   reflect.Kind
}

var kinds = map[protoreflect.Kind]kind{
	protoreflect.BoolKind:     {opBool, protowire.VarintType, reflect.Bool},
	protoreflect.EnumKind:     {opVarint32, protowire.VarintType, reflect.Int32},
	protoreflect.Int32Kind:    {opVarint32, protowire.VarintType, reflect.Int32},
	protoreflect.Sint32Kind:   {opZigzag32, protowire.VarintType, reflect.Int32},
	protoreflect.Uint32Kind:   {opVarint32, protowire.VarintType, reflect.Uint32},
	protoreflect.Int64Kind:    {opVarint64, protowire.VarintType, reflect.Int64},
	protoreflect.Sint64Kind:   {opZigzag64, protowire.VarintType, reflect.Int64},
	protoreflect.Uint64Kind:   {opVarint64, protowire.VarintType, reflect.Uint64},
	protoreflect.Sfixed32Kind: {opFixed32, protowire.Fixed32Type, reflect.Int32},
	protoreflect.Fixed32Kind:  {opFixed32, protowire.Fixed32Type, reflect.Uint32},
	protoreflect.FloatKind:    {opFixed32, protowire.Fixed32Type, reflect.Float32},
	protoreflect.Sfixed64Kind: {opFixed64, protowire.Fixed64Type, reflect.Int64},
	protoreflect.Fixed64Kind:  {opFixed64, protowire.Fixed64Type, reflect.Uint64},
	protoreflect.DoubleKind:   {opFixed64, protowire.Fixed64Type, reflect.Float64},
	protoreflect.StringKind:   {opString, protowire.BytesType, reflect.String},
	protoreflect.BytesKind:    {opBytes, protowire.BytesType, reflect.Slice},
	protoreflect.MessageKind:  {opMessage, protowire.BytesType, reflect.Pointer},
	protoreflect.GroupKind:    {opGroup, protowire.StartGroupType, reflect.Pointer},
}

// base returns a field of the kind of fd whose single values are of Go type typ.
func (b *builder) base(fd protoreflect.FieldDescriptor, typ reflect.Type) (*field, protowire.Type) {
	k, ok := kinds[fd.Kind()]
	if !ok || typ.Kind() != k.in || k.op == opBytes && typ.Elem().Kind() != reflect.Uint8 {
		refuse("%s is a %v in Go", fd.Name(), typ)
	}
	f := &field{op: k.op, utf8: fd.Kind() == protoreflect.StringKind && enforcesUTF8(fd), name: fd.FullName(), size: uint8(min(typ.Size(), 255))}
	if k.op == opMessage || k.op == opGroup {
		if !typ.Implements(reflect.TypeFor[proto.Message]()) {
			refuse("%s is a %v in Go, which has the methods of the old API only", fd.Name(), typ)
		}
		f.sub = lazyTableFor(typ)
	}
	return f, k.wire
}

// field adds a field that is not in a oneof.
func (b *builder) field(t *table, fd protoreflect.FieldDescriptor, sf reflect.StructField, h hidden) {
	switch {
	case fd.IsMap():
		if h.bit != 0 {
			refuse("%s is a map with presence", fd.Name())
		}
		f := &field{op: opMap, offset: sf.Offset, entry: b.entry(fd, sf.Type), name: fd.FullName()}
		b.add(t, fd, protowire.BytesType, f)
		t.addOut(fd, f)
	case fd.IsList():
		b.list(t, fd, sf, h)
	default:
		typ := sf.Type
		pointer := typ.Kind() == reflect.Pointer && fd.Message() == nil
		if pointer {
			typ = typ.Elem()
		}
		f, wire := b.base(fd, typ)
		f.offset = sf.Offset
		h.note(f)
		if pointer {
			f.mode |= modePointer
			f.slab = slabFor(typ)
		} else if fd.HasPresence() {
			f.mode |= modeNonNil
			if fd.Message() == nil && f.op != opBytes && h.bit == 0 {
				refuse("%s has no bit for its presence", fd.Name())
			}
		}
		if f.op != opBytes {
			f.mode &^= modeNonNil
		}
		if fd.Cardinality() == protoreflect.Required {
			f.mode |= modeRequired
			if t.numRequired < 64 {
				f.required = 1 << t.numRequired
			}
			t.numRequired++
		}
		b.add(t, fd, wire, f)
		t.addOut(fd, f)
	}
}

// note makes f one that notes in the message's bits that it is there, if it has one.
func (h hidden) note(f *field) {
	if h.bit != 0 {
		f.mode |= modePresence
		f.presence = int(h.at) - int(f.offset)
		f.bit = h.bit
	}
}

// list adds a repeated field.
func (b *builder) list(t *table, fd protoreflect.FieldDescriptor, sf reflect.StructField, h hidden) {
	if sf.Type.Kind() != reflect.Slice {
		refuse("%s is a %v in Go", fd.Name(), sf.Type)
	}
	typ := sf.Type.Elem()
	f, wire := b.base(fd, typ)
	f.offset = sf.Offset
	f.list = slabFor(typ)
	h.note(f)
	if h.header {
		f.mode |= modeHeader
		f.slab = slabFor(sf.Type)
	}
	switch f.op {
	case opString:
		f.op = opStrings
	case opBytes:
		f.op = opBytesees
	case opMessage:
		f.op = opMessages
	case opGroup:
		f.op = opGroups
	default:
		f.op, f.elemOp = opList, f.op
		p := *f
		p.op = opPacked
		b.add(t, fd, protowire.BytesType, &p)
	}
	b.add(t, fd, wire, f)
	t.addOut(fd, f)
}

// entry returns how a map is decoded.
func (b *builder) entry(fd protoreflect.FieldDescriptor, typ reflect.Type) *entry {
	if typ.Kind() != reflect.Map {
		refuse("%s is a %v in Go", fd.Name(), typ)
	}
	key, keyWire := b.base(fd.MapKey(), typ.Key())
	val, valWire := b.base(fd.MapValue(), typ.Elem())
	if val.op == opGroup {
		refuse("%s has groups as values", fd.Name())
	}
	return &entry{
		typ: typ,
		key: scalarOrText{key.op, keyWire, key.utf8, key.name},
		val: scalarOrText{val.op, valWire, val.utf8, val.name},
		sub: val.sub,
	}
}

// oneof adds a member of a oneof.
func (b *builder) oneof(t *table, fd protoreflect.FieldDescriptor, r protoreflect.Message, sf reflect.StructField) {
	if sf.Type == nil || sf.Type.Kind() != reflect.Interface {
		refuse("there is no Go field for the oneof of %s", fd.Name())
	}
	// The wrapper is what protobuf itself puts there.
	m := r.New()
	m.Set(fd, m.NewField(fd))
	v := reflect.ValueOf(m.Interface()).Elem().FieldByIndex(sf.Index)
	if v.IsNil() || v.Elem().Kind() != reflect.Pointer {
		refuse("%s is not set by reflection", fd.Name())
	}
	wrapper := v.Elem().Type().Elem()
	if wrapper.Kind() != reflect.Struct || wrapper.NumField() != 1 {
		refuse("%s has the wrapper %v", fd.Name(), wrapper)
	}
	f, wire := b.base(fd, wrapper.Field(0).Type)
	f.offset = sf.Offset
	f.mode |= modeOneof
	if f.op == opBytes {
		f.mode |= modeNonNil
	}
	f.slab = slabFor(wrapper)
	f.lax = fd.ContainingOneof().Fields().Get(0) != fd // package proto only looks at the first one's
	f.tab = as[iface](v.Addr().UnsafePointer()).tab
	b.add(t, fd, wire, f)
	t.addMember(fd, f)
}

// add makes f the field for a key.
func (b *builder) add(t *table, fd protoreflect.FieldDescriptor, wire protowire.Type, f *field) {
	f.setKey(fd.Number(), wire)
	if f.mode&^modeNonNil != 0 {
		f.op, f.modalOp = opModal, f.op
		if f.mode == modeOneof && f.modalOp == opString {
			f.op = opOneofString
		}
	}
	if f.key < uint64(len(t.fast)) {
		t.fast[f.key] = stepOf(f)
		return
	}
	b.long = append(b.long, f)
}

// setKey sets the field's key.
func (f *field) setKey(num protowire.Number, wire protowire.Type) {
	f.key = protowire.EncodeTag(num, wire)
	encoded := protowire.AppendVarint(nil, f.key)
	f.keyLen = uint8(len(encoded))
	for i, b := range encoded {
		f.keyBits |= uint64(b) << (8 * i)
	}
}

// enforcesUTF8 reports whether the strings of a field have to be UTF-8. What
// editions say about it is only known to the descriptor itself.
func enforcesUTF8(fd protoreflect.FieldDescriptor) bool {
	if d, ok := fd.(interface{ EnforceUTF8() bool }); ok {
		return d.EnforceUTF8()
	}
	return fd.Syntax() == protoreflect.Proto3
}

// littleEndian is the byte order of the input, and so has to be the machine's.
var littleEndian = func() bool {
	x := uint16(1)
	return *as[byte](pointerTo(&x)) == 1
}()
