//go:build unix

// The probe is compiled into a server that lessgc puts load on, beside the server's
// own files and without changing them. It answers questions about the process on a
// Unix socket, and does nothing if the environment does not name one.
//
// All names of the file begin with lessgc, those of its imports too: a name that the
// server declares, such as a variable called metrics, would else not compile.
package main

import (
	lessgcBufio "bufio"
	lessgcFmt "fmt"
	lessgcNet "net"
	lessgcOs "os"
	lessgcRuntime "runtime"
	lessgcMetrics "runtime/metrics"
	lessgcPprof "runtime/pprof"
	lessgcTrace "runtime/trace"
	lessgcStrings "strings"
	lessgcSyscall "syscall"
)

func init() {
	const variable = "LESSGC_PROBE"
	path := lessgcOs.Getenv(variable)
	if path == "" {
		return
	}
	lessgcOs.Unsetenv(variable) // for what the server starts
	listener, err := lessgcNet.Listen("unix", path)
	if err != nil {
		lessgcFmt.Fprintln(lessgcOs.Stderr, "lessgc probe:", err)
		lessgcOs.Exit(3)
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
func lessgcServe(conn lessgcNet.Conn) {
	defer conn.Close()
	for lines := lessgcBufio.NewScanner(conn); lines.Scan(); {
		command, file, _ := lessgcStrings.Cut(lines.Text(), " ")
		answer, err := lessgcDo(command, file)
		if err != nil {
			answer = "error: " + err.Error()
		}
		lessgcFmt.Fprintln(conn, answer)
	}
}

// lessgcBusy is the time in ns that Ps were not idle, up to the end of the last
// collection.
func lessgcBusy() int64 {
	s := []lessgcMetrics.Sample{{Name: "/cpu/classes/total:cpu-seconds"}, {Name: "/cpu/classes/idle:cpu-seconds"}}
	lessgcMetrics.Read(s)
	if s[0].Value.Kind() != lessgcMetrics.KindFloat64 || s[1].Value.Kind() != lessgcMetrics.KindFloat64 {
		return 0
	}
	return int64(1e9 * (s[0].Value.Float64() - s[1].Value.Float64()))
}

var lessgcFile *lessgcOs.File // of the profile that runs

func lessgcDo(command, file string) (answer string, err error) {
	switch command {
	case "counts":
		var m lessgcRuntime.MemStats
		lessgcRuntime.ReadMemStats(&m)
		var u lessgcSyscall.Rusage
		if err := lessgcSyscall.Getrusage(lessgcSyscall.RUSAGE_SELF, &u); err != nil {
			return "", err
		}
		return lessgcFmt.Sprint(u.Utime.Nano(), u.Stime.Nano(), lessgcBusy(), m.Mallocs, m.TotalAlloc), nil
	case "cpu", "trace":
		if lessgcFile, err = lessgcOs.Create(file); err != nil {
			return "", err
		}
		if command == "cpu" {
			return "ok", lessgcPprof.StartCPUProfile(lessgcFile)
		}
		return "ok", lessgcTrace.Start(lessgcFile)
	case "stop":
		lessgcPprof.StopCPUProfile()
		lessgcTrace.Stop()
		return "ok", lessgcFile.Close()
	case "allocs":
		f, err := lessgcOs.Create(file)
		if err != nil {
			return "", err
		}
		if err := lessgcPprof.Lookup("allocs").WriteTo(f, 0); err != nil {
			return "", err
		}
		return "ok", f.Close()
	case "exit":
		lessgcOs.Exit(0)
	}
	return "", lessgcFmt.Errorf("the probe knows no command %q", command)
}
