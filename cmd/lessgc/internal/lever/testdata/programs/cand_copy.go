package programs

import (
	"bytes"
	"compress/zlib"
	"image"
	"image/color"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// A copyRecord is copied whole.
type copyRecord struct {
	names []string
	of    map[string]string
}

func (r *copyRecord) Clone() *copyRecord {
	to := &copyRecord{
		names: make([]string, len(r.names)), // want copy-later
	}
	copy(to.names, r.names)
	return to
}

// It is no copy of its receiver.
func (r *copyRecord) CopyNames() []string {
	return append(make([]string, 0, len(r.names)+1), r.names...) // no copy-later
}

func copyRead(r *copyRecord) string {
	c := r.Clone()
	return c.names[0]
}

func copyHeader(h http.Header) string {
	own := h.Clone() // want copy-later
	return own.Get("Accept")
}

func copyBytes(text []byte) []byte {
	return bytes.Clone(text) // no copy-later
}

// The compressor is made by the first Write, and not where the writer is.
type copyPacker struct{ to io.Writer }

func newCopyPacker(to io.Writer) *copyPacker { return &copyPacker{zlib.NewWriter(to)} }

func (p *copyPacker) pack(text []byte) (int, error) {
	return p.to.Write(text) // want costly-call
}

// All is written at once.
func copyPlain(to *strings.Builder, text []byte) {
	to.Write(text) // no costly-call
}

func copyAddress(w io.StringWriter, u *url.URL) {
	w.WriteString(u.String()) // want write-parts
}

func copyAddressOf(u *url.URL) string {
	return u.String() // no write-parts
}

func copyQuoted(name string) string {
	return strings.Trim(strconv.QuoteToASCII(name), `"`) // want costly-call
}

// Of an image that is given as an interface, nobody knows the pixels.
func copyDarkest(m image.Image) (darkest uint32) {
	darkest = 1 << 16
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			r, _, _, _ := m.At(x, y).RGBA() // want costly-call
			darkest = min(darkest, r)
		}
	}
	return darkest
}

func copyGray(m *image.Gray) (sum int) {
	for _, p := range m.Pix {
		sum += int(color.Gray{Y: p}.Y)
	}
	return sum
}

// Who paints takes only the numbers of a color.
type copyPattern interface{ colorAt(x int) color.Color }

type copyGradient struct{ from, to color.Color }

func (g *copyGradient) colorAt(x int) color.Color {
	return copyBetween(g.from, g.to, x)
}

func copyBetween(a, b color.Color, x int) color.Color {
	r0, g0, b0, a0 := a.RGBA()
	r1, g1, b1, a1 := b.RGBA()
	return color.RGBA{ // want return-value
		copyShare(r0, r1, x),
		copyShare(g0, g1, x),
		copyShare(b0, b1, x),
		copyShare(a0, a1, x),
	}
}

func copyShare(a, b uint32, x int) uint8 {
	return uint8((int(a)*(256-x) + int(b)*x) >> 16)
}

func copyPaint(p copyPattern, row []uint32) {
	for x := range row {
		r, g, b, _ := p.colorAt(x).RGBA()
		row[x] = r + g + b
	}
}

// The colors are kept.
func copyColors(colors []color.Color) {
	for x := range colors {
		colors[x] = copyOther(uint8(x))
	}
}

func copyOther(x uint8) color.Color {
	return color.RGBA{x, x, x + 1, x} // no return-value
}

// Copied, each reply has three slices.
type copyReply struct{ answer, authority, additional []*copyRecord }

func copyReplyOf(r *copyReply) *copyReply {
	to := new(copyReply)
	to.answer = copyFiltered(r.answer)
	to.authority = copyFiltered(r.authority)
	to.additional = copyFiltered(r.additional)
	return to
}

func copyFiltered(all []*copyRecord) []*copyRecord {
	to := make([]*copyRecord, len(all)) // want batch-slices
	copy(to, all)
	return to
}

// Of these there is one a call.
func copySingle(r *copyReply) *copyReply {
	to := new(copyReply)
	to.answer = copyWhole(r.answer)
	return to
}

func copyWhole(all []*copyRecord) []*copyRecord {
	to := make([]*copyRecord, len(all)) // no batch-slices
	copy(to, all)
	return to
}

type copyEntry struct {
	name string
	id   []byte
}

// Nearly all that the line of the append makes are entries.
func copyEntries(r io.Reader, n int) (all []*copyEntry, err error) {
	for range n {
		var id [20]byte // want embed-array
		if _, err := io.ReadFull(r, id[:]); err != nil {
			return nil, err
		}
		all = append(all, &copyEntry{"name", id[:20]}) // want batch
	}
	return all, nil
}

// What is kept is a part of no entry.
func copyIDs(r io.Reader, n int) (all [][]byte, err error) {
	for range n {
		var id [20]byte // no embed-array
		if _, err := io.ReadFull(r, id[:]); err != nil {
			return nil, err
		}
		all = append(all, id[:])
	}
	return all, nil
}

// Each has to have its own.
func copyHeaders(all []http.Header) []http.Header {
	to := make([]http.Header, len(all))
	for i, h := range all {
		to[i] = h.Clone() // no copy-later
		to[i].Set("Via", "me")
	}
	return to
}
