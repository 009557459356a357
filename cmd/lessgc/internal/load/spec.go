package load

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

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
	maxPath        = 8 << 10
	maxDuration    = time.Hour
	maxTimeout     = 10 * time.Minute // of a request or a start; beyond it latencies are not told apart
	minRate        = 1e-3
	maxRate        = 1e6
)

// A Spec describes the server to start and the requests to send. It is a JSON file.
type Spec struct {
	Format string `json:"format"`

	// Server is the command line of the server. The first word is its Go main
	// package, relative to the folder of the file. In the others {addr} stands for the
	// address that it is to listen on, such as 127.0.0.1:41231, {host} and {port} for
	// the parts of it, and {dir} for a folder of its own, empty when it starts and
	// removed when it has ended.
	Server string `json:"server"`

	// Env is added to the environment of lessgc for the server; a mode may set the
	// same variables to other values. The values have placeholders as Server has.
	// Results hold none of it.
	Env map[string]string `json:"env,omitempty"`

	// Ready says when the server can be measured.
	Ready Ready `json:"ready,omitzero"`

	// Modes are values of -mode, the baseline first, for when no -mode is given.
	Modes []string `json:"modes,omitempty"`

	// Duration is the time for which each loop puts load on each server; 2s if empty.
	Duration string `json:"duration,omitempty"`

	// Timeout bounds the time that a request waits for its answer; 10s if empty.
	Timeout string `json:"timeout,omitempty"`

	// Connections limits the connections that the requests share: 4 if 0, at most 1000. InFlight is the
	// number of requests that the closed loop keeps in flight: 8 if 0, at most 10,000. A connection of
	// HTTP/1.1 has one request at a time, and the others wait for it, so there Connections defaults to
	// InFlight.
	Connections int `json:"connections,omitempty"`
	InFlight    int `json:"inFlight,omitempty"`

	// HTTP is the version that requests with a path use, "1.1" or "2"; "1.1" if
	// empty. Without TLS "2" is HTTP/2 from the first byte on (h2c by prior
	// knowledge).
	HTTP string `json:"http,omitempty"`

	// Descriptors is a file with a FileDescriptorSet, as protoc
	// --descriptor_set_out --include_imports and buf build -o write it. Without
	// one the server is asked by gRPC's reflection service.
	Descriptors string `json:"descriptors,omitempty"`

	// TLS has the connections encrypted. Certificates are not checked.
	TLS bool `json:"tls,omitempty"`

	// Metadata is sent with every request, as metadata of gRPC or headers of HTTP.
	// Results hold none of it.
	Metadata map[string]string `json:"metadata,omitempty"`

	// Requests are measured one after the other, each with a server of its own. All
	// of them have a path, and are sent by HTTP, or none has.
	Requests []Request `json:"requests"`

	dir string
	sum string
}

// Ready is the time that a server may take to start, and its answer then. A server of
// HTTP is ready when it listens and, if Path is not empty, answers a GET of it with
// Status; one of gRPC when all connections stand.
type Ready struct {
	Path    string `json:"path,omitempty"`
	Status  int    `json:"status,omitempty"`  // 0 is for all of 200 to 299
	Timeout string `json:"timeout,omitempty"` // 30s if empty; at most half of -timeout
}

func (r Ready) request() Request {
	return Request{Method: http.MethodGet, Path: r.Path, Status: r.Status}
}

