package arenalock

import (
	"bufio"
	"bytes"
	"go/types"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestLocker checks that the rule knows the same locks as package arena, which uses
// reflection: for the types of the fields of prone, those that testdata/prone prints.
func TestLocker(t *testing.T) {
	env := append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "LESSGC_ARENA=")
	cmd := exec.Command("go", "run", "./prone")
	cmd.Dir, cmd.Env = "testdata", env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, &stderr)
	}
	refused := map[string]string{}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		name, lock, _ := strings.Cut(lines.Text(), "\t")
		refused[name] = lock
	}
	mode := packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedSyntax | packages.NeedTypesInfo
	pkgs, err := packages.Load(&packages.Config{Mode: mode, Dir: "testdata", Env: env}, "./prone")
	if err != nil || len(pkgs) != 1 || len(pkgs[0].Errors) > 0 {
		t.Fatalf("%v: %v", pkgs, err)
	}
	prone := pkgs[0].Types.Scope().Lookup("prone").Type().Underlying().(*types.Struct)
	if len(refused) != prone.NumFields() {
		t.Errorf("%d types are printed, of %d", len(refused), prone.NumFields())
	}
	for f := range prone.Fields() {
		got := ""
		if path := locker(f.Type()); path != nil {
			got = types.TypeString(path[len(path)-1], (*types.Package).Name)
		}
		if want := refused[f.Name()]; strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") { // they space unnamed structs differently
			t.Errorf("%s: the lock is %q; package arena says %q", f.Name(), got, want)
		}
	}
}
