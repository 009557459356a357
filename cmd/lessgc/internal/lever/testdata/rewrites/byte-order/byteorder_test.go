package byteorder

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

func check(t *testing.T, name string, got []byte, want string) {
	t.Helper()
	if string(got) != want {
		t.Errorf("%s = %q; want %q", name, got, want)
	}
}

func TestResults(t *testing.T) {
	b, err := encode(&header{1, -2}, 3)
	check(t, "encode", b, "\x00\x00\x00\x01\xff\xfe\x03\x00\x00\x00\x00\x00\x00\x00")
	if err != nil {
		t.Error(err)
	}
	var out bytes.Buffer
	if err := send(bufio.NewWriterSize(&out, 16), -1); err != nil {
		t.Error(err)
	}
	check(t, "send", out.Bytes(), strings.Repeat("\xff", 8))
	id := uint32(1)
	for name, of := range map[string]struct {
		write func(*bytes.Buffer)
		want  string
	}{
		"written":  {func(b *bytes.Buffer) { written(b, 1) }, "\x00\x00\x00\x01"},
		"ordered":  {func(b *bytes.Buffer) { ordered(b, binary.LittleEndian, 1) }, "\x01\x00\x00\x00"},
		"float":    {func(b *bytes.Buffer) { float(b, 1) }, "\x3f\xf0\x00\x00\x00\x00\x00\x00"},
		"pointed":  {func(b *bytes.Buffer) { pointed(b, &id) }, "\x00\x00\x00\x01"},
		"whole":    {func(b *bytes.Buffer) { whole(b, header{1, 2}) }, "\x00\x00\x00\x01\x00\x02"},
		"open":     {func(b *bytes.Buffer) { open(b) }, "\x01"},
		"returned": {func(b *bytes.Buffer) { returned(b, 1) }, "\x00\x00\x00\x01"},
		"called":   {called, "#\x00\x00\x00\x01"},
		"shadowed": {func(b *bytes.Buffer) { shadowed(b, 1) }, "\x00"},
		"noted":    {func(b *bytes.Buffer) { noted(b, 1) }, "\x00\x00\x00\x01"},
	} {
		var b bytes.Buffer
		of.write(&b)
		check(t, name, b.Bytes(), of.want)
	}
	if plain(new(bytes.Buffer), 1) == nil {
		t.Error("an int has a size")
	}
	if id, err := read(bufio.NewReader(strings.NewReader("\x00\x00\x00\x01"))); id != 1 || err != nil {
		t.Error(id, err)
	}
}
