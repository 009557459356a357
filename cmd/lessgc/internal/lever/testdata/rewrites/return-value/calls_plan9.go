package values

func isNil(n int) bool { return elsewhere(n) == nil }
