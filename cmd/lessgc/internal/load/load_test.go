package load

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
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

// TestStall is the reason for this package: a server that stops once for half a
// second at 200 requests a second makes a hundred of them wait, 250 ms on average.
// Of 800 the 99th percentile is the eighth longest: about 460 ms. A loop that waits
// for answers sends nothing meanwhile, and sees a handful of slow ones.
func TestStall(t *testing.T) {
	var mu sync.Mutex
	var begin, end time.Time
	stall := func(after time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		begin = time.Now().Add(after)
		end = begin.Add(500 * time.Millisecond)
	}
	addr := serve(t, true, grpc.UnaryInterceptor(func(ctx context.Context, in any, _ *grpc.UnaryServerInfo, h grpc.UnaryHandler) (any, error) {
		mu.Lock()
		now, from, to := time.Now(), begin, end
		mu.Unlock()
		if now.After(from) && now.Before(to) {
			time.Sleep(time.Until(to))
		}
		return h(ctx, in)
	}))
	spec := &Spec{Requests: []Request{{Method: check, JSON: []byte(`{"service": "known"}`)}}}
	client := dial(t, spec, addr)
	call := calls(t, client, spec)[0]

	const n = 800
	stall(2 * time.Second)
	open := Open(t.Context(), client, call, 200, n)
	p99 := time.Duration(open.Latency.ValueAtQuantile(99))
	if open.Sent != n || open.Failed != 0 || p99 < 430*time.Millisecond || p99 > 600*time.Millisecond {
		t.Errorf("open loop: p99 is %v of %d, want about 460ms; %d failed: %v", p99, open.Sent, open.Failed, open.Err)
	}
	if took := open.Wall; took < 3900*time.Millisecond || took > 6*time.Second {
		t.Errorf("%d requests at 200/s took %v", n, took)
	}

	stall(time.Second)
	closed := Closed(t.Context(), client, call, 4, 2*time.Second)
	slow := 0
	for _, b := range closed.Latency.Distribution() {
		if b.From > int64(200*time.Millisecond) {
			slow += int(b.Count)
		}
	}
	if closed.Failed != 0 || slow != 4 {
		t.Errorf("closed loop: %d requests were slow, want the 4 on the way; %d failed: %v", slow, closed.Failed, closed.Err)
	}
	t.Logf("p99: open %v, closed %v of %d", p99, time.Duration(closed.Latency.ValueAtQuantile(99)), closed.Sent)
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
		{"no field", reflects, "", Request{Method: check, JSON: []byte(`{"nope": 1}`)}, 0, `message 1 is no grpc.health.v1.HealthCheckRequest: (line 1:2): unknown field "nope"`},
		{"no message", reflects, "", Request{Method: check, JSON: []byte(`[]`)}, 0, "the array of messages is empty"},
		{"no descriptors", plain, "request.json", Request{Method: check, JSON: []byte(`{}`)}, 0, "request.json is no FileDescriptorSet; make one with protoc"},
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
			if len(all[0].messages) != c.n {
				t.Errorf("%d messages, want %d", len(all[0].messages), c.n)
			}
			if err := client.Do(t.Context(), all[0]); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestFailures checks how errors are counted, and that metadata arrives.
func TestFailures(t *testing.T) {
	addr := serve(t, true, grpc.UnaryInterceptor(func(ctx context.Context, in any, _ *grpc.UnaryServerInfo, h grpc.UnaryHandler) (any, error) {
		md, _ := metadata.FromIncomingContext(ctx)
		if len(md.Get("token")) != 1 {
			return nil, status.Error(codes.Unauthenticated, "who are you?")
		}
		if in.(*healthpb.HealthCheckRequest).Service == "slow" {
			<-ctx.Done()
		}
		return h(ctx, in)
	}))
	spec := &Spec{Timeout: "300ms", Metadata: map[string]string{"token": "x"}, Requests: []Request{
		{Name: "unknown", Method: check, JSON: []byte(`[{"service": "known"}, {"service": "other"}]`)},
		{Name: "slow", Method: check, JSON: []byte(`{"service": "slow"}`)},
	}}
	client := dial(t, spec, addr)
	all := calls(t, client, spec)
	mixed := Open(t.Context(), client, all[0], 1000, 100)
	if mixed.Sent != 100 || mixed.Failed != 50 || status.Code(mixed.Err) != codes.NotFound || mixed.Latency.TotalCount() != 50 {
		t.Errorf("%d of %d failed, %v, %d latencies", mixed.Failed, mixed.Sent, mixed.Err, mixed.Latency.TotalCount())
	}
	// One that starts after the time is over sends nothing.
	slow := Closed(t.Context(), client, all[1], 2, 200*time.Millisecond)
	if slow.Sent < 1 || slow.Failed != slow.Sent || slow.Latency.Min() < int64(250*time.Millisecond) {
		t.Errorf("%d of %d timed out, the fastest after %v", slow.Failed, slow.Sent, time.Duration(slow.Latency.Min()))
	}
	spec.Metadata = nil
	if err := dial(t, spec, addr).Do(t.Context(), all[0]); status.Code(err) != codes.Unauthenticated {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := Open(ctx, client, all[0], 10, 1000); r.Sent > 0 {
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

// TestSpec checks what is said of a file that is wrong.
func TestSpec(t *testing.T) {
	const good = `{"format": "lessgc-load/1", "server": "./s {addr}", "requests": [{"method": "/a.B/C", "json": {}}]}`
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
	for _, c := range []struct{ from, to, err string }{
		{`{"format"`, `{"colour": 1, "format"`, `unknown field "colour"`},
		{`"server": `, `"server": 1, "x": `, "line 1: cannot unmarshal number"},
		{`"json": {}}]}`, "\n}", "line 2: invalid character"},
		{`]}`, `]} {}`, "something stands behind the end"},
		{`load/1`, `load/2`, `its format is "lessgc-load/2"; write`},
		{`{addr}`, ``, `must say where to put the address`},
		{`"server"`, `"duration": "2", "server"`, `"2" is not a duration`},
		{`"server"`, `"timeout": "-2s", "server"`, `"-2s" is not a duration`},
		{`"server"`, `"inFlight": -1, "server"`, `are positive numbers`},
		{`{"method": "/a.B/C", "json": {}}`, ``, `"requests" is empty`},
		{`/a.B/C`, `C`, `request 1: "method": "C" is not the full name of a method`},
		{`"json": {}`, `"rate": 1`, `request 1: one of "json", "file" and "command"`},
		{`"json": {}`, `"json": {}, "file": "x"`, `request 1: one of "json", "file" and "command"`},
		{`"json": {}`, `"json": {}, "rate": -1`, `-1 is not a number of requests a second`},
		{`"json": {}`, `"file": "x.json"`, `no such file`},
		{`}]}`, `}, {"method": "a.B/C", "json": {}}]}`, `two requests are called "a.B/C"`},
	} {
		if _, err := read(strings.Replace(good, c.from, c.to, 1)); err == nil || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s instead of %s: got %v, want %s", c.to, c.from, err, c.err)
		}
	}
	if _, err := ReadSpec(filepath.Join(dir, "none.json")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestProbe compiles the probe into a program that does nothing, by way of an
// overlay, and asks it.
func TestProbe(t *testing.T) {
	dir := t.TempDir()
	main := filepath.Join(dir, "main")
	if err := os.Mkdir(main, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module example.com/idle\n\ngo 1.24\n", "main.go": "package main\n\nfunc main() { select {} }\n"} {
		if err := os.WriteFile(filepath.Join(main, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := WriteOverlay(dir, main)
	if err != nil {
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
