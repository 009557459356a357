package version

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// TestString checks the line for builds of all kinds.
func TestString(t *testing.T) {
	check := func(b debug.BuildInfo, want string) {
		t.Helper()
		if got := of(&b).String(); got != want+" "+runtime.GOOS+"/"+runtime.GOARCH {
			t.Errorf("%s, want %s", got, want)
		}
	}
	set := func(pairs ...string) (all []debug.BuildSetting) {
		for i := 0; i < len(pairs); i += 2 {
			all = append(all, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return all
	}
	released := debug.Module{Path: "lessgc/cmd/lessgc", Version: "v0.1.0"}
	check(debug.BuildInfo{GoVersion: "go1.26.8", Main: released}, "lessgc v0.1.0 go1.26.8")
	check(debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "(devel)"}}, "lessgc (devel) go1.26.8")
	check(debug.BuildInfo{GoVersion: "go1.27.3"}, "lessgc (devel) go1.27.3")
	check(debug.BuildInfo{}, "lessgc (devel) "+runtime.Version())
	revision := "1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d"
	check(debug.BuildInfo{GoVersion: "go1.26.8", Settings: set("vcs", "git", "vcs.revision", revision, "vcs.modified", "false")}, "lessgc (devel) (1a2b3c4d5e6f) go1.26.8")
	check(debug.BuildInfo{GoVersion: "go1.26.8", Settings: set("vcs.revision", revision, "vcs.modified", "true")}, "lessgc (devel) (1a2b3c4d5e6f, modified) go1.26.8")
	check(debug.BuildInfo{GoVersion: "go1.26.8", Settings: set("vcs.revision", "17")}, "lessgc (devel) (17) go1.26.8")
	if got := Tool(); !strings.HasPrefix(got, "lessgc ") || strings.Contains(got, "\n") {
		t.Error(got)
	}
}
