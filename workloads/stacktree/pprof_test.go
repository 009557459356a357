package stacktree

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lessgc/internal/longtest"
)

// TestPprof reads what encoder writes, in all the ways that it can.
func TestPprof(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for bits := range 1 << 6 {
		has := func(bit int) bool { return bits>>bit&1 == 1 }
		e := encoder{inline: has(0), sparse: has(1), unpacked: has(2), strings: has(3), extra: has(4), gzip: has(5)}
		for range 2 {
			samples := randomSamples(rnd, 3)
			data := e.encode(samples, 3)
			for sampleType := range 3 {
				in := Input{Format: Pprof, Data: data, SampleType: sampleType}
				if got, want := collapsed(t, Strategies[0], in), plainTree(samples, sampleType); !bytes.Equal(got, want) {
					t.Fatalf("%+v, sample type %d: tree\n%s\nwant\n%s", e, sampleType, got, want)
				}
			}
		}
	}
}

// TestFormatsAgree checks that the synthetic profile is the same tree in both
// formats.
func TestFormatsAgree(t *testing.T) {
	text := Synthetic()
	want := collapsed(t, Strategies[0], Input{Data: text})
	got := collapsed(t, Strategies[0], Input{Format: Pprof, Data: encoder{inline: true, gzip: true}.encode(samplesOf(text), 1)})
	if !bytes.Equal(got, want) {
		t.Error("the trees differ")
	}
}

// msg joins the encoded fields of a message.
func msg(fields ...[]byte) []byte { return slices.Concat(fields...) }

func num(f, v uint64) []byte        { return number(nil, f, v) }
func sub(f uint64, b []byte) []byte { return field(nil, f, b) }
func str(s string) []byte           { return sub(profileStringTable, []byte(s)) }

// oneType is a profile with one sample type and the strings "", "main" and
// "a;b\nc", to which a test adds the rest.
func oneType(fields ...[]byte) []byte {
	return msg(sub(profileSampleType, nil), str(""), str("main"), str("a;b\nc"), msg(fields...))
}

func function(id, name uint64) []byte {
	return sub(profileFunction, msg(num(functionID, id), num(functionName, name)))
}

func location(id, address uint64, functions ...uint64) []byte {
	m := msg(num(locationID, id), num(locationAddress, address))
	for _, f := range functions {
		m = msg(m, sub(locationLine, num(lineFunctionID, f)))
	}
	return sub(profileLocation, m)
}

func sampleOf(value int64, locations ...uint64) []byte {
	m := num(sampleValue, uint64(value))
	for _, l := range locations {
		m = msg(m, num(sampleLocationID, l))
	}
	return sub(profileSample, m)
}

// A file is a pprof file, and its tree as collapsed stacks or what is wrong
// with it.
type file struct {
	name string
	data []byte
	want string
	err  string // part of the error
}

