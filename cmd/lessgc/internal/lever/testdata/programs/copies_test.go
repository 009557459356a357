package programs

import (
	"bytes"
	"io"
	"testing"
)

func BenchmarkCopies(b *testing.B) {
	rules := []*copiesRule{{want: 1}, {want: 2}, {want: 3}}
	names := []string{"a name", "another", "more"}
	s := copiesSubject{name: "some", roles: [4]int{1, 2, 3, 4}}
	for b.Loop() {
		copiesMatches(rules, s)
		copiesSet(rules, names[0])
		copiesNested(rules, s)
		copiesChanged(rules, s)
		copiesAddressed(rules, s)
		copiesEach(rules, names)
		copiesFirst(rules, s)
		copiesOnce(rules[0], s)
		copiesCaptured(rules, s)
		copiesPrinted(io.Discard, rules, s)
		copiesNamed(rules, s)
		copiesJSON(io.Discard, names[0], b.N+1000)
		copiesMarshal(names[0], b.N+1000, []user{{"d", 1}})
		copiesNestedJSON(io.Discard, b.N&7)
		copiesMore(names[0], true)
		copiesKeys(names[0], names[1])
		copiesKept(names[0])
		copiesLogged(io.Discard, names[0])
		copiesToXML(names[0])
		copiesOwnJSON(names[0])
		copiesTyped(io.Discard, names[0])
	}
}

// TestCopiesJSON checks the text that is made of maps, which stays when they are structs.
func TestCopiesJSON(t *testing.T) {
	var b bytes.Buffer
	copiesJSON(&b, "<a>", 7)
	copiesNestedJSON(&b, 'x')
	data, err := copiesMarshal("b", 8, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.Write(data)
	if want := `{"id":7,"name":"\u003ca\u003e"}` + "\n" + `{"error":{"code":"x","text":"no"}}` + "\n" + `{"@type":"users","id":8,"more":null,"name":"b","users":null}`; b.String() != want {
		t.Errorf("got %s, want %s", b.String(), want)
	}
}
