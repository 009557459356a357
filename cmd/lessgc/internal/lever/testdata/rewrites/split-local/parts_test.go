package parts

import (
	"fmt"
	"strings"
	"testing"
)

type stringer string

func (s stringer) String() string { return string(s) }

func TestParts(t *testing.T) {
	equal := func(what string, got any, want string) {
		t.Helper()
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %v, not %s", what, got, want)
		}
	}
	equal("numbered", numbered(stringer("a\n\nb\n")), "1. a\n2. \n3. b\n4. ")
	equal("empty", numbered(stringer("")), "1. ")
	out, many := indented("a,,b,end,c", "-")
	equal("indented", fmt.Sprint(out, many), "[a  -b] true")
	out, many = indented("a,b", "-")
	equal("indented", fmt.Sprint(out, many), "[a -b] false")
	equal("labeled", labeled("ab #c def !x y"), "25")
	equal("too long", labeled(strings.Repeat("x", 60)), "-1")
	all := laterClosures("a b")
	equal("closures", all[0]()+all[1](), "0a1b")
	equal("changed text", changedText("a,b"), "[0achanged 1bchanged]")
	equal("shadowed text", shadowedText("a,b"), "[0aother 1bother]")
	equal("declared again", declaredAgain("a,b"), "[0a 1b]")
	equal("set number", setNumber("a,b,c"), "[0a 2b 4c]")
	equal("indexed", indexed("a,b"), "[ab ba]")
	equal("set part", setPart("a,b"), "[0first 1b]")
	equal("twice", twice("a,b"), "[0a 1b 0a -1b]")
	equal("kept", kept("a,b"), "[a. b.]")
	equal("bytewise", bytewise("ab"), "[0a 1b]")
	equal("any separator", anySeparator("ab", ""), "[0a 1b]")
	equal("limited", limited("a,b,c"), "[0a 1b,c]")
	equal("after", after("a,b"), "[0a, 1b]")
	equal("words", words(" a  b "), "[0a 1b]")
	equal("own name", ownName("a,b"), "[0a 1b]")
	equal("own separator", ownSeparator("a,b"), "[0a 1b]")
	equal("in loop", inLoop("a,b"), "7")
	equal("again", again("a,b"), "[0a 1b 0a 1b]")
	equal("assigned", assigned("a,b"), "1b")
	equal("jumping", jumping("a,b"), "51")
	equal("shadowed string", shadowedString("a,b"), "[0a 1b]")
	equal("asked by a condition", askedByCondition("a,b"), "2")
	equal("asked by a step", askedByStep("a,b"), "3")
	equal("comment at the brace", commentAtBrace("a,b"), "[0a 1b]")
	equal("comment below the brace", commentBelowBrace("a,b"), "[0a 1b]")
	equal("of literal", ofLiteral(), "[0a 1b]")
	equal("in condition", inCondition("a,b"), "2")
	equal("with comment", withComment("a,b"), "[0a 1b]")
	equal("in post", inPost("a,b"), "21")
	equal("older direct", olderDirect("ab\t\tc "), "201")
	equal("older variable", olderVariable(func() string { return "a,,b" }), "[a b]")
	of := func(path string) *request { return &request{path} }
	before := reads
	equal("of field", ofField(of("a/b")), "[a b]")
	equal("of call", ofCall(of("a/b")), "[0a 1b]")
	equal("of parameter", ofParameter("a/b"), "11")
	equal("behind label", behindLabel(of("a/b")), "3")
	equal("in case", inCase(of("a/bc"), 1), "4")
	equal("comment between", commentBetween(of("a/bc")), "4")
	equal("of concatenation", ofConcatenation(of("a/bc"), "x"), "5")
	equal("reads", reads-before, "5")
	equal("effect between", effectBetween(of("a/b")), "2")
	equal("call between", callBetween(of("a/b"))-reads, "2")
	equal("counted", counted(of("a/b")), "202")
	equal("comment above", commentAbove(of("a/b")), "2")
	equal("comment behind", commentBehind(of("a/b")), "2")
	equal("label above", labelAbove(of("a/bcd/e")), "5")
	equal("several lines", severalLines(of("a/b")), "2")
	equal("literal", literal(of("a/b")), "2")
	equal("of itself", ofItself("a/b"), "2")
	equal("wide", wide(of("a long prefixa/ba suffix")), "2")
	pointers := olderPart("a,b")
	equal("older part", *pointers[0]+*pointers[1], "bb")
	closures := olderClosure("a,b")
	equal("older closure", closures[0]()+closures[1](), "bb")
	numbers := olderNumber("a,b")
	equal("older number", numbers[0]()+numbers[1](), "2")
}
