// Package version returns the version of this lessgc: for lessgc version, and for all files that it writes.
package version

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// Format is the version of the JSON form.
const Format = "lessgc-version/1"

// Info holds the go command's record of a build.
type Info struct {
	Format   string `json:"format"`
	Module   string `json:"module"`             // of the command
	Version  string `json:"version"`            // of the module; (devel) if it was built from a folder
	Revision string `json:"revision,omitempty"` // of version control; empty for go run, and for a module that was downloaded
	Modified bool   `json:"modified,omitempty"` // the folder was not that of the revision
	Time     string `json:"time,omitempty"`     // of the revision
	Go       string `json:"go"`                 // the toolchain
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

// Get returns the Info of this program.
var Get = sync.OnceValue(func() Info {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		build = new(debug.BuildInfo)
	}
	return of(build)
})

// of reads what the go command has recorded.
func of(b *debug.BuildInfo) Info {
	i := Info{Format: Format, Module: cmp.Or(b.Main.Path, "lessgc/cmd/lessgc"), Version: cmp.Or(b.Main.Version, "(devel)"),
		Go: cmp.Or(b.GoVersion, runtime.Version()), OS: runtime.GOOS, Arch: runtime.GOARCH}
	for _, s := range b.Settings {
		switch s.Key {
		case "vcs.revision":
			i.Revision = s.Value
		case "vcs.modified":
			i.Modified = s.Value == "true"
		case "vcs.time":
			i.Time = s.Value
		}
	}
	return i
}

// String is one line: lessgc v0.1.0 (1a2b3c4d5e6f, modified) go1.26.8 linux/amd64.
func (i Info) String() string {
	revision := ""
	if n := len(i.Revision); n > 0 {
		revision = " (" + i.Revision[:min(n, 12)]
		if i.Modified {
			revision += ", modified"
		}
		revision += ")"
	}
	return fmt.Sprintf("lessgc %s%s %s %s/%s", i.Version, revision, i.Go, i.OS, i.Arch)
}

// Tool is the line that stands in all that lessgc writes.
func Tool() string { return Get().String() }
