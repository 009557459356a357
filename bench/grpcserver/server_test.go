package grpcserver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"

	"lessgc/examples/users"
	pb "lessgc/examples/users/userspb"
)

// A server is a process.
type server struct {
	cmd   *exec.Cmd
	conn  *grpc.ClientConn
	debug string
}

var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "grpcserver")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "server")
	if out, err := exec.Command("go", "build", "-o", path, "lessgc/examples/users/server").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	if mode := os.Getenv(serverMode); mode != "" {
		serve(mode)
		return
	}
	code := m.Run()
	if path, err := build(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

func start(b *testing.B, mode string) *server {
	b.Helper()
	path, err := build()
	if err != nil {
		b.Fatal(err)
	}
	free, err := net.Listen("tcp", "localhost:0") // a port for -debug
	if err != nil {
		b.Fatal(err)
	}
	debug := free.Addr().String()
	free.Close()
	s := &server{cmd: exec.Command(path, "-addr", "localhost:0", "-arena", mode, "-debug", debug), debug: debug}
	s.begin(b, grpc.WithDefaultCallOptions(grpc.ForceCodecV2(raw{})))
	return s
}

// begin starts the process, whose first line is its address, and connects to it.
func (s *server) begin(b *testing.B, opts ...grpc.DialOption) {
	b.Helper()
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if s.conn != nil {
			s.conn.Close()
		}
		s.cmd.Process.Kill()
		s.cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	address := strings.TrimPrefix(strings.TrimSpace(line), "listening on ")
	s.conn, err = grpc.NewClient(address, append(opts, grpc.WithTransportCredentials(insecure.NewCredentials()))...)
	if err != nil {
		b.Fatal(err)
	}
}

// cpu returns the CPU time of the server's threads in ns.
func (s *server) cpu(b *testing.B) (sum int64) {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", s.cmd.Process.Pid))
	if err != nil || len(files) == 0 {
		b.Fatal("no /proc of the server: ", err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		var ns int64
		fmt.Sscan(string(text), &ns)
		sum += ns
	}
	return sum
}

// memory holds counters of the server's runtime.
type memory struct {
	Mallocs, TotalAlloc uint64
	NumGC               uint32
}

func (s *server) memory(b *testing.B) memory {
	var v struct{ Memstats memory }
	for range 50 {
		r, err := http.Get("http://" + s.debug + "/debug/vars")
		if err != nil { // it has just started
			time.Sleep(20 * time.Millisecond)
			continue
		}
		err = json.NewDecoder(r.Body).Decode(&v)
		r.Body.Close()
		if err != nil {
			b.Fatal(err)
		}
		return v.Memstats
	}
	b.Fatal("no /debug/vars")
	return memory{}
}

// report reports what b.N requests took.
func (s *server) report(b *testing.B, cpu int64, before, after memory) {
	per := func(x float64) float64 { return x / float64(b.N) }
	b.ReportMetric(per(float64(cpu)), "server-cpu-ns/op")
	b.ReportMetric(per(float64(after.Mallocs-before.Mallocs)), "server-allocs/op")
	b.ReportMetric(per(float64(after.TotalAlloc-before.TotalAlloc)), "server-B/op")
	b.ReportMetric(float64(after.NumGC-before.NumGC), "server-gcs")
}

// send sends n requests, four at a time.
func (s *server) send(b *testing.B, method string, in []byte, n int, opts ...grpc.CallOption) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for next.Add(1) <= int64(n) {
				if err := s.conn.Invoke(context.Background(), method, in, new([]byte), opts...); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// raw is a codec for what is encoded already.
type raw struct{}

func (raw) Name() string { return "proto" }
func (raw) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.([]byte))}, nil
}
func (raw) Unmarshal(mem.BufferSlice, any) error { return nil }

func BenchmarkServer(b *testing.B) {
	if runtime.GOOS != "linux" {
		b.Skip("reads /proc")
	}
	for _, request := range []struct {
		name, method string
		message      proto.Message
	}{
		{"users", pb.Users_Put_FullMethodName, users.ExamplePut(1000)},
		{"otlp", pb.Traces_Export_FullMethodName, users.ExampleExport(500)},
		{"small", pb.Users_Put_FullMethodName, users.ExamplePut(10)},
	} {
		in, err := proto.Marshal(request.message)
		if err != nil {
			b.Fatal(err)
		}
		for _, mode := range []string{"heap", "safe", "strings", "recycle"} {
			b.Run("request="+request.name+"/arena="+mode, func(b *testing.B) {
				s := start(b, mode)
				s.send(b, request.method, in, 200)
				cpu, before := s.cpu(b), s.memory(b)
				b.ResetTimer()
				s.send(b, request.method, in, b.N)
				b.StopTimer()
				used, after := s.cpu(b)-cpu, s.memory(b)
				s.report(b, used, before, after)
			})
		}
	}
}
