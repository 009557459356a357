package programs

import (
	"bytes"
	"image"
	"image/color"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func BenchmarkCandCopy(b *testing.B) {
	r := &copyRecord{names: []string{"one", "two", "three"}}
	h := http.Header{"Accept": {"text/plain"}, "Host": {"example.org"}}
	u := &url.URL{Scheme: "https", Host: "example.org", Path: "/a/path"}
	text := []byte(strings.Repeat("some text ", 10))
	m := image.NewRGBA(image.Rect(0, 0, 4, 4))
	for i := range m.Pix {
		m.Pix[i] = byte(i)
	}
	row, colors := make([]uint32, 8), make([]color.Color, 8)
	w := new(strings.Builder)
	reply := &copyReply{[]*copyRecord{r, r}, []*copyRecord{r}, []*copyRecord{r}}
	ids := make([]byte, 1000)
	for b.Loop() {
		sink = copyRead(r)
		sink = r.CopyNames()
		sink = copyHeader(h)
		sink = copyHeaders([]http.Header{h})
		sink = copyBytes(text)
		newCopyPacker(io.Discard).pack(text)
		w.Reset()
		copyPlain(w, text)
		copyAddress(io.Discard.(io.StringWriter), u)
		sink = copyAddressOf(u)
		sink = copyQuoted("a name that is longer than that")
		sink = copyDarkest(m)
		copyPaint(&copyGradient{color.Gray{}, color.Gray{Y: 255}}, row)
		copyColors(colors)
		for range 8 {
			sink = copyReplyOf(reply)
			sink = copySingle(reply)
		}
		sink, _ = copyEntries(bytes.NewReader(ids), 50)
		sink, _ = copyIDs(bytes.NewReader(ids), 50)
		sink = copyGray(image.NewGray(m.Rect))
	}
}
