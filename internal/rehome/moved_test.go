//go:build rehome_all

package main

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestMoved moves a copy of this repository, and runs there what depends on
// paths: go vet type-checks everything, and the tests are of tables of functions,
// of messages with paths in them, of scripts whose modules require ours, and of
// generated code, which checks its descriptors when it is started. These leave out
// vet, which has been asked for all by then.
func TestMoved(t *testing.T) {
	o := options{dir: clone(t), path: "example.org/x/lessgc", force: true}
	if err := o.rehome(io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"gofmt -l .",
		"go vet work",
		"go test -vet=off -short ./internal/importrules ./vet ./vet/internal/... ./cmd/lessgc/internal/lever ./cmd/lessgc/internal/site ./cmd/lessgc/internal/sarif ./cmd/lessgc/internal/watch",
		"go test -vet=off -run Audit|Std ./arena",
		"go test -vet=off -run TestVersions ./bench/arenas",
		"go test -vet=off -run ^$ ./rpc/... ./examples/... ./bench/protobuf",
		"go test -vet=off -run ^TestScript$/^(watch|vet)$ ./cmd/lessgc",
	} {
		words := strings.Fields(command)
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir, cmd.Env = o.dir, append(os.Environ(), "GOFLAGS=-buildvcs=false")
		if out, err := cmd.CombinedOutput(); err != nil || words[0] == "gofmt" && len(out) > 0 {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
}
