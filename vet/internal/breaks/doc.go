// Package breaks shows that the mistakes which the rules report break programs. For each rule, testdata has a
// program with one mistake. The test runs it, and sees that it goes wrong: data of one
// owner arrives at another, memory is lost, a goroutine races, the runtime panics. It also
// sees that the rule reports the line that is to blame, and no other.
package breaks