var files = []file{
	{"empty", nil, "", "no sample type 0: there are 0"},
	{"no samples", oneType(), "", ""},
	{"one", oneType(function(1, 1), location(1, 0, 1), sampleOf(5, 1)), "main 5\n", ""},
	{"backwards", oneType(sampleOf(5, 1), location(1, 0, 1), function(1, 1)), "main 5\n", ""},
	{"twice", oneType(function(1, 1), location(1, 0, 1), sampleOf(5, 1), sampleOf(2, 1)), "main 7\n", ""},
	{"inlined", oneType(function(1, 1), function(2, 2), location(1, 0, 2, 1), sampleOf(5, 1)), "main;a:b c 5\n", ""},
	{"leaf first", oneType(function(1, 1), function(2, 2), location(1, 0, 1), location(2, 0, 2), sampleOf(5, 2, 1)), "main;a:b c 5\n", ""},
	{"two functions of one name", oneType(function(1, 1), function(2, 1), location(1, 0, 1), location(2, 0, 2), sampleOf(5, 1), sampleOf(1, 2)), "main 6\n", ""},
	{"no lines", oneType(location(1, 0xbeef), location(2, 0), sampleOf(5, 1, 2)), "0x0;0xbeef 5\n", ""},
	{"no function", oneType(location(1, 0xbeef, 0), sampleOf(5, 1)), "? 5\n", ""},
	{"no name", oneType(function(1, 0), location(1, 0, 1), sampleOf(5, 1)), "? 5\n", ""},
	{"no locations", oneType(sampleOf(5)), "? 5\n", ""},
	{"no strings", msg(sub(profileSampleType, nil), function(1, 0), location(1, 0, 1), sampleOf(5, 1)), "? 5\n", ""},
	{"counts nothing", oneType(sampleOf(0, 99)), "", ""},
	{"large ids", oneType(function(math.MaxUint64, 1), location(1<<63, 0, math.MaxUint64), sampleOf(5, 1<<63)), "main 5\n", ""},
	{"last of a repeated field", oneType(sub(profileFunction, msg(num(functionID, 9), num(functionName, 9), num(functionID, 1), num(functionName, 1))), location(1, 0, 1), sampleOf(5, 1)), "main 5\n", ""},

	{"location 2", oneType(sampleOf(5, 2), location(1, 0)), "", "no location 2"},
	{"location 0", oneType(location(0, 0)), "", "a location with the id 0"},
	{"locations alike", oneType(location(7, 0), location(7, 0)), "", "a second location 7"},
	{"function 2", oneType(location(1, 0, 2)), "", "no function 2"},
	{"function 0", oneType(function(0, 1)), "", "a function with the id 0"},
	{"functions alike", oneType(function(7, 1), function(8, 1), function(7, 1)), "", "a second function 7"},
	{"string 3", oneType(function(1, 3)), "", "no string 3: there are 3"},
	{"negative string", oneType(function(1, math.MaxUint64)), "", "no string 18446744073709551615"},
	{"first string", msg(sub(profileSampleType, nil), str("x")), "", errFirstString.Error()},
	{"negative", oneType(sampleOf(-1)), "", errNegative.Error()},
	{"overflow", oneType(sampleOf(math.MaxInt64), sampleOf(1)), "", errOverflow.Error()},
	{"two values", oneType(sub(profileSample, msg(num(sampleValue, 1), num(sampleValue, 1)))), "", "2 values for 1 sample types"},
	{"no value", oneType(sub(profileSample, nil)), "", "0 values for 1 sample types"},

	{"tag ends", []byte{0x80}, "", errTruncated.Error()},
	{"varint ends", []byte{0x48, 0xff}, "", errTruncated.Error()},
	{"varint too long", append([]byte{0x48}, bytes.Repeat([]byte{0xff}, 11)...), "", errVarint.Error()},
	{"bytes end", []byte{0x32, 5, 'a'}, "", errTruncated.Error()},
	{"length 2^63", append([]byte{0x32}, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1), "", errTruncated.Error()},
	{"fixed ends", []byte{9<<3 | wireFixed8, 1, 2, 3}, "", errTruncated.Error()},
	{"field 0", []byte{0x00, 0x00}, "", errField.Error()},
	{"group", []byte{0x4b, 0x4c}, "", errWire.Error()},
	{"packed ends", oneType(sub(profileSample, sub(sampleLocationID, []byte{0x80}))), "", errTruncated.Error()},
	{"sample is a number", num(profileSample, 1), "", errMismatch.Error()},
	{"string is a number", num(profileStringTable, 1), "", errMismatch.Error()},
	{"line is a number", oneType(sub(profileLocation, num(locationLine, 1))), "", errMismatch.Error()},
	{"id is a string", oneType(sub(profileFunction, sub(functionID, nil))), "", errMismatch.Error()},
	{"value is fixed", oneType(sub(profileSample, []byte{sampleValue<<3 | wireFixed4, 0, 0, 0, 0})), "", errMismatch.Error()},

	{"gzip of nothing", compress(nil), "", io.ErrUnexpectedEOF.Error()},
	{"gzip header only", []byte{0x1f, 0x8b}, "", io.ErrUnexpectedEOF.Error()},
	{"gzip ends", compress(oneType(sampleOf(5)))[:30], "", io.ErrUnexpectedEOF.Error()},
	{"gzip checksum", flip(compress(oneType(sampleOf(5))), -6), "", gzip.ErrChecksum.Error()},
	{"gzip twice", append(compress(oneType(sampleOf(5))), compress(sampleOf(4))...), "? 9\n", ""},
}

// flip inverts the byte at index i, counted from the end.
func flip(b []byte, i int) []byte {
	b[len(b)+i] ^= 0xff
	return b
}

func TestFiles(t *testing.T) {
	for _, x := range files {
		in := Input{Format: Pprof, Data: x.data}
		if x.err == "" {
			if got := collapsed(t, Strategies[0], in); string(got) != x.want {
				t.Errorf("%s: tree %q, want %q", x.name, got, x.want)
			}
			continue
		}
		err := Strategies[0].Do(in, func(*Tree) { t.Errorf("%s: a tree in spite of the error", x.name) })
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), x.err) {
			t.Errorf("%s: error %v, want one with %q", x.name, err, x.err)
		} else if syntax.Offset < 0 || syntax.Line != 0 {
			t.Errorf("%s: offset %d, line %d", x.name, syntax.Offset, syntax.Line)
		}
	}
}

