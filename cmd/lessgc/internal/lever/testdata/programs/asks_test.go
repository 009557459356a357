package programs

import (
	"bufio"
	"bytes"
	"io"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkAsks runs what a person has to answer a question about.
func BenchmarkAsks(b *testing.B) {
	data := bytes.Repeat([]byte("name size mode owner group links path and others\n"), 20)
	text := string(data)
	names := []string{"a name that is longer than what fits", "another name that does not fit either", "a third one of them, which is long"}
	a, c := &askName{n: 40}, &askName{n: 40}
	o := new(askObject)
	logger, known := askLevels(&askLogger{}), askSet{}
	fields := askFields(data)
	set := map[string]int{}
	sent := make(chan string, 1)
	visit := func(f func(askField) bool) {
		for _, x := range fields {
			if !f(x) {
				return
			}
		}
	}
	for b.Loop() {
		askQueues(200)
		sink = askRoundTrip(200)
		sink = askWhole(strings.NewReader(text))
		sink = askLocal(200)
		sink = askEqual(a, c)
		sink = askFind(names, "example.org", "none")
		sink = askFindBy(names, "example.org", "none")
		sink = askFindName(names, "example.org", "none")
		sink = askPath(a)
		sink = askLookup(known, a)
		askRead(logger, 1000, text)
		sink = askRecords(data)
		sink = askFields(data)
		sink = askValues(data)
		clear(set)
		askOne(data, set)
		askLong(data, set)
		sink = askSums(data)
		askWrite(io.Discard, names[0], names[1])
		askWriteBytes(bufio.NewWriter(io.Discard), names[0], names[1])
		sink = askWriteKept(io.Discard, names[0], names[1])
		askWriteConstant(new(bytes.Buffer), 2000+len(names))
		sink = askOpen(func(name string) error { sink = name; return nil }, names[0], names[1])
		askSend(sent, names[0], names[1])
		<-sent
		sink = askServe(1)
		sink = askSorted(fields, "value")
		for name := range askAll(fields) {
			sink = name
		}
		sink = askEach(fields, visit)
		sink = askBoxed(1)
		_, done := askBorrow(&fields[0])
		done()
		o.set(len(names))
		sink = askLines(bufio.NewScanner(bytes.NewReader(data)))
		sink = askJoin(slices.Values(names))
		sink = askRoom(bufio.NewScanner(bytes.NewReader(data)))
		sink = askSingle(text)
		sink = askFull(new([20]byte), 1)
		sink = askBoth([]int{1, 2, 3}, []int{4, 5, 6})
		sink = askFirst(names[0])
		sink = askIndex(data)
		sink = askReadAll(bufio.NewReader(strings.NewReader(text)))
		sink = askParse(text)
		sink = askSplit(text)
		sink = askGrow(len(text))
		sink = askRunes(text)
		sink = askLetters(text)
		sink = askReverse(text)
		sink = askKeep(text)
		askHand(new(bytes.Buffer), text)
		sink = askAllAtOnce(fields)
		sink = askInTurn(fields)
		sink = askLater(fields)
		askSendJob(fields[0])
		sink = askMap(100)
		sink = askIndexed(fields)
		sink = askFirsts([]*askPair{new(askPair)})
		sink = askChanged(fields)
		sink = askNew(fields)
		sink = askResults(10)
		sink = askEither(fields)
		sink = askAllValid(fields[1:])
		sink = askParsedAll(fields)
		sink = askAny(fields)
		askBox(fields)
		sink = askFail(fields)
		sink = askPointers(fields)
		sink = askWords(data)
		sink = askIndexes(data)
		sink = askSum(data)
		sink = askExact(data)
		sink = askTable(data)
		sink = askSmall(data)
		sink = askCopy(data)
		sink = askCopyMade(fields)
		sink = askClone(data)
		sink = askTwo(data, data)
		sink = askRepeat(data)
		sink = askSortedCopy(slices.Repeat([]int{3, 1, 2}, 5000))
		sink = askTextCopy(text)
		sink = askGroups(fields)
		sink = askGroupsMade(fields)
		sink = askTimes(names)
		sink = askLastOf(fields)
		sink = askCloned([]int{1, 2, 3, 4, 5, 6, 7, 8})
		askDates([]time.Time{time.Unix(1e9, 0)}, io.Discard)
		sink = askAddresses([]netip.Addr{netip.MustParseAddr("192.168.100.200")})
		sink = askUpperAll(names)
		sink = askAppended([]time.Time{time.Unix(1e9, 0)})
		sink = askOwnText(fields)
		sink = askHashes(names)
		sink = askPrefixes(text, map[string]bool{})
		sink = askWordsOf(text)
		sink = askTags(struct {
			Name string `json:"name,omitempty"`
		}{})
		sink = askPrintedAll(fields)
	}
	sink = nil
}
