package load

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"lessgc/cmd/lessgc/internal/input"
	"lessgc/cmd/lessgc/internal/secret"
)

// Format is the version of the file that ReadSpec reads.
const Format = "lessgc-load/1"

// What a spec may ask for at most. A machine that needs more of them is not one to
// measure on.
const (
	maxSpec        = 16 << 20 // bytes of the spec
	maxFile        = 64 << 20 // bytes of a file that it names, or of what a command prints
	maxMessages    = 100_000  // of one request
	maxConnections = 1000
	maxList        = 1000 // requests, modes, headers
	maxName        = 200
	maxDuration    = time.Hour
	maxTimeout     = 10 * time.Minute // beyond it latencies are not told apart
	minRate        = 1e-3
	maxRate        = 1e6
)

// A Spec says what to start and what to send. It is a JSON file.
type Spec struct {
	Format string `json:"format"`

	// Server is the command line of the server. The first word is its Go main
	// package, relative to the folder of the file; {addr} stands for the address
	// that it is to listen on, such as 127.0.0.1:41231.
	Server string `json:"server"`

	// Modes are values of -mode, the baseline first, for when no -mode is given.
	Modes []string `json:"modes,omitempty"`

	// Duration is how long each loop puts load on each server; 2s if empty.
	Duration string `json:"duration,omitempty"`

	// Timeout bounds the time that a request waits for its answer; 10s if empty.
	Timeout string `json:"timeout,omitempty"`

	// Connections is how many connections the requests share, and InFlight how
	// many requests the closed loop keeps on the way; 4 and 8 if 0, and at most 1000
	// and 10,000.
	Connections int `json:"connections,omitempty"`
	InFlight    int `json:"inFlight,omitempty"`

	// Descriptors is a file with a FileDescriptorSet, as protoc
	// --descriptor_set_out --include_imports and buf build -o write it. Without
	// one the server is asked by gRPC's reflection service.
	Descriptors string `json:"descriptors,omitempty"`

	// TLS has the connections encrypted. Certificates are not checked.
	TLS bool `json:"tls,omitempty"`

	// Metadata is sent with every request. Results hold none of it.
	Metadata map[string]string `json:"metadata,omitempty"`

	// Requests are measured one after the other, each with a server of its own.
	Requests []Request `json:"requests"`

	dir string
	sum string
}

// A Request says what to send to one method. One of JSON, File and Command has
// what is sent: a message, or, in JSON, an array of messages. A unary method gets
// one after the other in turn; a stream gets all of them, and is then read to its
// end.
type Request struct {
	Name   string `json:"name"`   // in the report; the method if empty
	Method string `json:"method"` // such as users.Users/Get

	// Rate is how many requests a second the open loop sends. 0 is for half of
	// what the slowest mode can answer.
	Rate float64 `json:"rate,omitempty"`

	JSON    json.RawMessage `json:"json,omitempty"`
	File    string          `json:"file,omitempty"`    // JSON if its name ends so, else one message as it is encoded
	Command string          `json:"command,omitempty"` // prints JSON; run in the folder of the file
}

// ReadSpec reads and checks a file. The error says what to write instead.
func ReadSpec(file string) (*Spec, error) {
	data, err := input.ReadFile(file, maxSpec)
	if err != nil {
		return nil, fmt.Errorf("-load: %w", err)
	}
	s, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("-load %s: %w", file, err)
	}
	if s.dir, err = filepath.Abs(filepath.Dir(file)); err != nil {
		return nil, err
	}
	sum := sha256.New()
	sum.Write(data)
	for _, name := range s.files() {
		data, err := input.ReadFile(filepath.Join(s.dir, name), maxFile)
		if err != nil {
			return nil, fmt.Errorf("-load %s: %w", file, err)
		}
		sum.Write(data)
	}
	s.sum = hex.EncodeToString(sum.Sum(nil))
	return s, nil
}