// TestOffsets checks the place in errors: where the message or field begins
// that is wrong, in the decompressed profile.
func TestOffsets(t *testing.T) {
	head := len(oneType())
	check := func(want int, fields ...[]byte) {
		t.Helper()
		for _, data := range [][]byte{oneType(fields...), compress(oneType(fields...))} {
			err := Strategies[0].Do(Input{Format: Pprof, Data: data}, func(*Tree) {})
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Offset != want {
				t.Errorf("error %v, want offset %d", err, want)
			}
		}
	}
	check(head, num(profileSample, 1))
	check(head+2, sampleOf(5, 2))
	check(head+2, sampleOf(-1))
	check(head+2, function(7, 3))
	check(head+2, location(7, 0, 1))
	check(head+4, sub(profileLocation, msg(num(locationID, 1), num(locationLine, 1))))
	check(head+2, num(9, 1), []byte{0x4b})
	check(head+2+2+1, sub(profileSample, sub(sampleValue, []byte{1, 0x80})))
}

func TestSampleTypeOutOfRange(t *testing.T) {
	data := encoder{}.encode(nil, 4)
	for _, sampleType := range []int{-1, 4, math.MaxInt} {
		err := Strategies[0].Do(Input{Format: Pprof, Data: data, SampleType: sampleType}, func(*Tree) {})
		if err == nil || !strings.Contains(err.Error(), "there are 4") {
			t.Errorf("sample type %d: error %v", sampleType, err)
		}
	}
}

// TestLimits checks that each limit ends an input that exceeds it by one.
func TestLimits(t *testing.T) {
	text := []byte("a;b;c 1\na;d 1\na;e 1\n")
	profile := encoder{}.encode(samplesOf(text), 1)
	check := func(format Format, data []byte, set func(l *limits, v int), enough int) {
		t.Helper()
		for _, v := range []int{enough, enough - 1} {
			l := defaults
			set(&l, v)
			err := Strategies[0].do(Input{Format: format, Data: data}, l, func(*Tree) {})
			if tooLarge := errors.Is(err, ErrTooLarge); tooLarge != (v < enough) || err != nil && !tooLarge {
				t.Errorf("format %v, limit %d, enough is %d: error %v", format, v, enough, err)
			}
		}
	}
	size := func(l *limits, v int) { l.bytes = v }
	depth := func(l *limits, v int) { l.depth = v }
	nodes := func(l *limits, v int) { l.nodes = v }
	children := func(l *limits, v int) { l.children = v }
	check(Collapsed, text, size, len(text))
	check(Pprof, profile, size, len(profile))
	check(Pprof, compress(bytes.Repeat(profile, 1)), size, len(profile))
	check(Collapsed, text, depth, 3)
	check(Pprof, profile, depth, 3)
	check(Collapsed, text, nodes, 5)
	check(Pprof, profile, nodes, 5)
	check(Collapsed, text, children, 3)
	check(Pprof, profile, children, 3)
	check(Pprof, profile, func(l *limits, v int) { l.frames = v }, 7)
	// Strings: "", that of the type, 5 names. Then, one table at a time.
	entries := func(l *limits, v int) { l.entries = v }
	check(Pprof, profile, entries, 7)
	check(Pprof, bytes.Repeat(sub(profileSampleType, nil), 7), entries, 7)
	check(Pprof, oneType(bytes.Repeat(sampleOf(0), 7)), entries, 7)
	check(Pprof, oneType(location(1, 0, 0, 0, 0, 0, 0, 0, 0)), entries, 7)
	// Frames are inlined, or belong to a sample that does not count.
	check(Pprof, oneType(location(1, 0, 0, 0, 0), sampleOf(1, 1)), depth, 3)
	check(Pprof, oneType(location(1, 0), sampleOf(0, 1, 1, 1)), depth, 3)
}

// TestBomb checks that a small file that unpacks to a large one is an error,
// and is not unpacked to its end.
func TestBomb(t *testing.T) {
	l := defaults
	l.bytes = 1 << 16
	file := compress(make([]byte, 16*l.bytes))
	if len(file) > l.bytes/8 {
		t.Fatalf("%d bytes are not a bomb", len(file))
	}
	file = file[:len(file)/2] // the rest is not looked at
	err := Strategies[0].do(Input{Format: Pprof, Data: file}, l, func(*Tree) {})
	if !errors.Is(err, ErrTooLarge) {
		t.Errorf("%d bytes: error %v, want %v", len(file), err, ErrTooLarge)
	}
}

