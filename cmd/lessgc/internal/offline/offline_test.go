package offline

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	Helper()
	if address := os.Getenv("LESSGC_DIAL"); address != "" {
		os.Exit(dial(address))
	}
	os.Exit(m.Run())
}

// dial is a program that asks for a network. It exits with 3 if it gets to an address, with 4 if it does not, and with 5 if
// loopback does not work.
func dial(address string) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 5
	}
	if c, err := net.DialTimeout("tcp", l.Addr().String(), time.Second); err != nil {
		return 5
	} else if c.Close() != nil {
		return 5
	}
	if _, err := net.DialTimeout("tcp", address, time.Second); err != nil {
		return 4
	}
	return 3
}

// TestWrap checks that a command gets to no one but itself, and that its status and output come back.
func TestWrap(t *testing.T) {
	if err := Check(t.Context()); err != nil {
		if !errors.Is(err, ErrNot) {
			t.Error(err)
		}
		t.Logf("nothing more can be tried here: %v", err)
		return
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	status := func(path string, args ...string) int {
		cmd := exec.Command(path, args...)
		cmd.Env = append(os.Environ(), "LESSGC_DIAL="+l.Addr().String())
		out, err := cmd.CombinedOutput()
		if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
			t.Fatalf("%v: %s", err, out)
		}
		return cmd.ProcessState.ExitCode()
	}
	if got := status(self); got != 3 {
		t.Errorf("with a network, status %d", got)
	}
	path, args, err := Wrap(self, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := status(path, args...); got != 4 {
		t.Errorf("without a network, status %d", got)
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell")
	}
	path, args, err = Wrap(sh, []string{"-c", `echo "$0 $1"; id -u; kill -TERM $$`, "a b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	out, err := cmd.Output()
	uid, _ := exec.Command("id", "-u").Output()
	if want := "a b c\n" + string(uid); string(out) != want {
		t.Errorf("%q, want %q", out, want)
	}
	if err == nil || !strings.Contains(err.Error(), "terminated") {
		t.Errorf("the signal is lost: %v", err)
	}
	path, args, _ = Wrap(filepath.Join(t.TempDir(), "nothing"), nil)
	if out, err := exec.Command(path, args...).CombinedOutput(); err == nil || !strings.Contains(string(out), "no such file") {
		t.Errorf("%s, %v", out, err)
	}
}
