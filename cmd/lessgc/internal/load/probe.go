package load

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// probeSource is the file that is compiled into the server.
//
//go:embed probe/probe.go
var probeSource []byte

// probeFile is its name among the server's files.
const probeFile = "lessgc_probe.go"

// ProbeVariable names the socket to the server.
const ProbeVariable = "LESSGC_PROBE"

// Overlay writes the probe into dir, and returns what go build -overlay is to replace so
// that it is compiled into the main package in the folder pkg. Nothing is written outside
// of dir.
func Overlay(dir, pkg string) (map[string]string, error) {
	source := filepath.Join(dir, probeFile)
	return map[string]string{filepath.Join(pkg, probeFile): source}, os.WriteFile(source, probeSource, 0o666)
}

// A Probe is a line to the server's process.
type Probe struct {
	conn  net.Conn
	lines *bufio.Reader
}

// DialProbe waits for the socket and connects to it.
func DialProbe(ctx context.Context, socket string) (*Probe, error) {
	for {
		conn, err := net.Dial("unix", socket)
		if err == nil {
			return &Probe{conn, bufio.NewReader(conn)}, nil
		}
		select {
		case <-ctx.Done():
			return nil, errors.New("it does not start")
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// Close ends the line, not the process.
func (p *Probe) Close() { p.conn.Close() }

func (p *Probe) ask(command string) (string, error) {
	if _, err := fmt.Fprintln(p.conn, command); err != nil {
		return "", err
	}
	answer, err := p.lines.ReadString('\n')
	if err != nil {
		return "", err
	}
	answer = strings.TrimSpace(answer)
	if text, failed := strings.CutPrefix(answer, "error: "); failed {
		return "", errors.New(text)
	}
	return answer, nil
}

// Counts holds the counters of a process since it started.
type Counts struct {
	User, System time.Duration // CPU time
	Busy         time.Duration // that Ps were not idle, added up, to the end of the last collection
	Mallocs      uint64        // objects allocated
	Bytes        uint64        // and their bytes
}

// Sub returns the difference to earlier.
func (c Counts) Sub(earlier Counts) Counts {
	return Counts{c.User - earlier.User, c.System - earlier.System, c.Busy - earlier.Busy, c.Mallocs - earlier.Mallocs, c.Bytes - earlier.Bytes}
}

// Counts asks for them.
func (p *Probe) Counts() (Counts, error) {
	var c Counts
	answer, err := p.ask("counts")
	if err == nil {
		_, err = fmt.Sscan(answer, &c.User, &c.System, &c.Busy, &c.Mallocs, &c.Bytes)
	}
	return c, err
}

// StartCPU begins a CPU profile, StartTrace a trace of the runtime; Stop ends
// either. Allocs writes the profile of all allocations since the process started.
func (p *Probe) StartCPU(file string) error   { return p.do("cpu", file) }
func (p *Probe) StartTrace(file string) error { return p.do("trace", file) }
func (p *Probe) Allocs(file string) error     { return p.do("allocs", file) }
func (p *Probe) Stop() error                  { return p.do("stop", "") }

func (p *Probe) do(command, file string) error {
	_, err := p.ask(command + " " + file)
	return err
}

// Exit ends the process with status 0.
func (p *Probe) Exit() { p.ask("exit") }
