// Package executable reads the build information of a Go binary.
package executable

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Info holds the build information of a binary.
type Info struct {
	GoVersion  string `json:"goVersion"`            // such as go1.26.8
	Experiment string `json:"experiment,omitempty"` // differences from the toolchain's default, such as nogreenteagc
	SHA256     string `json:"sha256"`
}

// Inspect reads the Info of a Go binary, so that a result can name the mode
// that was really built.
func Inspect(file string) (Info, error) {
	var info Info
	f, err := os.Open(file)
	if err != nil {
		return info, err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return info, err
	}
	info.SHA256 = hex.EncodeToString(sum.Sum(nil))
	bi, err := buildinfo.Read(f)
	if err != nil {
		return info, fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	// "go1.26.8 X:nogreenteagc", or with "-X:" since Go 1.26.
	version, experiment, _ := strings.Cut(bi.GoVersion, "X:")
	info.GoVersion = strings.TrimRight(version, " -")
	info.Experiment = experiment
	return info, nil
}
