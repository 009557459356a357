package arenapb_test

import (
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"lessgc/arena"
	"lessgc/arena/deep"
	"lessgc/rpc/arenapb"
)

var input = encode()

func encode() []byte {
	list, err := structpb.NewList([]any{"a", 1.5, true, []any{"deep"}})
	if err != nil {
		panic(err)
	}
	b, err := proto.Marshal(list)
	if err != nil {
		panic(err)
	}
	return b
}

// A pool for messages whose strings may be kept.
var pool = arena.Pool{Policy: arena.RecycleTyped}

func ExampleUnmarshal() {
	a := pool.Get()
	defer a.Free()
	list := arena.New[structpb.ListValue](a)
	if err := arenapb.Unmarshal(a, input, list); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(list.Values), list.Values[0].GetStringValue(), list.Values[1].GetNumberValue())
	// Output: 4 a 1.5
}

func ExampleUnmarshalSafe() {
	list := new(structpb.ListValue)
	if err := arenapb.UnmarshalSafe(input, list); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(list.Values[3].GetListValue().Values[0].GetStringValue())
	// Output: deep
}

// Parts of a message that have to outlive its arena are moved to the heap.
func ExampleUnmarshal_detach() {
	last := func() *structpb.Value {
		a := pool.Get()
		defer a.Free()
		list := arena.New[structpb.ListValue](a)
		if err := arenapb.Unmarshal(a, input, list); err != nil {
			return nil
		}
		return deep.Detach(a, list.Values[3])
	}()
	fmt.Println(last.GetListValue().Values[0].GetStringValue())
	// Output: deep
}

func ExampleMarshal() {
	a := pool.Get()
	defer a.Free()
	reply := arena.New[structpb.ListValue](a)
	value := arena.New[structpb.Value](a)
	value.Kind = &structpb.Value_BoolValue{BoolValue: true}
	reply.Values = arena.Append(a, reply.Values, value)
	b, err := arenapb.Marshal(a, reply)
	fmt.Println(len(b), err)
	// Output: 4 <nil>
}
