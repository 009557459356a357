package arenagrpc

import (
	"context"
	"math/bits"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lessgc/arena"
	"lessgc/arena/audit"
	"lessgc/internal/checked"
	"lessgc/rpc/internal/testpb"
)

// echo sends users with these names.
func (f *fixture) echo(names ...string) error {
	in := new(testpb.Users)
	for _, name := range names {
		in.Users = append(in.Users, &testpb.User{Name: name})
	}
	err := f.conn.Invoke(context.Background(), "/test.Users/Echo", in, new(testpb.Users))
	if f.over != nil {
		<-f.over
	}
	return err
}

// needArenas skips the test where messages are on the heap.
func needArenas(t *testing.T) {
	t.Helper()
	if bits.UintSize == 32 || !installedArenas() {
		t.Skip("messages are on the heap")
	}
}

// TestFaultSaysWhose checks that a handler of the checked build that uses a message of an RPC
// before panics with the names of both, of the message, and of the lines.
func TestFaultSaysWhose(t *testing.T) {
	needArenas(t)
	if !checked.Strict {
		t.Skip("runs in the checked build, as .ci/run does")
	}
	f := startSequential(t, Options{Policy: arena.RecycleTyped}, true)
	if err := f.echo("somebody", "keep"); err != nil {
		t.Fatal(err)
	}
	err := f.echo("somebody", "use")
	want := regexp.MustCompile(`arenagrpc: /test.Users/Echo uses freed memory: (\[\])?testpb.User from arenagrpc/codec.go:\d+, ` +
		`opened for /test.Users/Echo at arenagrpc/server.go:\d+, freed at arenagrpc/server.go:\d+, used at arenagrpc/service_test.go:\d+`)
	if err == nil || !want.MatchString(err.Error()) {
		t.Errorf("%v, want %v", err, want)
	}
	if err := audit.Verify(); err == nil || !strings.Contains(err.Error(), "testpb.User from arenagrpc/codec.go") || !strings.Contains(err.Error(), " is kept by ") {
		t.Errorf("%v, want what is kept, and by whom", err)
	}
	f.service.users = nil
}

// TestAuditByMethod checks that audits say which method's memory was kept, with both kinds of audits.
func TestAuditByMethod(t *testing.T) {
	needArenas(t)
	for every, share := range map[int]float64{1: 1, 2: 0.5} {
		f := startSequential(t, Options{AuditEvery: every}, true)
		const n = 1500
		names := slices.Repeat([]string{"keep"}, 50) // a sample is of one of them now and then
		for range n {
			if err := f.echo(names...); err != nil {
				t.Fatal(err)
			}
			if _, err := f.get(context.Background(), "hello", "x", 3); err != nil {
				t.Fatal(err)
			}
		}
		if err := audit.Verify(); err != nil {
			t.Fatal(err)
		}
		stats := f.registrar.Stats()
		get, echo := stats[0], stats[1]
		if get.Escapes != 0 || echo.Escapes == 0 || float64(get.Audited) < share*0.6*n || get.Audited > n || float64(echo.Audited) < share*0.6*n || echo.Audited > n {
			t.Errorf("1 in %d: %+v, %+v", every, get, echo)
		}
		found := int64(0)
		for _, e := range audit.Of(f.registrar.pools[arena.Safe]).Escapes {
			if e.Owner != echo.Method {
				t.Errorf("1 in %d: %+v", every, e)
			}
			found += e.Count
		}
		if found != echo.Escapes {
			t.Errorf("1 in %d: %d escapes of the pool, %d of the method", every, found, echo.Escapes)
		}
		keepers, err := audit.Keepers()
		if err != nil {
			t.Fatal(err)
		}
		ours := func(k audit.Keeper) bool { return k.Escape.Owner == echo.Method && k.Root != "" && len(k.Through) > 0 }
		if !slices.ContainsFunc(keepers, ours) {
			t.Errorf("1 in %d: keepers are %v", every, keepers)
		}
		f.service.users = nil
	}
}
