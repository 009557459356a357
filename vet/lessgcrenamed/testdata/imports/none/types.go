package none

import "lessgc/arena"

type server struct {
	a *arena.Arena
	p arena.Pool
}