// parse reads and checks what a file holds.
func parse(data []byte) (*Spec, error) {
	var head struct{ Format string } // those of other formats have fields that are not known
	if err := json.Unmarshal(data, &head); err == nil && strings.HasPrefix(head.Format, "lessgc-load/") && head.Format != Format {
		return nil, fmt.Errorf("its format is %.40q; write \"format\": %q, or use a lessgc that reads that", head.Format, Format)
	}
	s := new(Spec)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		return nil, errors.New(place(data, err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something stands behind the end of the object")
	}
	return s, s.check()
}

// place adds the line to what is wrong with a JSON file.
func place(data []byte, err error) string {
	offset := int64(-1)
	if e := new(json.SyntaxError); errors.As(err, &e) {
		offset = e.Offset
	} else if e := new(json.UnmarshalTypeError); errors.As(err, &e) {
		offset = e.Offset
	}
	text := strings.TrimPrefix(err.Error(), "json: ")
	if offset < 0 || offset > int64(len(data)) {
		return text
	}
	return fmt.Sprintf("line %d: %s", 1+bytes.Count(data[:offset], []byte("\n")), text)
}

func (s *Spec) check() error {
	if s.Format != Format {
		return fmt.Errorf("its format is %q; write \"format\": %q", s.Format, Format)
	}
	if !strings.Contains(s.Server, "{addr}") {
		return errors.New(`"server" must say where to put the address, such as "./cmd/server -addr {addr}"`)
	}
	for _, d := range []struct {
		name, text string
		most       time.Duration
	}{{"duration", s.Duration, maxDuration}, {"timeout", s.Timeout, maxTimeout}} {
		took, err := time.ParseDuration(d.text)
		switch {
		case d.text == "":
		case err != nil || took <= 0:
			return fmt.Errorf(`"%s": %.40q is not a duration such as "2s"`, d.name, d.text)
		case took > d.most:
			return fmt.Errorf(`"%s": %s is longer than %v; shorten it`, d.name, d.text, d.most)
		}
	}
	if s.Connections < 0 || s.InFlight < 0 {
		return errors.New(`"connections" and "inFlight" are positive numbers`)
	}
	if s.Connections > maxConnections {
		return fmt.Errorf(`"connections": %d is more than the %d that lessgc opens; more would run out of files`, s.Connections, maxConnections)
	}
	if s.InFlight > mostInFlight {
		return fmt.Errorf(`"inFlight": %d is more than the %d that lessgc keeps on the way; name fewer`, s.InFlight, mostInFlight)
	}
	if len(s.Modes) > maxList || len(s.Metadata) > maxList {
		return fmt.Errorf(`"modes" and "metadata" have at most %d entries; leave some out`, maxList)
	}
	for key, value := range s.Metadata {
		if err := checkHeader(key, value); err != nil {
			return err
		}
	}
	if len(s.Requests) == 0 {
		return errors.New(`"requests" is empty; name a method and what to send to it`)
	}
	if len(s.Requests) > maxList {
		return fmt.Errorf(`"requests" has %d entries, more than %d; divide them over several files`, len(s.Requests), maxList)
	}
	var names []string
	for i := range s.Requests {
		q := &s.Requests[i]
		q.Method = strings.TrimPrefix(q.Method, "/")
		if q.Name == "" {
			q.Name = q.Method
		}
		if err := q.check(); err != nil {
			return fmt.Errorf("request %d: %w", i+1, err)
		}
		if slices.Contains(names, q.Name) {
			return fmt.Errorf("two requests are called %q; give one of them another name", q.Name)
		}
		names = append(names, q.Name)
	}
	return nil
}

// checkHeader refuses what gRPC would refuse in every request.
func checkHeader(key, value string) error {
	if key == "" || strings.Trim(strings.ToLower(key), "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" || strings.HasPrefix(strings.ToLower(key), "grpc-") {
		return fmt.Errorf(`"metadata": %.40q is not the name of a header; use letters, digits, "-", "_" and ".", and no "grpc-" in front`, key)
	}
	if !strings.HasSuffix(strings.ToLower(key), "-bin") && strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) {
		return fmt.Errorf(`"metadata": the value of %q has characters other than printable ASCII; end the name in "-bin" to send bytes`, key)
	}
	return nil
}

func (q *Request) check() error {
	if len(q.Name) > maxName || strings.ContainsFunc(q.Name, unicode.IsControl) {
		return fmt.Errorf(`"name": %.40q is longer than %d bytes or has control characters; give it another`, q.Name, maxName)
	}
	service, method, ok := strings.Cut(q.Method, "/")
	if !ok || service == "" || method == "" || strings.Contains(method, "/") {
		return fmt.Errorf(`"method": %q is not the full name of a method, such as "users.Users/Get"`, q.Method)
	}
	sources := 0
	for _, given := range []bool{q.JSON != nil, q.File != "", q.Command != ""} {
		if given {
			sources++
		}
	}
	if sources != 1 {
		return errors.New(`one of "json", "file" and "command" has to say what is sent`)
	}
	if q.Rate < 0 || q.Rate > maxRate || q.Rate > 0 && q.Rate < minRate {
		return fmt.Errorf(`"rate": %g is not a number of requests a second between %g and %g`, q.Rate, minRate, maxRate)
	}
	return nil
}

// files are the names of those that the spec refers to.
func (s *Spec) files() []string {
	var all []string
	if s.Descriptors != "" {
		all = append(all, s.Descriptors)
	}
	for _, q := range s.Requests {
		if q.File != "" {
			all = append(all, q.File)
		}
	}
	return all
}

// Secrets are the values of metadata that nothing may show.
func (s *Spec) Secrets() []string {
	var all []string
	for name, value := range s.Metadata {
		if secret.Name(name) {
			all = append(all, value)
		}
	}
	return all
}

// Dir is the folder that the spec's paths are relative to.
func (s *Spec) Dir() string { return s.dir }

// Sum tells specs with different contents apart, those of their files included.
func (s *Spec) Sum() string { return s.sum }

// PhaseDuration is how long a loop lasts.
func (s *Spec) PhaseDuration() time.Duration { return duration(s.Duration, 2*time.Second) }

// RequestTimeout is how long a request may take.
func (s *Spec) RequestTimeout() time.Duration { return duration(s.Timeout, 10*time.Second) }

func duration(text string, otherwise time.Duration) time.Duration {
	if d, err := time.ParseDuration(text); err == nil {
		return d
	}
	return otherwise
}

// Names are those of the requests.
func (s *Spec) Names() []string {
	var names []string
	for _, q := range s.Requests {
		names = append(names, q.Name)
	}
	return names
}
