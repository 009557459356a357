// Command server is the gRPC server of the example; see package users.
package main

import (
	"cmp"
	"context"
	"errors"
	"expvar"
	"flag"
	"fmt"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"

	"lessgc/arena"
	"lessgc/examples/users"
	"lessgc/live"
	"lessgc/rpc/arenagrpc"
)

// modes are the values of -arena.
var modes = map[string]arenagrpc.Options{
	"heap":    {Heap: true},
	"safe":    {Policy: arena.Safe},
	"strings": {Policy: arena.RecycleTyped},
	"recycle": {Policy: arena.RecycleAll},
}

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	flags := flag.NewFlagSet("server", flag.ContinueOnError)
	addr := flags.String("addr", "localhost:8980", "`address` to listen on")
	debug := flags.String("debug", "", "`address` for /debug/pprof, /debug/vars and /debug/lessgc; \"\" for none")
	mode := flags.String("arena", cmp.Or(os.Getenv("USERS_ARENA"), "strings"), "where messages live: `heap`, safe, strings or recycle; USERS_ARENA sets the default")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	options, ok := modes[*mode]
	if !ok || flags.NArg() > 0 {
		var names []string
		for name := range modes {
			names = append(names, name)
		}
		slices.Sort(names)
		fmt.Fprintf(os.Stderr, "server: -arena is one of %s, and there are no arguments\n", strings.Join(names, ", "))
		return 2
	}
	if err := serve(*addr, *debug, options); err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		return 2
	}
	return 0
}

func serve(addr, debug string, options arenagrpc.Options) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	s := grpc.NewServer()
	registrar := arenagrpc.Register(s, options)
	users.Register(registrar)
	healthpb.RegisterHealthServer(s, health.NewServer())
	reflection.Register(s)
	expvar.Publish("arenagrpc", expvar.Func(func() any { return registrar.Stats() }))

	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	if debug != "" {
		http.Handle("/debug/lessgc", live.Handler()) // for lessgc watch and advise
		web := &http.Server{Addr: debug}
		go func() {
			if err := web.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
				fmt.Fprintln(os.Stderr, "server: -debug:", err)
			}
		}()
		defer web.Close()
	}
	go func() {
		<-ctx.Done()
		time.AfterFunc(10*time.Second, s.Stop) // for clients that do not end
		s.GracefulStop()
	}()
	fmt.Println("listening on", listener.Addr())
	return s.Serve(listener)
}
