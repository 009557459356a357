package prof

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/google/pprof/profile"
)

// field encodes a field of wire type 2.
func field(number protowire.Number, body ...byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), body)
}

// packedField encodes a packed field of n numbers.
func packedField(number protowire.Number, n int, value uint64) []byte {
	var body []byte
	for range n {
		body = protowire.AppendVarint(body, value)
	}
	return field(number, body...)
}

// numberField encodes a field of wire type 0.
func numberField(number protowire.Number, value uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), value)
}

// numbered repeats a message of n different IDs, which are field 1.
func numbered(number protowire.Number, n int, first uint64, rest ...byte) []byte {
	var all []byte
	for i := range n {
		all = append(all, field(number, append(numberField(1, first+uint64(i)), rest...)...)...)
	}
	return all
}

// empty is the string table that has to be there.
var empty = field(6)

// label is a label of a sample: keys, and a string or a number with a unit.
func label(key, text, number, unit uint64) []byte {
	var body []byte
	for i, v := range []uint64{key, text, number, unit} {
		if v != 0 {
			body = append(body, numberField(protowire.Number(i+1), v)...)
		}
	}
	return field(3, body...)
}

// shapes are profiles of n messages of one kind each, valid or not: what costs memory.
func shapes(n int) map[string][]byte {
	var keys, manyLabels, mixed []byte
	for i := range n {
		keys = append(keys, field(6, fmt.Appendf(nil, "k%d", i)...)...)
		manyLabels = append(manyLabels, label(1+uint64(i), 1, 0, 0)...)
		mixed = append(mixed, label(1, 0, uint64(i), uint64(i%2))...)
	}
	first := field(6, 'x')
	return map[string][]byte{
		"nothing":          empty,
		"empty samples":    bytes.Repeat(field(2), n),
		"empty locations":  bytes.Repeat(field(4), n),
		"empty functions":  bytes.Repeat(field(5), n),
		"empty mappings":   bytes.Repeat(field(3), n),
		"sample types":     bytes.Repeat(field(1), n),
		"period types":     bytes.Repeat(field(11), n),
		"empty strings":    bytes.Repeat(empty, n),
		"strings":          append(empty, bytes.Repeat(field(6, []byte("main.main")...), n)...),
		"long strings":     append(empty, bytes.Repeat(field(6, bytes.Repeat([]byte("x"), 5000)...), n/100)...),
		"comments":         append(empty, bytes.Repeat(numberField(13, 0), n)...),
		"packed comments":  append(empty, packedField(13, n, 0)...),
		"values":           field(2, bytes.Repeat(numberField(2, 1), n)...),
		"packed values":    field(2, packedField(2, n, 1)...),
		"pieces of values": field(2, bytes.Repeat(packedField(2, 100, 1), n/100)...),
		"one value each":   bytes.Repeat(field(2, numberField(2, 1)...), n),
		"two values each":  bytes.Repeat(field(2, append(numberField(2, 1), numberField(2, 1)...)...), n),
		"four values each": bytes.Repeat(field(2, packedField(2, 4, 1)...), n),
		"stacks":           append(numbered(4, 100, 1), bytes.Repeat(field(2, packedField(1, 60, 7)...), n/60)...),
		"one deep stack":   append(numbered(4, 100, 1), field(2, bytes.Repeat(numberField(1, 7), n)...)...),
		"locations":        numbered(4, n, 1),
		"sparse locations": numbered(4, n, 1<<40),
		"sparse functions": numbered(5, n, 1<<40),
		"sparse mappings":  numbered(3, n, 1<<40),
		"one line each":    numbered(4, n, 1, field(4)...),
		"lines":            field(4, bytes.Repeat(field(4), n)...),
		"one label each":   append(bytes.Join([][]byte{empty, first}, nil), bytes.Repeat(field(2, label(1, 1, 0, 0)...), n)...),
		"eight labels":     append(bytes.Join([][]byte{empty, first}, nil), bytes.Repeat(field(2, bytes.Repeat(label(1, 1, 7, 1), 8)...), n/8)...),
		"labels of a key":  append(bytes.Join([][]byte{empty, first}, nil), field(2, bytes.Repeat(label(1, 1, 0, 0), n)...)...),
		"labels":           append(bytes.Join([][]byte{empty, keys}, nil), field(2, manyLabels...)...),
		"numeric labels":   append(bytes.Join([][]byte{empty, first}, nil), field(2, mixed...)...),
		"unknown fields":   bytes.Repeat(field(99), n),
	}
}

