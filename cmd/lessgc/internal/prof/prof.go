// Package prof reads profiles of Go programs: those of CPU time, and those of
// allocations, which also have the live heap.
//
// A profile is an untrusted file, or an untrusted answer of a service: it may be empty, cut
// off, something else, or a few kilobytes that unpack to terabytes. All of that is an
// error, in bounded memory.
package prof

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/google/pprof/profile"
)

// A Kind names the resource that a profile measures.
type Kind string

// The kinds. A heap profile of Go is one of allocations too: it has all four values.
const (
	CPU    Kind = "cpu"
	Allocs Kind = "allocs"
)

// Bounds of what is read: the file, what it unpacks to, and what the profiles of a
// Reader take when they are decoded. A profile of a large service has some megabytes.
const (
	maxPacked   = 64 << 20
	maxUnpacked = 256 << 20
	budget      = 1 << 30
)

// A Profile is one that was read and makes sense.
type Profile struct {
	*profile.Profile
	Kind  Kind
	Notes []string // what a reader of its values should know
}

// A Reader reads profiles within one budget of memory for all of them: what they take is
// counted before any of it is allocated. The zero value has a budget of 1 GiB. Its
// methods may be called by several goroutines at once.
type Reader struct {
	Budget int64 // bytes; 0 for 1 GiB
	used   atomic.Int64
}

// ReadFile reads a profile of a file. The error names the file and what is
// wrong with it.
func (r *Reader) ReadFile(name string) (*Profile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return r.ReadOpen(f)
}

// ReadOpen reads a profile of a file that is open, and leaves it open. The error names
// the file.
func (r *Reader) ReadOpen(f *os.File) (*Profile, error) {
	p, err := r.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return p, nil
}

// Read reads a profile, packed by gzip or not.
func (r *Reader) Read(from io.Reader) (*Profile, error) {
	data, err := bounded(from, maxPacked)
	if err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return nil, errors.New("it is empty: the program that wrote it did not end, or did not stop its profile")
	}
	p, err := r.Decode(data)
	if _, ok := errors.AsType[*NeedError](err); ok {
		return nil, fmt.Errorf("%w; take a profile of a shorter time, or of fewer processes", err)
	}
	if errors.Is(err, ErrFormat) {
		err = fmt.Errorf("%w; take one with go test -cpuprofile or -memprofile, or from /debug/pprof", err)
	}
	if err != nil {
		return nil, err
	}
	return check(p)
}

// Decode decodes a profile of any kind, packed by gzip or not, whose samples, locations
// and functions refer to each other as they should. It is nil for no data. Nothing else
// in this command calls the decoder of package profile.
func (r *Reader) Decode(data []byte) (*profile.Profile, error) {
	data, err := unpack(data)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	n, err := need(data)
	if err == nil {
		err = r.take(n)
	}
	if _, ok := errors.AsType[*NeedError](err); ok {
		return nil, err
	}
	var p *profile.Profile
	if err == nil {
		p, err = profile.ParseUncompressed(data)
	}
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrFormat, err)
	}
	if err := p.CheckValid(); err != nil {
		return nil, fmt.Errorf("it is damaged (%w); take the profile again", err)
	}
	if err := written(p, cmp.Or(r.Budget, budget)); err != nil {
		return nil, err
	}
	return p, nil
}

// take takes n bytes of the budget.
func (r *Reader) take(n int64) error {
	total := cmp.Or(r.Budget, budget)
	used := r.used.Add(n)
	if used <= total {
		return nil
	}
	r.used.Add(-n)
	return &NeedError{Need: n, Used: used - n, Budget: total}
}

// unpack returns what is packed by gzip, or data itself if nothing is. Its size is counted
// first, so that no more than that is allocated.
func unpack(data []byte) ([]byte, error) {
	if !isGzip(data) {
		return data, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	n := int64(0)
	if err == nil {
		n, err = io.Copy(io.Discard, io.LimitReader(z, maxUnpacked+1))
	}
	if err == nil && n > maxUnpacked {
		return nil, ErrTooLarge
	}
	var out []byte
	if err == nil {
		err = z.Reset(bytes.NewReader(data))
	}
	if err == nil {
		out = make([]byte, n)
		_, err = io.ReadFull(z, out)
	}
	if err != nil {
		return nil, fmt.Errorf("it is cut off or damaged (%w); take the profile again", err)
	}
	if isGzip(out) {
		return nil, errors.New("it is packed by gzip twice; unpack it once, with gunzip")
	}
	return out, nil
}

func isGzip(data []byte) bool { return bytes.HasPrefix(data, []byte{0x1f, 0x8b}) }

// ErrFormat is returned for data that is not a profile.
var ErrFormat = errors.New("not a pprof profile")

// ErrNoSamples is returned for the profile of a program that did nothing.
var ErrNoSamples = errors.New("it holds no samples")

// ErrTooLarge is returned for data that is larger than any profile.
var ErrTooLarge = errors.New("it is larger than any profile of a program: what is it?")

// bounded reads all of r, or fails.
func bounded(r io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		err = ErrTooLarge
	}
	return data, err
}

// maxStack limits the calls of a stack: the runtime records 1,024, and each may have others inlined into it.
const maxStack = 16 << 10

