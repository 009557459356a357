package sorts

type alone []user

func (s alone) Len() int           { return len(s) }
func (s alone) Less(i, j int) bool { return s[i].id < s[j].id }
func (s alone) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
