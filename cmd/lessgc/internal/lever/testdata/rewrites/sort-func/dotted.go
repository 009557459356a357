package sorts

import . "sort"

func sortDotted(users []user) {
	Slice(users, func(i, j int) bool { return users[i].id < users[j].id }) // refused: the import would stay
}
