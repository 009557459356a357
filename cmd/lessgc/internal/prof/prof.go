// Package prof reads profiles of Go programs: those of CPU time, and those of
// allocations, which also say what is live.
//
// A profile is somebody's file, or what somebody's service sent: it may be empty, cut
// off, something else, or a few kilobytes that unpack to terabytes. All of that is an
// error, in bounded memory.
package prof

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"
)

// A Kind is what a profile is about.
type Kind string

// The kinds. A heap profile of Go is one of allocations too: it has all four values.
const (
	CPU    Kind = "cpu"
	Allocs Kind = "allocs"
)

// Bounds of what is read: the file, and what it unpacks to. A profile of a large
// service has some megabytes.
const (
	maxPacked   = 64 << 20
	maxUnpacked = 256 << 20
)

// A Profile is one that was read and makes sense.
type Profile struct {
	*profile.Profile
	Kind Kind
}

// ReadFile reads a profile of a file. The error names the file and says what is
// wrong with it.
func ReadFile(name string) (*Profile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// Read reads a profile, packed by gzip or not.
func Read(r io.Reader) (*Profile, error) {
	data, err := bounded(r, maxPacked)
	if err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return nil, errors.New("it is empty: the program that wrote it did not end, or did not stop its profile")
	}
	if data, err = Unpack(data); err != nil {
		return nil, err
	}
	p, err := profile.ParseUncompressed(data)
	if err != nil {
		return nil, fmt.Errorf("it is no profile in pprof's format (%w); take one with go test -cpuprofile or -memprofile, or from /debug/pprof", err)
	}
	return check(p)
}

// Unpack returns what is packed by gzip, or data itself if nothing is. What unpacks to more
// than any profile is an error.
func Unpack(data []byte) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		data, err = bounded(z, maxUnpacked)
	}
	if err != nil && !errors.Is(err, ErrTooLarge) {
		err = fmt.Errorf("it is cut off or damaged (%w); take the profile again", err)
	}
	return data, err
}

// ErrNoSamples is about a profile of a program that did nothing.
var ErrNoSamples = errors.New("it holds no samples")

// ErrTooLarge is about what nobody should unpack.
var ErrTooLarge = errors.New("it is larger than any profile of a program: what is it?")

// bounded reads all of r, or fails.
func bounded(r io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		err = ErrTooLarge
	}
	return data, err
}

// check finds out what a profile is about, and whether it can be used.
func check(p *profile.Profile) (*Profile, error) {
	if err := p.CheckValid(); err != nil {
		return nil, fmt.Errorf("it is damaged (%w); take the profile again", err)
	}
	var types []string
	for _, t := range p.SampleType {
		types = append(types, t.Type)
	}
	out := &Profile{Profile: p}
	switch {
	case slices.Contains(types, "cpu") && slices.Contains(types, "samples"):
		out.Kind = CPU
	case slices.Contains(types, "alloc_space") && slices.Contains(types, "alloc_objects"):
		out.Kind = Allocs
	default:
		return nil, fmt.Errorf("it is a profile of %s; a CPU profile and one of allocations (heap or allocs) are needed", strings.Join(types, ", "))
	}
	if len(p.Sample) == 0 {
		return nil, fmt.Errorf("%w; let the program work while the %s profile is taken", ErrNoSamples, out.Kind)
	}
	named := func(s *profile.Sample) bool { return len(Stack(s)) > 0 }
	if !slices.ContainsFunc(p.Sample, named) {
		return nil, errors.New("it has addresses and no names of functions: the binary was stripped of them; take it from a Go program with pprof's own writer")
	}
	return out, nil
}

// Value returns the index of a sample type, such as "alloc_space". Those of a
// profile's kind are there.
func (p *Profile) Value(name string) int {
	return slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == name })
}

// A Frame is a call on a stack.
type Frame struct {
	Func string // with its package: "example.com/a.(*T).M.func1"
	File string
	Line int
}

// Package is the import path of the function's package.
func (f Frame) Package() string {
	slash := strings.LastIndexByte(f.Func, '/') + 1
	path, _, _ := strings.Cut(f.Func[slash:], ".")
	return strings.ReplaceAll(f.Func[:slash]+path, "%2e", ".")
}

// Stack returns the calls of a sample, the innermost first, inlined ones included.
// Addresses without a name are left out.
func Stack(s *profile.Sample) []Frame {
	var all []Frame
	for _, l := range s.Location {
		for _, line := range l.Line {
			if line.Function != nil && line.Function.Name != "" {
				all = append(all, Frame{line.Function.Name, line.Function.Filename, int(line.Line)})
			}
		}
	}
	return all
}

// Sampled is how many samples some allocations of a profile rest on, about. It does not
// say: there is one for each period of bytes, or for each object that is larger.
func Sampled(bytes, objects, period int64) float64 {
	if bytes <= 0 || objects <= 0 {
		return 0
	}
	return float64(bytes) / max(float64(period), float64(bytes)/float64(objects))
}

// opsComment is what the comment of a profile begins with that says how many operations
// it is of.
const opsComment = "lessgc operations: "

// SetOps says how many operations of a benchmark the profile is of.
func (p *Profile) SetOps(n int64) {
	p.Comments = append(p.Comments, opsComment+strconv.FormatInt(n, 10))
}

// Ops is how many operations of a benchmark the profile is of; 0 if it does not say.
func (p *Profile) Ops() (sum int64) {
	for _, c := range p.Comments {
		if text, ok := strings.CutPrefix(c, opsComment); ok {
			if n, err := strconv.ParseInt(text, 10, 64); err == nil && n > 0 {
				sum += n
			}
		}
	}
	return sum
}
