package load

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Format is the version of the file that ReadSpec reads.
const Format = "lessgc-load/1"

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
	// many requests the closed loop keeps on the way; 4 and 8 if 0.
	Connections int `json:"connections,omitempty"`
	InFlight    int `json:"inFlight,omitempty"`

	// Descriptors is a file with a FileDescriptorSet, as protoc
	// --descriptor_set_out --include_imports and buf build -o write it. Without
	// one the server is asked by gRPC's reflection service.
	Descriptors string `json:"descriptors,omitempty"`

	// TLS has the connections encrypted. Certificates are not checked.
	TLS bool `json:"tls,omitempty"`

	// Metadata is sent with every request.
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
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("-load: %w", err)
	}
	s := &Spec{dir: filepath.Dir(file)}
	if s.dir, err = filepath.Abs(s.dir); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		return nil, fmt.Errorf("-load %s: %s", file, place(data, err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("-load %s: something stands behind the end of the object", file)
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("-load %s: %w", file, err)
	}
	sum := sha256.New()
	sum.Write(data)
	for _, name := range s.files() {
		data, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil {
			return nil, fmt.Errorf("-load %s: %w", file, err)
		}
		sum.Write(data)
	}
	s.sum = hex.EncodeToString(sum.Sum(nil))
	return s, nil
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
	for name, text := range map[string]string{"duration": s.Duration, "timeout": s.Timeout} {
		if d, err := time.ParseDuration(text); text != "" && (err != nil || d <= 0) {
			return fmt.Errorf(`"%s": %q is not a duration such as "2s"`, name, text)
		}
	}
	if s.Connections < 0 || s.InFlight < 0 {
		return errors.New(`"connections" and "inFlight" are positive numbers`)
	}
	if len(s.Requests) == 0 {
		return errors.New(`"requests" is empty; name a method and what to send to it`)
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

func (q *Request) check() error {
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
	if q.Rate < 0 || q.Rate > 1e6 {
		return fmt.Errorf(`"rate": %g is not a number of requests a second`, q.Rate)
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
