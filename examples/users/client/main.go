// Command client puts load on the server of the example; see package users.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/proto" // registers the codec that raw wraps
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"lessgc/examples/users"
	pb "lessgc/examples/users/userspb"
)

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	flags := flag.NewFlagSet("client", flag.ContinueOnError)
	addr := flags.String("addr", "localhost:8980", "`address` of the server")
	method := flags.String("method", "Put", "what to call: `Get`, Put or Export")
	size := flags.Int("size", 1000, "users or spans per request")
	n := flags.Int("n", 10000, "requests")
	c := flags.Int("c", 4, "requests at a time")
	show := flags.Bool("print", false, "print the request as JSON, and send nothing")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() > 0 || *n < 1 || *c < 1 || *size < 0 {
		fmt.Fprintln(os.Stderr, "client: -n and -c are at least 1, and there are no arguments")
		return 2
	}
	if *show {
		_, message, err := request(*method, *size)
		if err != nil {
			fmt.Fprintln(os.Stderr, "client:", err)
			return 2
		}
		fmt.Println(protojson.Format(message))
		return 0
	}
	if err := load(*addr, *method, *size, *n, *c); err != nil {
		fmt.Fprintln(os.Stderr, "client:", err)
		return 2
	}
	return 0
}

// load sends n requests and says how long they took.
func load(addr, method string, size, n, c int) error {
	full, message, err := request(method, size)
	if err != nil {
		return err
	}
	in, err := proto.Marshal(message)
	if err != nil {
		return err
	}
	conn, err := grpc.NewClient(addr, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(raw{}), grpc.MaxCallRecvMsgSize(64<<20)))
	if err != nil {
		return err
	}
	defer conn.Close()
	times := make([]time.Duration, n)
	var next atomic.Int64
	var failed atomic.Pointer[error]
	var wg sync.WaitGroup
	begin := time.Now()
	for range c {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(n) && failed.Load() == nil; i = next.Add(1) - 1 {
				start := time.Now()
				var out []byte
				if err := conn.Invoke(context.Background(), full, in, &out); err != nil {
					failed.Store(&err)
				}
				times[i] = time.Since(start)
			}
		})
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	took := time.Since(begin)
	slices.Sort(times)
	at := func(q float64) time.Duration { return times[min(n-1, int(q*float64(n)))].Round(time.Microsecond) }
	fmt.Printf("%s: %d requests of %d bytes in %v: %.0f per second, p50 %v, p99 %v, max %v\n",
		method, n, len(in), took.Round(time.Millisecond), float64(n)/took.Seconds(), at(0.5), at(0.99), at(1))
	return nil
}

// request returns a request for a method.
func request(method string, size int) (full string, m proto.Message, err error) {
	switch method {
	case "Get":
		return pb.Users_Get_FullMethodName, &pb.GetRequest{Count: int32(size), Prefix: "user "}, nil
	case "Put":
		return pb.Users_Put_FullMethodName, users.ExamplePut(size), nil
	case "Export":
		return pb.Traces_Export_FullMethodName, users.ExampleExport(size), nil
	}
	return "", nil, fmt.Errorf("-method is Get, Put or Export, not %q", method)
}

// raw is a codec for messages that are encoded already: the client is not what is
// measured.
type raw struct{}

func (raw) Name() string { return encoding.GetCodecV2("proto").Name() }

func (raw) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.([]byte))}, nil
}

func (raw) Unmarshal(data mem.BufferSlice, v any) error {
	*v.(*[]byte) = nil // nobody looks at it
	return nil
}
