package misuse

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// overlay writes the files as they would be into dir, and a file for -overlay that has the go
// command take them for the real ones. It returns their contents, too, by all their names.
func (p *plan) overlay(dir string) (name string, changed map[string][]byte, err error) {
	replace := map[string]string{}
	changed = map[string][]byte{}
	for _, f := range p.Files {
		name := filepath.Join(dir, overlayID(f.path)+".go")
		for _, known := range p.report.vetted[f.path].names {
			replace[known] = name
			changed[known] = f.New
		}
		if err := os.WriteFile(name, f.New, 0o600); err != nil {
			return "", nil, err
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", nil, err
	}
	name = filepath.Join(dir, "overlay.json")
	return name, changed, os.WriteFile(name, data, 0o600)
}

// overlayID is the name of a file in an overlay, by its real path.
func overlayID(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:16])
}

// inOverlay is the name of a file in an overlay.
var inOverlay = regexp.MustCompile(`\S*` + overlayPrefix + `[0-9]+[/\\]([0-9a-f]{32})\.go`)

// overlaid returns the names of files by those that they have in overlays. The go command keeps
// what was said of a package, and says it again of the same content: with the names of an
// overlay, this one or one that is long gone, once the files were written.
type overlaid func() map[string]string

// overlaid are the names of the files of all packages.
func (pkgs *packages) overlaid() map[string]string {
	all := map[string]string{}
	for _, p := range pkgs.listed {
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles) {
			path := real(filepath.Join(p.Dir, name))
			all[overlayID(path)] = short(path)
		}
	}
	return all
}

// file is the name of a file, or that of the same file in an overlay.
func (o overlaid) file(name string) string {
	m := inOverlay.FindStringSubmatch(name) // the folder may have spaces in its name
	if m == nil {
		return name
	}
	if known, ok := o()[m[1]]; ok {
		return known
	}
	return name
}

// text puts the names of files into a text.
func (o overlaid) text(text string) string { return inOverlay.ReplaceAllStringFunc(text, o.file) }

// finding puts the names of files into a finding.
func (o overlaid) finding(f *Finding) {
	f.File = o.file(f.File)
	for i := range f.Related {
		f.Related[i].File = o.file(f.Related[i].File)
	}
	for _, fix := range f.Fixes {
		for i := range fix.Edits {
			fix.Edits[i].File = o.file(fix.Edits[i].File)
		}
	}
}
