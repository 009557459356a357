package two

import "lessgc/arena"
import "lessgc/seq"

var badTwo = seq.And2(func(v int) bool { return v > 0 }, func(v int) bool { return v < 9 }) // want `And2`

func badCopy(v []int) []int { return arena.DeepClone(v) } // want `DeepClone`
