package box

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The programs that the test runs in boxes are this test binary, with the name as only argument.
var programs = map[string]func(){
	"done":    func() { say(Message{Note: "hello"}); say(Message{Done: true}) },
	"silent":  func() {},
	"crash":   func() { panic("pace: the collector takes 40 %") },
	"refuses": func() { say(Message{Error: "cannot"}); os.Exit(1) },
	"itself":  func() { say(Message{Error: "killed: RSS 3 over 2"}); os.Exit(1) },
	"exceeds": func() {
		all := make([]byte, 200<<20)
		for i := 0; i < len(all); i += 4096 {
			all[i] = 1
		}
		say(Message{Note: fmt.Sprint(all[4096]), Done: true})
	},
}

func say(m Message) { json.NewEncoder(os.Stdout).Encode(m) }

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && programs[os.Args[1]] != nil {
		programs[os.Args[1]]()
		return
	}
	os.Exit(m.Run())
}

// TestEnd checks what is said of each end.
func TestEnd(t *testing.T) {
	check := func(b *Box, program, want string) {
		t.Helper()
		notes := 0
		end, err := b.Run(context.Background(), []string{program}, func(m Message, _ *exec.Cmd) {
			if m.Note != "" {
				notes++
			}
		})
		if err != nil || !strings.HasPrefix(end.String(), want) {
			t.Errorf("%s: %v, %v; want %s", program, end, err, want)
		}
		if program == "done" && notes != 1 {
			t.Errorf("%d notes, want 1", notes)
		}
	}
	check(nil, "done", "done")
	check(nil, "silent", "failed: ")
	check(nil, "crash", "crashed: pace: the collector takes 40 %")
	check(nil, "refuses", "failed: cannot")
	check(nil, "itself", "killed: RSS 3 over 2")
	b, err := New(64 << 20)
	if err != nil {
		t.Logf("boxes are left out: %v", err)
		return
	}
	check(b, "done", "done")
	check(b, "exceeds", "killed: by the kernel")
	if u := b.Usage(); u < 0 || u > 64<<20 {
		t.Errorf("usage %d", u)
	}
	// The watermark has the charge that failed, too: a page, or a batch for each processor.
	if p := b.Peak(); p < 60<<20 || p > 65<<20 {
		t.Errorf("peak %d of a program that was killed at 64 MiB", p)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(b.dir); !os.IsNotExist(err) {
		t.Errorf("the group is left: %v", err)
	}
}
