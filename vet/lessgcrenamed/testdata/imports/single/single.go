package single

import "lessgc/arena" // what remains

func badSingle(a *arena.Arena) {
	_ = arena.NewBuilder(a)                  // want `NewBuilder`
	_ = arena.NewMap[string, int](a, 0)      // want `NewMap`
	_ = a.Sprintf("%d%s", 1, a.Sprintf("x")) // want `Sprintf` `Sprintf`
}
