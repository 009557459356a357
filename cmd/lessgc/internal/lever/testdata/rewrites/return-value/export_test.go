package values

var inTest func(int) *pair = testedByValue
