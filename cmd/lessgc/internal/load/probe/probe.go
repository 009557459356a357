//go:build unix

// The probe is compiled into a server that lessgc puts load on, beside the server's
// own files and without changing them. It answers questions about the process on a
// Unix socket, and does nothing if the environment does not name one.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"runtime"
	"runtime/metrics"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"syscall"
)

func init() {
	const variable = "LESSGC_PROBE"
	path := os.Getenv(variable)
	if path == "" {
		return
	}
	os.Unsetenv(variable) // for what the server starts
	listener, err := net.Listen("unix", path)
	if err != nil {
		fmt.Fprintln(os.Stderr, "lessgc probe:", err)
		os.Exit(3)
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go lessgcServe(conn)
		}
	}()
}

// lessgcServe answers each line with one line.
func lessgcServe(conn net.Conn) {
	defer conn.Close()
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		command, file, _ := strings.Cut(lines.Text(), " ")
		answer, err := lessgcDo(command, file)
		if err != nil {
			answer = "error: " + err.Error()
		}
		fmt.Fprintln(conn, answer)
	}
}

// lessgcBusy is the time in ns that Ps were not idle, up to the end of the last
// collection.
func lessgcBusy() int64 {
	s := []metrics.Sample{{Name: "/cpu/classes/total:cpu-seconds"}, {Name: "/cpu/classes/idle:cpu-seconds"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindFloat64 || s[1].Value.Kind() != metrics.KindFloat64 {
		return 0
	}
	return int64(1e9 * (s[0].Value.Float64() - s[1].Value.Float64()))
}

var lessgcFile *os.File // of the profile that runs

func lessgcDo(command, file string) (answer string, err error) {
	switch command {
	case "counts":
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			return "", err
		}
		return fmt.Sprint(u.Utime.Nano(), u.Stime.Nano(), lessgcBusy(), m.Mallocs, m.TotalAlloc), nil
	case "cpu", "trace":
		if lessgcFile, err = os.Create(file); err != nil {
			return "", err
		}
		if command == "cpu" {
			return "ok", pprof.StartCPUProfile(lessgcFile)
		}
		return "ok", trace.Start(lessgcFile)
	case "stop":
		pprof.StopCPUProfile()
		trace.Stop()
		return "ok", lessgcFile.Close()
	case "allocs":
		f, err := os.Create(file)
		if err != nil {
			return "", err
		}
		if err := pprof.Lookup("allocs").WriteTo(f, 0); err != nil {
			return "", err
		}
		return "ok", f.Close()
	case "exit":
		os.Exit(0)
	}
	return "", fmt.Errorf("the probe knows no command %q", command)
}
