package programs

import (
	"crypto/sha256"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

func BenchmarkCandWork(b *testing.B) {
	h := http.Header{}
	item := &workItem{"a name"}
	items := workItems{{Name: "b"}, {Name: "a"}, {Name: "c"}}
	p := make([]byte, 100)
	list := []byte("[{\"Name\":\"a name\"},{\"Name\":\"another\"},1,2,3]")
	kind := reflect.TypeFor[struct{ Inner workItem }]()
	value := reflect.ValueOf(workItem{"a name"})
	object := list[1:18]
	sum := sha256.New()
	for b.Loop() {
		sink, _ = workBody(strings.NewReader("{\"Name\":\"a name\"}"))
		sink, _ = workStream(strings.NewReader("{\"Name\":\"a name\"} {\"Name\":\"another\"}"))
		sink, _ = workStrict(strings.NewReader("{\"Name\":\"a name\"}"))
		workHeaders(h, 1234)
		workEncode(io.Discard, item)
		sink = workMarshal(item)
		sink = workAddress("somebody@example.org")
		sink = workPath("a/long/path/of/a/folder", "with a file")
		sink = workPadded(100)
		sink = workLetters(100)
		workRead("some text that is longer than the smallest buffer may be, so that there is one", p)
		sink = workExtended("some text", 12345)
		workSorted(items)
		sink = workKept(items)
		workCopied(io.Discard, strings.NewReader("text"))
		sink, _ = workAny(list)
		sink, _ = workItemOf(object)
		sink, _ = workBy(workDecode, list)
		sink = workParts(kind, "Inner.Name")
		sink = workValues(value.Type(), value)
		sink = workMade(kind)
		sink = workSet(kind, []string{"a", "b", "c", "d", "e"})
		sink = workFields(kind)
		sink = workMap(reflect.TypeFor[map[int]string](), 100)
		workEntries(reflect.ValueOf(map[int]string{}), 100)
		sink = workMore(reflect.ValueOf([]int{1, 2}), 100)
		sink = workJoined(reflect.ValueOf([]int{1, 2}), reflect.ValueOf([]int{3, 4}))
		sink = workSum(sum, object)
		sink = workSumOf(sum, object, nil)
	}
}
