package protobuf

import (
	"reflect"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"lessgc/arena"
	"lessgc/bench/protobuf/benchpb"
	"lessgc/rpc/arenapb"
)

// A vtMessage has the methods that vtprotobuf generates for a message.
type vtMessage interface {
	proto.Message
	UnmarshalVT([]byte) error
	UnmarshalVTUnsafe([]byte) error
	ReturnToVTPool()
}

// A message is one of those that are decoded. What is made for it is made when it
// is used: it counts as CPU time of the process.
type message struct {
	name    string
	encoded func() []byte // with room behind it, as a buffer has
	new     func() proto.Message
	inArena func(*arena.Arena) proto.Message
	pooled  func() vtMessage
	read    func(proto.Message) uint64
}

func newMessage[T any, P interface {
	*T
	vtMessage
}](name string, example func() P, pooled func() P, read func(P) uint64) message {
	encoded := sync.OnceValue(func() []byte {
		m := example()
		in, err := proto.MarshalOptions{}.MarshalAppend(make([]byte, 0, proto.Size(m)+64), m)
		if err != nil {
			panic(err)
		}
		return in
	})
	return message{
		name:    name,
		encoded: encoded,
		new:     func() proto.Message { return P(new(T)) },
		inArena: func(a *arena.Arena) proto.Message { return P(arena.New[T](a)) },
		pooled:  func() vtMessage { return pooled() },
		read:    func(m proto.Message) uint64 { return read(m.(P)) },
	}
}

var messages = []message{
	newMessage("users", func() *benchpb.Users { return exampleUsers(1000) }, benchpb.UsersFromVTPool, readUsers),
	newMessage("otlp", func() *benchpb.Trace { return exampleTrace(500) }, benchpb.TraceFromVTPool, readTrace),
	newMessage("prom", func() *benchpb.WriteRequest { return exampleProm(1000, 8) }, benchpb.WriteRequestFromVTPool, readProm),
	newMessage("profile", func() *benchpb.Profile { return exampleProfile(2000) }, benchpb.ProfileFromVTPool, readProfile),
	newMessage("small", func() *benchpb.Small { return exampleSmall() }, benchpb.SmallFromVTPool, readSmall),
}

// An impl decodes a message over and over, and hands each to use.
type impl struct {
	name string
	run  func(m message, in []byte, loop func() bool, use func(proto.Message)) error

	// descriptor is set if the results have no Go fields and are read by reflection.
	descriptor func(m message) protoreflect.MessageDescriptor
}

var impls = []impl{
	{name: "proto", run: func(m message, in []byte, loop func() bool, use func(proto.Message)) error {
		for loop() {
			to := m.new()
			if err := proto.Unmarshal(in, to); err != nil {
				return err
			}
			use(to)
		}
		return nil
	}},
	{name: "vt", run: func(m message, in []byte, loop func() bool, use func(proto.Message)) error {
		for loop() {
			to := m.new().(vtMessage)
			if err := to.UnmarshalVT(in); err != nil {
				return err
			}
			use(to)
		}
		return nil
	}},
	{name: "vtpool", run: func(m message, in []byte, loop func() bool, use func(proto.Message)) error {
		for loop() {
			to := m.pooled()
			if err := to.UnmarshalVTUnsafe(in); err != nil {
				return err
			}
			use(to)
			to.ReturnToVTPool()
		}
		return nil
	}},
	{name: "safe", run: func(m message, in []byte, loop func() bool, use func(proto.Message)) error {
		for loop() {
			to := m.new()
			if err := arenapb.UnmarshalSafe(in, to); err != nil {
				return err
			}
			use(to)
		}
		return nil
	}},
	{name: "typed", run: inArena(arena.RecycleTyped, false)},
	{name: "recycle", run: inArena(arena.RecycleAll, false)},
	{name: "root", run: inArena(arena.RecycleAll, true)},
	{name: "reset", run: func(m message, in []byte, loop func() bool, use func(proto.Message)) error {
		pool := &arena.Pool{Policy: arena.RecycleAll}
		a, o := pool.Get(), arenapb.UnmarshalOptions{AliasInput: true}
		defer a.Free()
		for loop() {
			to := m.inArena(a)
			if err := o.Unmarshal(a, in, to); err != nil {
				return err
			}
			use(to)
			a.Reset()
		}
		return nil
	}},
}

