package options

import (
	"lessgc/arena"
	"lessgc/rpc/arenagrpc"
)

func badOptions() arenagrpc.Options {
	_ = []*arenagrpc.Options{{Policy: arena.Heap}} // want `^arena.Heap is gone: use a nil arena or arenagrpc.Options{Heap: true}$`
	return arenagrpc.Options{
		Policy:  arena.Heap,                                                       // want `arena.Heap is gone`
		Methods: map[string]arenagrpc.MethodOptions{"/a/B": {Policy: arena.Heap}}, // want `arena.Heap is gone`
	}
}

func goodOptions() arenagrpc.Options { return arenagrpc.Options{} }
