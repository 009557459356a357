// Command stale uses a message after its arena was freed.
package main

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"lessgc/arena"
	"lessgc/rpc/arenapb"
	"lessgc/rpc/internal/testpb"
)

var pool = arena.Pool{Policy: arena.RecycleTyped}

// firstUser decodes users and returns the first one, which it must not.
func firstUser(b []byte) *testpb.User {
	a := pool.Get()
	defer a.Free()
	users := arena.New[testpb.Users](a)
	if err := arenapb.Unmarshal(a, b, users); err != nil {
		panic(err)
	}
	return users.Users[0]
}

func main() {
	b, err := proto.Marshal(&testpb.Users{Users: []*testpb.User{{Name: "somebody"}}})
	if err != nil {
		panic(err)
	}
	fmt.Println(firstUser(b).GetName())
}
