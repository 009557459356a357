package load

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
)

// check fills in what the file leaves out, and says what is wrong with the rest.
func (s *Spec) check() error {
	if s.Format != Format {
		return fmt.Errorf("its format is %.40q; write \"format\": %q", s.Format, Format)
	}
	if err := s.checkServer(); err != nil {
		return err
	}
	for _, d := range []struct {
		name, text string
		most       time.Duration
	}{{`"duration"`, s.Duration, maxDuration}, {`"timeout"`, s.Timeout, maxTimeout}, {`"timeout" of "ready"`, s.Ready.Timeout, maxTimeout}} {
		took, err := time.ParseDuration(d.text)
		switch {
		case d.text == "":
		case err != nil || took <= 0:
			return fmt.Errorf(`%s: %.40q is not a duration such as "2s"`, d.name, d.text)
		case took > d.most:
			return fmt.Errorf(`%s: %.40s is longer than %v; shorten it`, d.name, d.text, d.most)
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
	if len(s.Modes) > maxList || len(s.Metadata) > maxList || len(s.Env) > maxList {
		return fmt.Errorf(`"modes", "env" and "metadata" have at most %d entries; leave some out`, maxList)
	}
	if s.HTTP != "" && s.HTTP != "1.1" && s.HTTP != "2" {
		return fmt.Errorf(`"http": %.40q is not a version that lessgc speaks; write "1.1" or "2"`, s.HTTP)
	}
	if len(s.Requests) == 0 {
		return errors.New(`"requests" is empty; name a method or a path, and what to send to it`)
	}
	if len(s.Requests) > maxList {
		return fmt.Errorf(`"requests" has %d entries, more than %d; divide them over several files`, len(s.Requests), maxList)
	}
	if err := s.checkProtocol(); err != nil {
		return err
	}
	var names []string
	for i := range s.Requests {
		q := &s.Requests[i]
		q.fill()
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

// checkServer checks how the server is started.
func (s *Spec) checkServer() error {
	given := strings.Join(append(slices.Collect(maps.Values(s.Env)), s.Server), " ")
	if !strings.Contains(given, "{addr}") && !strings.Contains(given, "{port}") {
		return errors.New(`"server" or "env" must say where to put the address, such as "./cmd/server -addr {addr}", or the port: {port}`)
	}
	for name, value := range s.Env {
		switch {
		case name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(value, "\x00"):
			return fmt.Errorf(`"env": %.40q is not the name of a variable, or its value has a zero byte`, name)
		case name == "GOMAXPROCS":
			return errors.New(`"env": GOMAXPROCS is set by -procs, or by a mode; leave it out`)
		case name == ProbeVariable:
			return fmt.Errorf(`"env": %s is lessgc's own; leave it out`, name)
		}
	}
	return nil
}

// checkProtocol refuses what the protocol of the requests does not have.
func (s *Spec) checkProtocol() error {
	over := s.overHTTP()
	for i, q := range s.Requests {
		if (q.Path != "") != over {
			return fmt.Errorf(`request %d: requests with a "path" are HTTP, those without one gRPC; put them into two files`, i+1)
		}
	}
	switch {
	case over && s.Descriptors != "":
		return errors.New(`"descriptors" is for gRPC, and the requests have a "path"; leave it out`)
	case !over && s.HTTP != "":
		return errors.New(`"http" is for requests with a "path"; leave it out`)
	case !over && (s.Ready.Path != "" || s.Ready.Status != 0):
		return errors.New(`"ready": a gRPC server is ready when its connections stand; leave "path" and "status" out`)
	case s.Ready.Path == "" && s.Ready.Status != 0:
		return errors.New(`"ready" has a "status" and no "path" to ask for it`)
	}
	if s.Ready.Path != "" {
		if err := s.Ready.request().checkHTTP(); err != nil {
			return fmt.Errorf(`"ready": %w`, err)
		}
	}
	return checkHeaders("metadata", s.Metadata, over)
}

// ownHeaders lists the headers that net/http sends by itself or that belong to a connection.
var ownHeaders = []string{"connection", "content-length", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"}

// checkHeaders refuses what gRPC and HTTP would refuse in every request.
func checkHeaders(where string, headers map[string]string, over bool) error {
	for name, value := range headers {
		lower := strings.ToLower(name)
		switch {
		case name == "" || strings.Trim(lower, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" || strings.HasPrefix(lower, "grpc-"):
			return fmt.Errorf(`"%s": %.40q is not the name of a header; use letters, digits, "-", "_" and ".", and no "grpc-" in front`, where, name)
		case over && slices.Contains(ownHeaders, lower):
			return fmt.Errorf(`"%s": %.40q is sent as the connection needs it; leave it out`, where, name)
		case !over && strings.HasSuffix(lower, "-bin"):
		case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }):
			more := ""
			if !over {
				more = `; end the name in "-bin" to send bytes`
			}
			return fmt.Errorf(`"%s": the value of %.40q has characters other than printable ASCII%s`, where, name, more)
		}
	}
	return nil
}

// fill sets what the file leaves to us.
func (q *Request) fill() {
	if q.Path == "" {
		q.Method = strings.TrimPrefix(q.Method, "/")
		q.Name = cmp.Or(q.Name, q.Method)
		return
	}
	q.Method = cmp.Or(q.Method, http.MethodGet)
	path, _, _ := strings.Cut(q.Path, "?") // the query may hold a secret
	q.Name = cmp.Or(q.Name, q.Method+" "+path)
}

func (q Request) check() error {
	if len(q.Name) > maxName || strings.ContainsFunc(q.Name, unicode.IsControl) {
		return fmt.Errorf(`"name": %.40q is longer than %d bytes or has control characters; give it another`, q.Name, maxName)
	}
	if q.Rate < 0 || q.Rate > maxRate || q.Rate > 0 && q.Rate < minRate {
		return fmt.Errorf(`"rate": %g is not a number of requests a second between %g and %g`, q.Rate, minRate, maxRate)
	}
	if q.Path != "" {
		return q.checkHTTP()
	}
	return q.checkGRPC()
}

func (q Request) checkGRPC() error {
	service, method, ok := strings.Cut(q.Method, "/")
	if !ok || service == "" || method == "" || strings.Contains(method, "/") {
		return fmt.Errorf(`"method": %.80q is not the full name of a gRPC method, such as "users.Users/Get"; an HTTP request has a "path"`, q.Method)
	}
	if len(q.Headers) > 0 || q.Status != 0 || q.Body != "" {
		return errors.New(`"headers", "status" and "body" are for requests with a "path"; write "metadata" beside "requests", and "json"`)
	}
	if q.sources() != 1 {
		return errors.New(`one of "json", "file" and "command" has to say what is sent`)
	}
	return nil
}

func (q Request) checkHTTP() error {
	if q.Status != 0 && (q.Status < 200 || q.Status > 599) {
		return fmt.Errorf(`"status": %d is not one that an answer can have, from 200 to 599`, q.Status)
	}
	if q.sources() > 1 {
		return errors.New(`"json", "body", "file" and "command" say what is sent; give one of them`)
	}
	if len(q.Headers) > maxList {
		return fmt.Errorf(`"headers" has at most %d entries; leave some out`, maxList)
	}
	if err := checkHeaders("headers", q.Headers, true); err != nil {
		return err
	}
	_, err := newRequest(q.Method, q.Path)
	return err
}

// sources returns the number of the request's fields that say what is sent.
func (q Request) sources() int {
	n := 0
	for _, given := range []bool{q.JSON != nil, q.Body != "", q.File != "", q.Command != ""} {
		if given {
			n++
		}
	}
	return n
}