// allocated runs f and returns how many bytes it has allocated.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// TestNeed checks the model against what is allocated: never less, and for what takes the
// most memory not much more.
func TestNeed(t *testing.T) {
	loose := map[string]bool{ // mostly one slice, or labels, which may all need maps of their own
		"one label each": true, "eight labels": true, "labels of a key": true, "numeric labels": true, "labels": true,
	}
	for _, n := range []int{100, 1000, 100_000} {
		for name, data := range shapes(n) {
			want, err := need(data)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var p *profile.Profile
			got := want + 1
			for tries := 0; got > want && tries < 3; tries++ { // the runtime's goroutines allocate at times, too
				got = allocated(func() {
					if p, err = profile.ParseUncompressed(data); err == nil {
						_ = p.CheckValid()
					}
				}) + int64(len(data))
			}
			t.Logf("%6d %-17s need %9d, allocated %9d, %.2f", n, name, want, got, float64(want)/float64(got))
			if got > want {
				t.Errorf("%d %s: need %d, allocated %d", n, name, want, got)
			}
			if most := 2.5; n == 100_000 && got > 1<<20 && !loose[name] && float64(want) > most*float64(got) {
				t.Errorf("%d %s: need %d is more than %.1f times what is allocated, %d", n, name, want, most, got)
			}
			runtime.KeepAlive(p)
		}
	}
}

func gzipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestBudget checks profiles that are small as files and gigabytes in memory: they are
// rejected before anything of them is allocated.
func TestBudget(t *testing.T) {
	unpacked := 12 << 20 * 8 / int(pointerSize) // pointers are most of it
	for name, message := range map[string][]byte{"samples": field(2), "locations": field(4), "mappings": field(3), "labels": field(2, bytes.Repeat(field(3), 60)...)} {
		data := gzipped(t, bytes.Repeat(message, unpacked/len(message)))
		if len(data) > 1<<20 {
			t.Fatalf("%s: %d bytes", name, len(data))
		}
		file := filepath.Join(t.TempDir(), "cpu.pprof")
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
		var err error
		got := allocated(func() { _, err = new(Reader).ReadFile(file) })
		e, ok := errors.AsType[*NeedError](err)
		if !ok || e.Need <= budget || !strings.HasPrefix(err.Error(), file+": decoding it takes ") || !strings.Contains(err.Error(), " GiB of memory, and the budget is 1.0 GiB; take a profile of a shorter time") {
			t.Errorf("%s: %v", name, err)
		}
		if got > int64(unpacked)+8<<20 {
			t.Errorf("%s: %d bytes were allocated", name, got)
		}
	}
}

// TestBudgetOfAll checks that several profiles have one budget, and that one which does
// not fit takes nothing of it.
func TestBudgetOfAll(t *testing.T) {
	data := unpackedProfile(t)
	one, err := need(data)
	if err != nil {
		t.Fatal(err)
	}
	r := Reader{Budget: 2*one + one/2}
	for range 2 {
		if _, err := r.Read(bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
	}
	_, err = r.Read(bytes.NewReader(data))
	if e, ok := errors.AsType[*NeedError](err); !ok || e.Need != one || e.Used != 2*one || !strings.Contains(err.Error(), "of which the profiles before it take") {
		t.Error(err)
	}
	if r.used.Load() != 2*one {
		t.Error(r.used.Load(), one)
	}
}

func unpackedProfile(t testing.TB) []byte { return unpacked(t, sample("samples", "cpu")) }

// TestGzip checks what is packed otherwise than once.
func TestGzip(t *testing.T) {
	data := unpackedProfile(t)
	once := gzipped(t, data)
	for name, c := range map[string]struct {
		data []byte
		err  string
	}{
		"twice":      {gzipped(t, once), "it is packed by gzip twice; unpack it once, with gunzip"},
		"two halves": {append(gzipped(t, data[:9]), gzipped(t, data[9:])...), ""},
		"two":        {append(bytes.Clone(once), once...), "it is damaged"},
		"garbage":    {append(bytes.Clone(once), "garbage"...), "it is cut off or damaged"},
		"header":     {[]byte{0x1f, 0x8b}, "it is cut off or damaged"},
		"of nothing": {gzipped(t, nil), "it is empty"},
	} {
		p, err := new(Reader).Read(bytes.NewReader(c.data))
		if c.err == "" && (err != nil || p == nil) || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: %v, want %q", name, err, c.err)
		}
	}
}

