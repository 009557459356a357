package alias

import (
	text "fmt"

	"lessgc/arena"
	maps "lessgc/arena/amap"
)

var _ maps.Map[string, int]

func badAlias(a *arena.Arena) string {
	_ = arena.NewMap[string, int](a, 1) // want `NewMap`
	return a.Sprintf("%d", 1)           // want `Sprintf`
}

func badShadowed(a *arena.Arena, maps int) {
	_ = a.Sprintf(text.Sprint(maps)) // want `Sprintf`
}
