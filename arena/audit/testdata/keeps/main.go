// Command keeps keeps memory of arenas, in several ways, and prints who that is.
package main

import (
	"fmt"
	"os"

	"lessgc/arena"
	"lessgc/arena/audit"
)

type user struct {
	name string
	tags []string
}

var (
	pool  = arena.Pool{AuditEvery: 1}
	cache = map[string]*user{}
	list  []string
)

// handle returns a user with tags, and other tags, of an arena that is free.
func handle() (*user, []string) {
	a := pool.Get()
	defer a.Free()
	u := arena.New[user](a)
	u.name = a.String("a name of some length")
	u.tags = arena.MakeSlice[string](a, 3, 3)
	return u, arena.MakeSlice[string](a, 4, 4)
}

//go:noinline
func wait(u *user, started, end chan bool) {
	started <- true
	<-end
	fmt.Println(u.name)
}

func main() {
	cache["a"], list = handle()
	started, end := make(chan bool), make(chan bool)
	u, _ := handle()
	go wait(u, started, end)
	<-started
	if err := audit.Verify(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	keepers, err := audit.Keepers()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, k := range keepers {
		fmt.Println(k)
	}
	close(end)
	if len(cache)+len(list) == 0 {
		os.Exit(1)
	}
}