// written bounds what the stacks of all samples have when they are written out, with the
// names of their functions, and their labels. A few kilobytes may say a trillion calls: a
// location with many lines, and samples that refer to it many times.
func written(p *profile.Profile, most int64) error {
	frame := int64(reflect.TypeFor[Frame]().Size())
	n := int64(0)
	for _, f := range p.Function {
		n += int64(len(f.Name) + len(f.SystemName) + len(f.Filename))
	}
	for _, m := range p.Mapping {
		n += int64(len(m.File) + len(m.BuildID))
	}
	for _, s := range p.Sample {
		calls := 0
		for _, l := range s.Location {
			if calls += len(l.Line); calls > maxStack {
				return fmt.Errorf("it has a stack of more than %d calls, which no Go program records; take the profile again", maxStack)
			}
			for _, line := range l.Line {
				n += frame + int64(len(line.Function.Name))
			}
		}
		for key, values := range s.Label {
			for _, v := range values {
				n += int64(len(key) + len(v))
			}
		}
		if n > most {
			return fmt.Errorf("its stacks and names take more than %s when they are written out; take a profile of a shorter time, or of fewer processes", size(most))
		}
	}
	return nil
}

// check finds out what a profile is about, and whether it can be used.
func check(p *profile.Profile) (*Profile, error) {
	if p == nil {
		return nil, errors.New("it is empty: the program that wrote it did not stop its profile")
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
		return nil, fmt.Errorf("it is a profile of %.200s; a CPU profile and one of allocations (heap or allocs) are needed", strings.Join(types[:min(len(types), 8)], ", "))
	}
	if len(p.Sample) == 0 {
		return nil, fmt.Errorf("%w; let the program work while the %s profile is taken", ErrNoSamples, out.Kind)
	}
	named := func(s *profile.Sample) bool { return len(Stack(s)) > 0 }
	if !slices.ContainsFunc(p.Sample, named) {
		return nil, errors.New("it has addresses and no names of functions: the binary was stripped of them; take it from a Go program with pprof's own writer")
	}
	if err := out.checkValues(); err != nil {
		return nil, err
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
	Func string // with its package, and without type arguments: "example.com/a.(*T).M.func1"
	File string
	Line int
}

// Package is the import path of the function's package.
func (f Frame) Package() string {
	slash := strings.LastIndexByte(f.Func, '/') + 1
	path, _, _ := strings.Cut(f.Func[slash:], ".")
	return strings.ReplaceAll(f.Func[:slash]+path, "%2e", ".")
}

// EscapePath is an import path as it stands in the names of functions: with the dots of its last element as %2e.
func EscapePath(path string) string {
	slash := strings.LastIndexByte(path, '/') + 1
	return path[:slash] + strings.ReplaceAll(path[slash:], ".", "%2e")
}

// Generic is the name of a function without the types that it is made for: "a.(*T[go.shape.int]).M" is a.(*T).M.
func Generic(name string) string {
	from := strings.IndexByte(name, '[')
	if from < 0 {
		return name
	}
	depth := 0
	for i := from; i < len(name); i++ {
		switch name[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return name[:from] + Generic(name[i+1:])
			}
		}
	}
	return name
}

// Stack returns the calls of a sample, the innermost first, inlined ones included. Addresses without a name are left
// out. All instances of a generic function have the name of it: its source is one.
func Stack(s *profile.Sample) []Frame {
	var all []Frame
	for _, l := range s.Location {
		for _, line := range l.Line {
			if line.Function != nil && line.Function.Name != "" {
				all = append(all, Frame{Generic(line.Function.Name), line.Function.Filename, int(line.Line)})
			}
		}
	}
	return all
}

// Sampled returns about how many samples some allocations of a profile rest on. The profile does not say: there is
// one for each period of bytes, or for each object that is larger.
func Sampled(bytes, objects, period int64) float64 {
	if bytes <= 0 || objects <= 0 {
		return 0
	}
	return float64(bytes) / max(float64(period), float64(bytes)/float64(objects))
}

// opsComment is the prefix of the comment of a profile that says how many operations it is of.
const opsComment = "lessgc operations: "

// SetOps sets the number of benchmark operations that the profile covers.
func (p *Profile) SetOps(n int64) {
	p.Comments = append(p.Comments, opsComment+strconv.FormatInt(n, 10))
}

// Ops returns the number of operations of a benchmark that the profile is of; 0 if it does not say.
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

// opsOfComment is the prefix of the comment of a profile that says how many operations of
// one benchmark among others it is of.
const opsOfComment = "lessgc operations of "

// MoveOps labels the number of operations of a profile as that of a benchmark, which is one of
// those whose profiles are to be added up. The name is its function's, with sub-benchmarks behind a slash.
func (p *Profile) MoveOps(benchmark string) {
	n := p.Ops()
	p.Comments = nil
	if n > 0 {
		p.Comments = []string{opsOfComment + benchmark + ": " + strconv.FormatInt(n, 10)}
	}
}

// OpsOf are the numbers of operations that MoveOps has noted, by the functions of benchmarks.
func (p *Profile) OpsOf() map[string]int64 {
	all := map[string]int64{}
	for _, c := range p.Comments {
		text, ok := strings.CutPrefix(c, opsOfComment)
		i := strings.LastIndex(text, ": ")
		if !ok || i < 0 {
			continue
		}
		n, err := strconv.ParseInt(text[i+2:], 10, 64)
		slash := strings.LastIndexByte(text[:i], '/') // of the import path, if it is not a sub-benchmark's
		name := text[:i]
		if j := strings.Index(name, ".Benchmark"); j >= 0 && slash > j {
			name = name[:j+strings.IndexByte(name[j:], '/')]
		}
		if err == nil && n > 0 {
			all[name] += n
		}
	}
	return all
}
