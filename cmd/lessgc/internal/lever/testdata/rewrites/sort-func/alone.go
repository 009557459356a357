package sorts

import "sort"

func tryAlone(users []user) {
	sort.Sort(alone(users)) // refused: the type has no other use, and nothing would be left of its file
}
