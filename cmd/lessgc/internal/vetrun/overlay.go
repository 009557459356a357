package vetrun

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// A changedFile is a file as it would be.
type changedFile struct {
	names []fileName
	data  []byte
}

// changed returns the files as they would be.
func (p *plan) changed() []changedFile {
	var all []changedFile
	for _, f := range p.Files {
		all = append(all, changedFile{p.report.vetted[f.path].names, f.New})
	}
	return all
}

// overlayFiles writes files as they would be into dir, and a file for -overlay that has the go
// command take them for the real ones, and others for removed.
func (o *Options) overlayFiles(dir string, changed []changedFile, removed []string) error {
	if len(changed)+len(removed) == 0 {
		return nil
	}
	replace := map[string]string{}
	for _, name := range removed {
		replace[name] = ""
	}
	if len(changed) > 0 {
		o.changed = map[string][]byte{}
	}
	for _, f := range changed {
		for _, known := range f.names {
			name := filepath.Join(dir, overlayPrefix+known.id()+".go")
			replace[known.path] = name
			o.changed[known.path] = f.data
			if err := os.WriteFile(name, f.data, 0o600); err != nil {
				return err
			}
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	o.overlay = filepath.Join(dir, "overlay.json")
	return os.WriteFile(o.overlay, data, 0o600)
}

// overlayPrefix begins the name of a file in an overlay; its id follows.
const overlayPrefix = "lessgc-fix-"

// id returns a name that identifies a file in an overlay.
func (f fileName) id() string {
	sum := sha256.Sum256([]byte(f.pkg + "\x00" + filepath.Base(f.path)))
	return hex.EncodeToString(sum[:16])
}

// inOverlay is the name of a file in an overlay.
var inOverlay = regexp.MustCompile(`\S*` + overlayPrefix + `([0-9a-f]{32})\.go`)

// overlaid returns the names of files by those that they have in overlays. The go command keeps
// what was said of a package, and says it again of the same content: with the names of an
// overlay, this one or one that is long gone, once the files were written.
type overlaid func() map[string]string

// overlaid are the names of the files of all packages.
func (pkgs *packages) overlaid() map[string]string {
	all := map[string]string{}
	for _, p := range pkgs.listed {
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles) {
			file := fileName{p.ImportPath, filepath.Join(p.Dir, name)}
			all[file.id()] = short(real(file.path))
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
