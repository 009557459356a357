package load

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
)

const check = "grpc.health.v1.Health/Check"

// serve starts a server that knows the service "known", and returns its address.
func serve(t *testing.T, reflects bool, opts ...grpc.ServerOption) string {
	t.Helper()
	s := grpc.NewServer(opts...)
	h := health.NewServer()
	h.SetServingStatus("known", healthpb.HealthCheckResponse_SERVING)
	healthpb.RegisterHealthServer(s, h)
	if reflects {
		reflection.Register(s)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go s.Serve(l)
	t.Cleanup(s.Stop)
	return l.Addr().String()
}

// dial connects a spec to a server.
func dial(t *testing.T, s *Spec, addr string) *Client {
	t.Helper()
	c, err := s.Dial(addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	if err := c.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

// calls resolves requests.
func calls(t *testing.T, c *Client, s *Spec) []*Call {
	t.Helper()
	all, err := s.Calls(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestCalls checks what the requests of a spec become.
func TestCalls(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	set := &descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{protodesc.ToFileDescriptorProto(healthpb.File_grpc_health_v1_health_proto)}}
	data, err := proto.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	write("set.pb", data)
	message, err := proto.Marshal(&healthpb.HealthCheckRequest{Service: "known"})
	if err != nil {
		t.Fatal(err)
	}
	write("request.bin", message)
	write("request.json", []byte(`[{"service": "known"}, {"service": ""}]`))
	plain, reflects := serve(t, false), serve(t, true)
	for _, c := range []struct {
		name string
		addr string
		desc string
		q    Request
		n    int    // messages
		err  string // or this
	}{
		{"json", reflects, "", Request{Method: check, JSON: []byte(`{"service": "known"}`)}, 1, ""},
		{"file", reflects, "", Request{Method: check, File: "request.json"}, 2, ""},
		{"binary", reflects, "", Request{Method: check, File: "request.bin"}, 1, ""},
		{"command", reflects, "", Request{Method: check, Command: "cat request.json"}, 2, ""},
		{"descriptors", plain, "set.pb", Request{Method: check, File: "request.json"}, 2, ""},
		{"nothing describes it", plain, "", Request{Method: check, File: "request.bin"}, 1, ""},
		{"stream", reflects, "", Request{Method: "grpc.reflection.v1.ServerReflection/ServerReflectionInfo", JSON: []byte(`[{"listServices": ""}, {"fileByFilename": "x"}]`)}, 2, ""},

		{"no reflection", plain, "", Request{Method: check, JSON: []byte(`{}`)}, 0, "the server has no reflection service; register"},
		{"no service", reflects, "", Request{Method: "a.B/C", JSON: []byte(`{}`)}, 0, "the server has no service a.B; it has grpc.health.v1.Health, grpc.reflection"},
		{"not in descriptors", plain, "set.pb", Request{Method: "a.B/C", JSON: []byte(`{}`)}, 0, "there is no service a.B; there are grpc.health.v1.Health"},
		{"no method", reflects, "", Request{Method: "grpc.health.v1.Health/Chuck", JSON: []byte(`{}`)}, 0, "service grpc.health.v1.Health has no method Chuck; it has Check, List, Watch"},
		{"no field", reflects, "", Request{Method: check, JSON: []byte(`{"nope": 1}`)}, 0, `message 1 is not a grpc.health.v1.HealthCheckRequest: (line 1:2): unknown field "nope"`},
		{"no message", reflects, "", Request{Method: check, JSON: []byte(`[]`)}, 0, "the array of messages is empty"},
		{"no descriptors", plain, "request.json", Request{Method: check, JSON: []byte(`{}`)}, 0, "request.json is not a FileDescriptorSet; make one with protoc"},
		{"many messages", reflects, "", Request{Method: check, JSON: []byte("[" + strings.Repeat("{},", maxMessages) + "{}]")}, 0, "the array has more than 100000 messages; send fewer"},
		{"half an array", reflects, "", Request{Method: check, JSON: []byte("[{}")}, 0, "message 1 is not a grpc.health.v1.HealthCheckRequest"},
		{"behind an array", reflects, "", Request{Method: check, JSON: []byte("[{}] {}")}, 0, "message 1 is not a grpc.health.v1.HealthCheckRequest"},
		{"command without end", reflects, "", Request{Method: check, Command: "head -c 70000000 /dev/zero"}, 0, "prints more than 64 MiB; send less"},
		{"command fails", reflects, "", Request{Method: check, Command: "ls not-there"}, 0, `command "ls not-there": exit status`},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := &Spec{Requests: []Request{c.q}, Descriptors: c.desc, dir: dir}
			client := dial(t, spec, c.addr)
			all, err := spec.Calls(t.Context(), client)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("got %v, want %s", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(all[0].grpc.messages) != c.n {
				t.Errorf("%d messages, want %d", len(all[0].grpc.messages), c.n)
			}
			if err := client.Do(t.Context(), all[0]); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestFailures checks how errors are counted, and that metadata arrives.
func TestFailures(t *testing.T) {
	end := make(chan struct{})
	addr := serve(t, true, grpc.UnaryInterceptor(func(ctx context.Context, in any, _ *grpc.UnaryServerInfo, h grpc.UnaryHandler) (any, error) {
		md, _ := metadata.FromIncomingContext(ctx)
		if len(md.Get("token")) != 1 {
			return nil, status.Error(codes.Unauthenticated, "who are you?")
		}
		if in.(*healthpb.HealthCheckRequest).Service == "slow" {
			<-end // not only until the deadline: the answer might be earlier than the client's own
		}
		return h(ctx, in)
	}))
	t.Cleanup(func() { close(end) })
	spec := &Spec{Metadata: map[string]string{"token": "x"}, Requests: []Request{
		{Name: "unknown", Method: check, JSON: []byte(`[{"service": "known"}, {"service": "other"}]`)},
		{Name: "slow", Method: check, JSON: []byte(`{"service": "slow"}`)},
	}}
	client := dial(t, spec, addr)
	all := calls(t, client, spec)
	mixed := Open(t.Context(), client.Sender(all[0]), 1000, 100)
	if mixed.Sent != 100 || mixed.Failed != 50 || status.Code(mixed.Err) != codes.NotFound || mixed.Latency.TotalCount() != 50 {
		t.Errorf("%d of %d failed, %v, %d latencies", mixed.Failed, mixed.Sent, mixed.Err, mixed.Latency.TotalCount())
	}
	const timeout = 100 * time.Millisecond
	client.timeout = timeout
	slow := Open(t.Context(), client.Sender(all[1]), 1000, 2)
	if slow.Sent != 2 || slow.Failed != 2 || slow.Latency.TotalCount() != 2 || slow.Latency.Min() < int64(timeout)*999/1000 { // three digits
		t.Errorf("%d of %d timed out, %d latencies, the fastest after %v", slow.Failed, slow.Sent, slow.Latency.TotalCount(), time.Duration(slow.Latency.Min()))
	}
	spec.Metadata = nil
	if err := dial(t, spec, addr).Do(t.Context(), all[0]); status.Code(err) != codes.Unauthenticated {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := Open(ctx, client.Sender(all[0]), 10, 1000); r.Sent > 0 {
		t.Errorf("%d requests were sent after the end", r.Sent)
	}
}

// TestNobodyListens checks that a missing server is said to be missing.
func TestNobodyListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	client, err := (&Spec{}).Dial(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := client.Ready(ctx); err == nil || !strings.Contains(err.Error(), "does not listen") {
		t.Error(err)
	}
}

const goodSpec = `{"format": "lessgc-load/1", "server": "./s {addr}", "requests": [{"method": "/a.B/C", "json": {}}]}`

// wrongSpecs are made from goodSpec.
var wrongSpecs = []struct{ from, to, err string }{
	{`{"format"`, `{"colour": 1, "format"`, `unknown field "colour"`},
	{`"server": `, `"server": 1, "x": `, "line 1: cannot unmarshal number"},
	{`"json": {}}]}`, "\n}", "line 2: invalid character"},
	{`]}`, `]} {}`, "something stands behind the end"},
	{`load/1`, `load/2`, `its format is "lessgc-load/2"; write`},
	{`lessgc-load/1`, strings.Repeat("x", 3000), `xxx"; write "format": "lessgc-load/1"`},
	{`{"format"`, `{"` + strings.Repeat("x", 3000) + `": 1, "format"`, `unknown field "xxx`},
	{`/a.B/C`, strings.Repeat("x", 150), `x" is not the full name of a gRPC method`},
	{`{addr}`, ``, `must say where to put the address`},
	{`"server"`, `"duration": "2", "server"`, `"2" is not a duration`},
	{`"server"`, `"timeout": "-2s", "server"`, `"-2s" is not a duration`},
	{`"server"`, `"inFlight": -1, "server"`, `are positive numbers`},
	{`{"method": "/a.B/C", "json": {}}`, ``, `"requests" is empty`},
	{`/a.B/C`, `C`, `request 1: "method": "C" is not the full name of a gRPC method`},
	{`"json": {}`, `"rate": 1`, `request 1: one of "json", "file" and "command"`},
	{`"json": {}`, `"json": {}, "file": "x"`, `request 1: one of "json", "file" and "command"`},
	{`"server"`, `"inFlight": 1000000, "server"`, `"inFlight": 1000000 is more than the 10000`},
	{`"server"`, `"connections": 100000, "server"`, `"connections": 100000 is more than the 1000`},
	{`"server"`, `"connections": 9223372036854775808, "server"`, `cannot unmarshal number 9223372036854775808`},
	{`"server"`, `"duration": "2000h", "server"`, `"duration": 2000h is longer than 1h0m0s`},
	{`"server"`, `"timeout": "1h", "server"`, `"timeout": 1h is longer than 10m0s`},
	{`"server"`, `"duration": "` + strings.Repeat("9", 1000) + `h", "server"`, `is not a duration`},
	{`"server"`, `"metadata": {"a b": ""}, "server"`, `"a b" is not the name of a header`},
	{`"server"`, `"metadata": {"grpc-timeout": "1"}, "server"`, `"grpc-timeout" is not the name of a header`},
	{`"server"`, `"metadata": {"token": "x\ny"}, "server"`, `the value of "token" has characters`},
	{`"server"`, `"modes": ["x"` + strings.Repeat(`,"x"`, 1000) + `], "server"`, `"modes", "env" and "metadata" have at most 1000`},
	{`"requests": [`, `"requests": [` + strings.Repeat("{},", 1000), `"requests" has 1001 entries`},
	{`"json": {}`, `"json": {}, "name": "a\nb"`, `request 1: "name": "a\nb" is longer`},
	{`"json": {}`, `"json": {}, "rate": 1e9`, `1e+09 is not a number of requests a second between 0.001 and 1e+06`},
	{`"json": {}`, `"json": {}, "rate": 1e-300`, `1e-300 is not a number of requests a second`},
	{`"json": {}`, `"json": {}, "rate": 1e999`, `cannot unmarshal number 1e999`},
	{`"json": {}`, `"file": "."`, `is not a regular file`},
	{`"json": {}`, `"json": {}, "rate": -1`, `-1 is not a number of requests a second`},
	{`"json": {}`, `"file": "x.json"`, `no such file`},
	{`}]}`, `}, {"method": "a.B/C", "json": {}}]}`, `two requests are called "a.B/C"`},
	{`"server"`, `"env": {"A=B": "x"}, "server"`, `"env": "A=B" is not the name of a variable`},
	{`"server"`, `"env": {"A": "\u0000"}, "server"`, `or its value has a zero byte`},
	{`"server"`, `"env": {"GOMAXPROCS": "1"}, "server"`, `"env": GOMAXPROCS is set by -procs, or by a mode`},
	{`"server"`, `"env": {"LESSGC_PROBE": "x"}, "server"`, `"env": LESSGC_PROBE is lessgc's own`},
	{`"server"`, `"ready": {"timeout": "1h"}, "server"`, `"timeout" of "ready": 1h is longer than 10m0s`},
	{`"server"`, `"ready": {"path": "/"}, "server"`, `"ready": a gRPC server is ready when its connections stand`},
	{`"server"`, `"ready": {"paths": "/"}, "server"`, `unknown field "paths"`},
	{`"server"`, `"http": "2", "server"`, `"http" is for requests with a "path"`},
	{`"json": {}`, `"json": {}, "status": 200`, `"headers", "status" and "body" are for requests with a "path"`},
	{`"json": {}`, `"body": "{}"`, `"headers", "status" and "body" are for requests with a "path"`},
	{`}]}`, `}, {"path": "/"}]}`, `request 2: requests with a "path" are HTTP, those without one gRPC; put them into two files`},
}

const goodHTTP = `{"format": "lessgc-load/1", "server": "./s", "env": {"PORT": "{port}"}, "ready": {"path": "/health"}, "requests": [{"path": "/a?b", "json": {}}]}`

// wrongHTTP are made from goodHTTP.
var wrongHTTP = []struct{ from, to, err string }{
	{`{port}`, `1`, `must say where to put the address`},
	{`"/health"`, `"health"`, `"ready": "path": "health" is not the path of an address, such as`},
	{`"/health"`, `"/health", "status": 99`, `"ready": "status": 99 is not one that an answer can have, from 200 to 599`},
	{`"path": "/health"`, `"status": 200`, `"ready" has a "status" and no "path"`},
	{`/a?b`, `a`, `request 1: "path": "a" is not the path of an address`},
	{`/a?b`, `http://other/`, `request 1: "path": "http://other/" is not the path of an address`},
	{`/a?b`, `/a b`, `request 1: "path": "/a b" is not the path`},
	{`/a?b`, `/a#b`, `request 1: "path": "/a#b" is not the path`},
	{`/a?b`, `/%zz`, `request 1: "path": "/%zz": invalid URL escape "%zz"`},
	{`"/a?b"`, `"/\n", "name": "x"`, `invalid control character`},
	{`"/a?b"`, `"/` + strings.Repeat("x", maxPath) + `", "name": "x"`, `of at most 8192 bytes`},
	{`"/a?b"`, `"/` + strings.Repeat("x", maxName) + `"`, `"name": "GET /xxxxx`},
	{`"json"`, `"method": "G T", "json"`, `"method": "G T" is not a method of HTTP`},
	{`"json"`, `"method": "CONNECT", "json"`, `"method": CONNECT makes tunnels`},
	{`"json"`, `"status": 101, "json"`, `"status": 101 is not one that an answer can have`},
	{`"json"`, `"body": "x", "json"`, `"json", "body", "file" and "command" say what is sent; give one of them`},
	{`"json"`, `"rate": -1, "json"`, `-1 is not a number of requests a second`},
	{`"json": {}`, `"file": "none"`, `no such file`},
	{`"json": {}`, `"file": "."`, `is not a regular file`},
	{`"json"`, `"headers": {"a\nb": ""}, "json"`, `"headers": "a\nb" is not the name of a header`},
	{`"json"`, `"headers": {"a": "x\r\ny: z"}, "json"`, `the value of "a" has characters other than printable ASCII`},
	{`"json"`, `"headers": {"a-bin": "\u0001"}, "json"`, `the value of "a-bin" has characters other than printable ASCII`},
	{`"json"`, `"headers": {"Content-Length": "7"}, "json"`, `"headers": "Content-Length" is sent as the connection needs it; leave it out`},
	{`"server"`, `"metadata": {"transfer-encoding": "chunked"}, "server"`, `"metadata": "transfer-encoding" is sent as`},
	{`"server"`, `"http": "3", "server"`, `"http": "3" is not a version that lessgc speaks; write "1.1" or "2"`},
	{`"server"`, `"descriptors": "x", "server"`, `"descriptors" is for gRPC`},
	{`}]}`, `}, {"method": "a.B/C", "json": {}}]}`, `request 2: requests with a "path" are HTTP`},
	{`}]}`, `}, {"path": "/a?c", "method": "GET"}]}`, `two requests are called "GET /a"`},
}

// TestSpec checks what is said of a file that is wrong.
func TestSpec(t *testing.T) {
	const good = goodSpec
	dir := t.TempDir()
	file := filepath.Join(dir, "load.json")
	read := func(content string) (*Spec, error) {
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		return ReadSpec(file)
	}
	s, err := read(good)
	if err != nil || s.Requests[0].Name != "a.B/C" || s.PhaseDuration() != 2*time.Second || s.RequestTimeout() != 10*time.Second || s.Dir() != dir {
		t.Fatalf("%+v, %v", s, err)
	}
	other, err := read(strings.Replace(good, "{}", `{"x": 1}`, 1))
	if err != nil || s.Sum() == other.Sum() {
		t.Errorf("two specs look the same: %v", err)
	}
	for _, c := range wrongSpecs {
		if _, err := read(strings.Replace(good, c.from, c.to, 1)); err == nil || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s instead of %s: got %v, want %s", c.to, c.from, err, c.err)
		}
	}
	s, err = read(goodHTTP)
	if err != nil || s.Requests[0].Name != "GET /a" || s.StartTimeout() != 30*time.Second || s.connections() != 8 {
		t.Fatalf("%+v, %v", s, err)
	}
	for _, c := range wrongHTTP {
		if _, err := read(strings.Replace(goodHTTP, c.from, c.to, 1)); err == nil || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s instead of %s: got %v, want %s", c.to, c.from, err, c.err)
		}
	}
	if _, err := ReadSpec(filepath.Join(dir, "none.json")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	for _, name := range []string{dir, os.DevNull} {
		if _, err := ReadSpec(name); err == nil || !strings.Contains(err.Error(), name+" is not a regular file") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A file without end costs as much as the bound.
	large := filepath.Join(dir, "large.json")
	f, err := os.Create(large)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(1<<40), f.Close()); err != nil {
		t.Skip(err)
	}
	if _, err := ReadSpec(large); err == nil || !strings.Contains(err.Error(), "large.json has more than 16 MiB, which is all that is read of such a file") {
		t.Error(err)
	}
}

// TestManual reads the example of the documentation.
func TestManual(t *testing.T) {
	data, err := os.ReadFile("../../../../docs/measuring.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), "```json\n")
	example, _, _ := strings.Cut(rest, "```")
	s, err := parse([]byte(example))
	if err != nil || !slices.Equal(s.Names(), []string{"GET /items", "order"}) {
		t.Errorf("%+v, %v", s, err)
	}
}

// idle is a program that does nothing, and has names of its own for what the probe uses.
const idle = `package main

var bufio, fmt, metrics, net, os, pprof, runtime, strings, syscall, trace int

func main() { select {} }
`

// TestProbe compiles the probe into a program that does nothing, by way of an
// overlay, and asks it.
func TestProbe(t *testing.T) {
	dir := t.TempDir()
	main := filepath.Join(dir, "main")
	if err := os.Mkdir(main, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module example.com/idle\n\ngo 1.24\n", "main.go": idle} {
		if err := os.WriteFile(filepath.Join(main, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	replace, err := Overlay(dir, main)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, data, 0o666); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-overlay", overlay, "-o", filepath.Join(dir, "idle"))
	build.Dir, build.Env = main, append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	short, err := os.MkdirTemp("", "p")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(short)
	socket := filepath.Join(short, "p")
	cmd := exec.Command(filepath.Join(dir, "idle"))
	cmd.Env = append(os.Environ(), ProbeVariable+"="+socket)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	p, err := DialProbe(ctx, socket)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	first, err := p.Counts()
	if err != nil || first.Mallocs == 0 || first.Bytes == 0 || first.User+first.System <= 0 {
		t.Fatalf("%+v, %v", first, err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{p.StartCPU(at("cpu")), p.Stop(), p.StartTrace(at("trace")), p.Stop(), p.Allocs(at("allocs"))} {
		if err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"cpu", "trace", "allocs"} {
		if info, err := os.Stat(at(name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if err := p.StartCPU(at("none/cpu")); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Error(err)
	}
	if _, err := p.ask("dance"); err == nil || !strings.Contains(err.Error(), `no command "dance"`) {
		t.Error(err)
	}
	second, err := p.Counts()
	if d := second.Sub(first); err != nil || d.Mallocs == 0 || d.User < 0 || d.Mallocs >= second.Mallocs {
		t.Errorf("%+v, %v", d, err)
	}
	p.Exit()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if _, err := p.Counts(); err == nil {
		t.Error("a process that has ended answers")
	}
}

// FuzzSpec reads what may stand in a file of -load: nothing panics, and what is
// accepted is within the bounds.
func FuzzSpec(f *testing.F) {
	const good = `{"format": "lessgc-load/1", "server": "./s {addr}", "requests": [{"method": "/a.B/C", "json": [{}, {}]}]}`
	f.Add([]byte(good))
	for _, c := range wrongSpecs {
		f.Add([]byte(strings.Replace(goodSpec, c.from, c.to, 1)))
	}
	f.Add([]byte(goodHTTP))
	for _, c := range wrongHTTP {
		f.Add([]byte(strings.Replace(goodHTTP, c.from, c.to, 1)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := parse(data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") || len(err.Error()) > 2000 {
				t.Errorf("%q", err)
			}
			return
		}
		if s.PhaseDuration() <= 0 || s.PhaseDuration() > maxDuration || s.RequestTimeout() > maxTimeout || s.Connections > maxConnections || s.InFlight > mostInFlight {
			t.Errorf("%+v", s)
		}
		if s.connections() > maxConnections || s.StartTimeout() > maxTimeout {
			t.Errorf("%+v", s)
		}
		for _, q := range s.Requests {
			if s.overHTTP() {
				if _, err := s.request(q); err != nil {
					t.Errorf("%+v: %v", q, err)
				}
				continue
			}
			messages, err := texts(q.JSON)
			if err == nil && len(messages) > maxMessages {
				t.Errorf("%d messages", len(messages))
			}
		}
	})
}
