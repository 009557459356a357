package vetrun

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A modfile stands in for go.mod, and the file beside it for go.sum. The go command changes both
// to what it finds missing if GOFLAGS has -mod=mod; with a modfile, the user's files stay as
// they are.
type modfile struct {
	name string // of the copy
	real string // of go.mod, or of what -modfile in GOFLAGS names
}

// newModfile copies go.mod and go.sum to dir if the go command would change them; else it
// returns nil.
func newModfile(ctx context.Context, dir string) (*modfile, error) {
	out, err := goOutput(ctx, nil, "env", "-json", "GOFLAGS", "GOMOD", "GOWORK")
	if err != nil {
		return nil, err
	}
	var env struct{ GOFLAGS, GOMOD, GOWORK string }
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, fmt.Errorf("the output of go env cannot be read: %w", err)
	}
	mode, name := "", env.GOMOD
	for _, flag := range strings.Fields(env.GOFLAGS) {
		flag = strings.TrimLeft(strings.Trim(flag, `'"`), "-")
		if value, ok := strings.CutPrefix(flag, "mod="); ok {
			mode = value
		}
		if value, ok := strings.CutPrefix(flag, "modfile="); ok {
			name = value
		}
	}
	if mode != "mod" || env.GOMOD == "" || env.GOMOD == os.DevNull || env.GOWORK != "" && env.GOWORK != "off" {
		return nil, nil
	}
	m := &modfile{filepath.Join(dir, "go.mod"), name}
	data, err := os.ReadFile(m.real)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(m.name, data, 0o600); err != nil {
		return nil, err
	}
	data, err = os.ReadFile(strings.TrimSuffix(m.real, ".mod") + ".sum")
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return nil, err
	}
	return m, os.WriteFile(filepath.Join(dir, "go.sum"), data, 0o600)
}

// text names the user's file where a text names the one that stands in for it.
func (m *modfile) text(text string) string {
	if m == nil {
		return text
	}
	standIn := regexp.MustCompile(`\S*` + regexp.QuoteMeta(filepath.Base(filepath.Dir(m.name))) + `[/\\]go\.mod`)
	return standIn.ReplaceAllLiteralString(text, short(m.real))
}

// error does the same for an error.
func (m *modfile) error(err error) error {
	if text := err.Error(); m.text(text) != text {
		return errors.New(m.text(text))
	}
	return err
}
