package programs

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// discard is a writer that the compiler does not see through.
type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

// BenchmarkAll runs all of it.
func BenchmarkAll(b *testing.B) {
	var users []user
	var texts []string
	var raw [][]byte
	var in []int
	fields := map[string]any{}
	for i := range 100 {
		name := fmt.Sprintf("a user with the number %d", i)
		users, texts, in = append(users, user{name, i}), append(texts, name), append(in, i)
		raw = append(raw, []byte(name))
		fields[name] = float64(i)
	}
	message, _ := structpb.NewStruct(fields)
	data, _ := proto.Marshal(message)
	json := []byte(`{"name": "x", "all": [1, 2, 3]}`)
	text := strings.Join(texts, " ")
	w := io.Writer(discard{})
	var x index
	var c cache
	var mu sync.Mutex
	root := named(raw)
	things := &bag{make([]any, 1)}
	byName := map[string][]byte{}
	for b.Loop() {
		sink = names(users)
		sink = squares(100)
		sink = grownUp(users)
		sink = skipped(users)
		sink = words(bufio.NewScanner(strings.NewReader("a\nb\nc\nd\n")))
		sink = roomy(users)
		sink = count(texts)
		sink = lengths(texts)
		x.reset(texts)
		sink = sized(texts)
		sink = within(texts)
		sink = some(texts)
		sink = firstOf(raw)
		sink = indexed(texts)
		for _, t := range texts {
			c.add(t)
		}
		sink = join(texts)
		sink = quoted(texts)
		sink = suffixed(texts)
		sink = key("name", b.N+1000)
		fill(things, users)
		run(things, users)
		putBuffer(make([]byte, 64))
		putPair(b.N, 2)
		fillPointers(things, users)
		sink = table("name", 12.5)
		sink = check(b.N + 1000)
		sink = even(text)
		sink = evenAndAll(text)
		sink = evenOfShared(text)
		sink = evenOfPointed(text)
		sink = active(users)
		sink = sumOfEven(in)
		sink = sumOfDoubled(in)
		sink = median(in)
		sink = products(in)
		sink = locked(&mu, in)
		sink = later(in)
		sink = variance(in)
		send(w, users)
		collect(byName, users)
		write(w, 100)
		writeBody(w, 100)
		copyAll(w, bytes.NewReader(data))
		lines(w, texts)
		sink = rendered(100)
		c.remember("x")
		sink = held()
		sink = scratched(w)
		sink = looked(w)
		sink = part()
		sink = appended(users)
		small(w)
		keepEncoded(users[0])
		sink = tree(4)
		sink = list(100)
		sink = few()
		sink = named(raw)
		sink = leaf("x")
		sink = values(100)
		sink = gather(root)
		sink = same(users)
		report(users)
		sink = flats(100)
		keepTree(100)
		sink, _ = decode(data)
		sink, _ = decodeText(json)
		sink = decodeAny(data, new(structpb.Struct))
		c.byName = nil
	}
}