// TestRaw compares the real profile with what go tool pprof reads in it.
func TestRaw(t *testing.T) {
	longtest.Skip(t, "go tool pprof may have to be built")
	name := filepath.Join(t.TempDir(), "allocs.pb.gz")
	if err := os.WriteFile(name, realProfile(t), 0o666); err != nil {
		t.Fatal(err)
	}
	raw, err := exec.Command("go", "tool", "pprof", "-symbolize=none", "-raw", name).Output()
	if err != nil {
		t.Skipf("go tool pprof: %v", err)
	}
	samples := readRaw(t, raw)
	if len(samples) < 1000 {
		t.Fatalf("go tool pprof sees %d samples, want more than 1000", len(samples))
	}
	for sampleType := range allocTypes {
		got := collapsed(t, Strategies[0], Input{Format: Pprof, Data: realProfile(t), SampleType: sampleType})
		if want := plainTree(samples, sampleType); !bytes.Equal(got, want) {
			t.Errorf("sample type %d: %d bytes of collapsed stacks differ from the %d of go tool pprof", sampleType, len(got), len(want))
		}
	}
}

// Lines of go tool pprof -raw. A sample is its values and its locations, leaf
// first. A location is its id, address, mapping, a function and that one's
// place; further functions, which this one is inlined in, are on lines below.
var (
	rawSample   = regexp.MustCompile(`^([ 0-9]+): ([ 0-9]+)$`)
	rawLocation = regexp.MustCompile(`^ *([0-9]+): 0x[0-9a-f]+ (?:M=[0-9]+ )?`)
	rawFunction = regexp.MustCompile(`^ *(.+?) (?:[^ ]*|[A-Z]:.*):[0-9]+:[0-9]+ s=[0-9]+$`)
)

// readRaw reads the output of go tool pprof -raw.
func readRaw(t *testing.T, raw []byte) (samples []sample) {
	head, locations, _ := strings.Cut(string(raw), "\nLocations\n")
	locations, _, _ = strings.Cut(locations, "\nMappings\n")
	functions := map[string][]string{} // by location, leaf first
	id := ""
	for line := range strings.Lines(locations) {
		line = strings.TrimSuffix(line, "\n")
		if m := rawLocation.FindStringSubmatch(line); m != nil {
			id, line = m[1], line[len(m[0]):]
		}
		m := rawFunction.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("no function in line %q", line)
		}
		functions[id] = append(functions[id], strings.ReplaceAll(m[1], ";", ":"))
	}
	for line := range strings.Lines(head) {
		m := rawSample.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		var s sample
		for _, w := range strings.Fields(m[1]) {
			v, err := strconv.ParseInt(w, 10, 64)
			if err != nil {
				t.Fatalf("line %q: %v", line, err)
			}
			s.values = append(s.values, v)
		}
		for _, id := range slices.Backward(strings.Fields(m[2])) {
			for _, f := range slices.Backward(functions[id]) {
				s.frames = append(s.frames, f)
			}
		}
		samples = append(samples, s)
	}
	return samples
}

func FuzzPprof(f *testing.F) {
	for _, x := range files {
		f.Add(x.data, 0)
	}
	rnd := rand.New(rand.NewPCG(7, 8))
	for range 10 {
		f.Add(encoder{inline: true, extra: true}.encode(randomSamples(rnd, 3), 3), 2)
	}
	f.Fuzz(func(t *testing.T, data []byte, sampleType int) {
		in := Input{Format: Pprof, Data: data, SampleType: sampleType}
		// Small limits, so that a few bytes reach them.
		l := limits{bytes: 1 << 20, depth: 100, frames: 10_000, entries: 1000, nodes: 1000, children: 50}
		var want []byte
		var first error
		for i, s := range Strategies {
			var got []byte
			err := s.do(in, l, func(tree *Tree) {
				if err := whole(tree); err != nil {
					t.Fatalf("strategy=%s: %v", s.Name, err)
				}
				got = tree.AppendCollapsed([]byte{})
			})
			var syntax *SyntaxError
			if err != nil && !errors.Is(err, ErrTooLarge) && !errors.As(err, &syntax) {
				t.Fatalf("strategy=%s: error %v is neither about syntax nor size", s.Name, err)
			}
			if syntax != nil && syntax.Offset < 0 {
				t.Fatalf("strategy=%s: offset %d", s.Name, syntax.Offset)
			}
			if i == 0 {
				want, first = got, err
			}
			if !bytes.Equal(got, want) || (err == nil) != (got != nil) || (err == nil) != (first == nil) {
				t.Fatalf("strategy=%s: tree %q, error %v; want %q, %v", s.Name, got, err, want, first)
			}
		}
		if first != nil {
			return
		}
		if again := collapsed(t, Strategies[0], Input{Data: want}); !bytes.Equal(again, want) {
			t.Fatalf("the tree of %q is %q", want, again)
		}
	})
}