// A Request describes one request. Without a Path it is a call of gRPC: one of JSON, File
// and Command has what is sent, which is a message, or, in JSON, an array of messages.
// A unary method gets one after the other in turn; a stream gets all of them, and is
// then read to its end. With a Path it is a request of HTTP: one of JSON, Body, File and
// Command, or none, has its body. The answer is read to its end, and one that does not
// have the status that is wanted counts as failed.
type Request struct {
	Name   string `json:"name"`   // in the report; the method, and of HTTP the path without query, if empty
	Method string `json:"method"` // such as users.Users/Get; of HTTP GET if empty

	// Path is the path of the address, with the query. Headers are sent in addition
	// to Spec.Metadata, and replace those of the same name. Status is the one that is
	// wanted; 0 is for all of 200 to 299.
	Path    string            `json:"path,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Status  int               `json:"status,omitempty"`

	// Rate is the number of requests that the open loop sends per second. 0 is for half of what the slowest
	// mode can answer.
	Rate float64 `json:"rate,omitempty"`

	JSON    json.RawMessage `json:"json,omitempty"`    // of HTTP sent with a Content-Type
	Body    string          `json:"body,omitempty"`    // HTTP only
	File    string          `json:"file,omitempty"`    // of gRPC JSON if its name ends so, else one message as it is encoded
	Command string          `json:"command,omitempty"` // prints JSON, or the body; run in the folder of the file
}

// ReadSpec reads and checks a file. The error has what to write instead.
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
		return nil, errors.New(withLine(data, err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something stands behind the end of the object")
	}
	return s, s.check()
}

// withLine adds the line to what is wrong with a JSON file.
func withLine(data []byte, err error) string {
	offset := int64(-1)
	if e := new(json.SyntaxError); errors.As(err, &e) {
		offset = e.Offset
	} else if e := new(json.UnmarshalTypeError); errors.As(err, &e) {
		offset = e.Offset
	}
	text := fmt.Sprintf("%.200s", strings.TrimPrefix(err.Error(), "json: ")) // it may have a name from the file
	if offset < 0 || offset > int64(len(data)) {
		return text
	}
	return fmt.Sprintf("line %d: %s", 1+bytes.Count(data[:offset], []byte("\n")), text)
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

// Secrets are the values of the environment and of headers that nothing may show.
func (s *Spec) Secrets() []string {
	var all []string
	for name, value := range s.Env {
		if secret.Pair(name + "=" + value) {
			all = append(all, value)
		}
	}
	headers := []map[string]string{s.Metadata}
	for _, q := range s.Requests {
		headers = append(headers, q.Headers)
	}
	for _, of := range headers {
		for name, value := range of {
			if secret.Name(name) {
				all = append(all, value)
			}
		}
	}
	return all
}

// overHTTP reports whether the requests are HTTP, and not gRPC.
func (s *Spec) overHTTP() bool { return len(s.Requests) > 0 && s.Requests[0].Path != "" }

// connections returns the largest number of connections of a client.
func (s *Spec) connections() int {
	switch {
	case s.Connections > 0:
		return s.Connections
	case s.overHTTP() && s.HTTP != "2":
		return min(s.Concurrency(), maxConnections)
	}
	return 4
}

// Concurrency returns the number of requests that the closed loop keeps in flight.
func (s *Spec) Concurrency() int { return cmp.Or(s.InFlight, 8) }

// Placeholders returns the replacer for Server and Env: addr is a host:port, dir a folder.
func Placeholders(addr, dir string) (*strings.Replacer, error) {
	host, port, err := net.SplitHostPort(addr)
	return strings.NewReplacer("{addr}", addr, "{host}", host, "{port}", port, "{dir}", dir), err
}

// Dir is the folder that the spec's paths are relative to.
func (s *Spec) Dir() string { return s.dir }

// Sum returns a checksum of the spec and of the files that it names.
func (s *Spec) Sum() string { return s.sum }

// PhaseDuration returns the duration of a loop.
func (s *Spec) PhaseDuration() time.Duration { return duration(s.Duration, 2*time.Second) }

// StartTimeout returns the time that a server has to become ready.
func (s *Spec) StartTimeout() time.Duration { return duration(s.Ready.Timeout, 30*time.Second) }

// RequestTimeout returns the time that a request waits for its answer.
func (s *Spec) RequestTimeout() time.Duration { return duration(s.Timeout, 10*time.Second) }

func duration(text string, otherwise time.Duration) time.Duration {
	if d, err := time.ParseDuration(text); err == nil {
		return d
	}
	return otherwise
}

// Choose leaves out the requests whose names do not match a regular expression, of which "" matches all.
func (s *Spec) Choose(pattern string) error {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return fmt.Errorf("-bench: %w", err)
	}
	chosen := slices.DeleteFunc(slices.Clone(s.Requests), func(q Request) bool { return !re.MatchString(q.Name) })
	if len(chosen) == 0 {
		return fmt.Errorf("no request matches -bench '%s'; there are %.200s", pattern, strings.Join(s.Names(), ", "))
	}
	s.Requests = chosen
	return nil
}

// Names returns the names of the requests.
func (s *Spec) Names() []string {
	var names []string
	for _, q := range s.Requests {
		names = append(names, q.Name)
	}
	return names
}