func inArena(policy arena.Policy, root bool) func(message, []byte, func() bool, func(proto.Message)) error {
	pool := &arena.Pool{Policy: policy}
	return func(m message, in []byte, loop func() bool, use func(proto.Message)) error {
		o := arenapb.UnmarshalOptions{AliasInput: root}
		for loop() {
			a := pool.Get()
			var to proto.Message
			if root {
				to = m.inArena(a)
			} else {
				to = m.new()
			}
			if err := o.Unmarshal(a, in, to); err != nil {
				return err
			}
			use(to)
			a.Free()
		}
		return nil
	}
}

func BenchmarkDecode(b *testing.B) {
	each(b, func(m message, use func(proto.Message)) func(proto.Message) { return func(proto.Message) {} })
}

func BenchmarkRead(b *testing.B) {
	each(b, func(m message, use func(proto.Message)) func(proto.Message) { return use })
}

var sink uint64

func each(b *testing.B, choose func(message, func(proto.Message)) func(proto.Message)) {
	for _, m := range messages {
		for _, impl := range impls {
			b.Run("msg="+m.name+"/impl="+impl.name, func(b *testing.B) {
				b.ReportAllocs()
				in := m.encoded()
				b.SetBytes(int64(len(in)))
				use := choose(m, reader(m, impl))
				if err := impl.run(m, in, b.Loop, use); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

// reader returns what reads all fields of a message of the impl.
func reader(m message, i impl) func(proto.Message) {
	if i.descriptor != nil {
		walk := newWalk(i.descriptor(m))
		return func(x proto.Message) { sink += walk.message(x.ProtoReflect()) }
	}
	return func(x proto.Message) { sink += m.read(x) }
}

// TestSame checks that all implementations see the same message, and read the same
// of it.
func TestSame(t *testing.T) {
	for _, m := range messages {
		want, in := m.new(), m.encoded()
		if err := proto.Unmarshal(in, want); err != nil {
			t.Fatal(err)
		}
		sum := m.read(want)
		for _, impl := range impls {
			n := 0
			err := impl.run(m, in, func() bool { n++; return n <= 3 }, func(got proto.Message) {
				before := sink
				reader(m, impl)(got)
				if sink-before != sum {
					t.Errorf("%s: %s reads %d, want %d", m.name, impl.name, sink-before, sum)
				}
				if reflect.TypeOf(got) == reflect.TypeOf(want) && !proto.Equal(got, want) {
					t.Errorf("%s: %s differs", m.name, impl.name)
				}
			})
			if err != nil {
				t.Errorf("%s: %s: %v", m.name, impl.name, err)
			}
		}
	}
}

// A walk reads all fields of a message by reflection, with the descriptors looked
// up once.
type walk struct {
	fields []walkField
}

type walkField struct {
	fd    protoreflect.FieldDescriptor
	oneof protoreflect.OneofDescriptor
	sub   *walk
}

func newWalk(md protoreflect.MessageDescriptor) *walk {
	made := map[protoreflect.FullName]*walk{}
	var walkOf func(md protoreflect.MessageDescriptor) *walk
	walkOf = func(md protoreflect.MessageDescriptor) *walk {
		if w := made[md.FullName()]; w != nil {
			return w
		}
		w := &walk{}
		made[md.FullName()] = w
		for i := range md.Fields().Len() {
			fd := md.Fields().Get(i)
			f := walkField{fd: fd, oneof: fd.ContainingOneof()}
			if fd.Message() != nil {
				f.sub = walkOf(fd.Message())
			}
			w.fields = append(w.fields, f)
		}
		return w
	}
	return walkOf(md)
}

func (w *walk) message(m protoreflect.Message) uint64 {
	var sum uint64
	for i := range w.fields {
		f := &w.fields[i]
		switch {
		case f.fd.IsList():
			l := m.Get(f.fd).List()
			for i := range l.Len() {
				sum += f.value(l.Get(i))
			}
		case f.sub != nil || f.oneof != nil:
			if m.Has(f.fd) {
				sum += f.value(m.Get(f.fd))
			}
		default:
			sum += f.value(m.Get(f.fd))
		}
	}
	return sum
}

func (f *walkField) value(v protoreflect.Value) uint64 {
	switch f.fd.Kind() {
	case protoreflect.MessageKind:
		return f.sub.message(v.Message())
	case protoreflect.StringKind:
		return uint64(len(v.String()))
	case protoreflect.BytesKind:
		return uint64(len(v.Bytes()))
	case protoreflect.BoolKind:
		if v.Bool() {
			return 1
		}
		return 0
	case protoreflect.EnumKind:
		return uint64(v.Enum())
	case protoreflect.DoubleKind:
		return uint64(int64(v.Float()))
	case protoreflect.Int32Kind, protoreflect.Int64Kind:
		return uint64(v.Int())
	}
	return v.Uint()
}