// TestWritten checks profiles whose messages are few, and whose stacks and names are not.
func TestWritten(t *testing.T) {
	const budget = 64 << 20
	function := func(p *profile.Profile) *profile.Function { return p.Function[0] }
	for name, c := range map[string]struct {
		change func(p *profile.Profile)
		err    string
	}{
		"a location with many lines, many times": {func(p *profile.Profile) {
			p.Location[0].Line = make([]profile.Line, 1000)
			for i := range p.Location[0].Line {
				p.Location[0].Line[i].Function = function(p)
			}
			for range 1000 {
				p.Sample[0].Location = append(p.Sample[0].Location, p.Location[0])
			}
		}, "it has a stack of more than 16384 calls"},
		"many stacks": {func(p *profile.Profile) {
			for range 16000 {
				p.Sample[0].Location = append(p.Sample[0].Location, p.Location[0])
			}
			for range 200 {
				p.Sample = append(p.Sample, p.Sample[0])
			}
		}, "its stacks and names take more than 64.0 MiB when they are written out"},
		"a long name": {func(p *profile.Profile) {
			function(p).Name = strings.Repeat("x", 1<<20)
			for range 200 {
				p.Sample = append(p.Sample, p.Sample[0])
			}
		}, "its stacks and names take more than 64.0 MiB when they are written out"},
		"a long file name": {func(p *profile.Profile) {
			text := strings.Repeat("x", 1<<20)
			for i := range 200 {
				p.Function = append(p.Function, &profile.Function{ID: uint64(i) + 2, Name: "f", Filename: text})
			}
		}, "its stacks and names take more than 64.0 MiB when they are written out"},
		"a long label": {func(p *profile.Profile) {
			p.Sample[0].Label = map[string][]string{"k": {strings.Repeat("x", 1<<20)}}
			for range 200 {
				p.Sample = append(p.Sample, p.Sample[0])
			}
		}, "its stacks and names take more than 64.0 MiB when they are written out"},
	} {
		p := sample("samples", "cpu")
		c.change(p)
		r := Reader{Budget: budget}
		if _, err := r.Read(bytes.NewReader(unpacked(t, p))); err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v, want %s", name, err, c.err)
		}
	}
}

// TestOneDecoder checks that nothing in this module decodes profiles but Reader.
func TestOneDecoder(t *testing.T) {
	found := 0
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		data, err := os.ReadFile(name)
		if n := strings.Count(string(data), "profile.Parse"); n > 0 {
			found += n
			if filepath.Base(name) != "prof.go" {
				t.Errorf("%s decodes a profile by itself; use prof.Reader", name)
			}
		}
		return err
	})
	if err != nil || found != 1 {
		t.Error(found, err)
	}
}

// FuzzDecode checks that decoding allocates no more than was counted before, nor more
// than the budget.
func FuzzDecode(f *testing.F) {
	for _, n := range []int{1, 100, 300} {
		for _, data := range shapes(n) {
			f.Add(data)
			if n == 300 {
				f.Add(gzipped(f, data))
			}
		}
	}
	f.Add(unpackedProfile(f))
	f.Add(gzipped(f, gzipped(f, unpackedProfile(f))))
	f.Fuzz(func(t *testing.T, data []byte) {
		const most = 64 << 10 // of the reader of gzip, and of errors
		r := Reader{Budget: 1 << 20}
		if plain, err := unpack(data); err == nil {
			n, err := need(plain)
			got := least(func() {
				if err == nil {
					profile.ParseUncompressed(plain)
				}
			})
			if got > n+4<<10 {
				t.Fatalf("%d bytes: need %d, allocated %d", len(plain), n, got)
			}
		}
		if got := least(func() { r.Decode(data) }); got > r.Budget+int64(len(data))+most {
			t.Fatalf("%d bytes: allocated %d", len(data), got)
		}
	})
}

// least returns the bytes that f allocates, without what other goroutines do meanwhile.
func least(f func()) int64 {
	n := int64(math.MaxInt64)
	for range 3 {
		n = min(n, allocated(f))
	}
	return n
}
