package prof

import (
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Folders holds the folders with the source of packages.
type Folders struct {
	ByPath map[string]string
	Main   []string // of packages main, whose import paths profiles do not tell
}

// Missing reports whether the source of a function of packages that own names is not where the
// profile says: the program was built elsewhere, or with -trimpath.
func (p *Profile) Missing(own func(pkg string) bool) bool {
	for _, f := range p.Function {
		if f.Filename != "" && own((Frame{Func: f.Name}).Package()) && path.Base(f.Filename) != "_testmain.go" && !isFile(f.Filename) {
			return true
		}
	}
	return false
}

// Locate names the files of functions as they are here, by the import path of the package and the
// name of the file, where the profile names one that is not here and the folder has it.
// Whether it is the same source is not looked at.
func (p *Profile) Locate(folders Folders) {
	for _, f := range p.Function {
		if f.Filename == "" || isFile(f.Filename) {
			continue
		}
		name := strings.ReplaceAll(f.Filename, `\`, "/")
		pkg := Frame{Func: f.Name}.Package()
		dir := folders.ByPath[pkg]
		if dir == "" {
			dir = folders.ByPath[strings.TrimSuffix(pkg, "_test")]
		}
		if pkg == "main" {
			dir = folders.main(name)
		}
		if here := filepath.Join(dir, path.Base(name)); dir != "" && isFile(here) {
			f.Filename = here
		}
	}
}

// main is the folder of a package main that has a file: that whose name ends most like the file's
// folder, "" if there are two.
func (f Folders) main(name string) string {
	best, most := "", -1
	for _, dir := range f.Main {
		if !isFile(filepath.Join(dir, path.Base(name))) {
			continue
		}
		switch n := commonElements(path.Dir(name), filepath.ToSlash(dir)); {
		case n > most:
			best, most = dir, n
		case n == most:
			best = ""
		}
	}
	return best
}

// commonElements returns the number of elements that two paths have in common, from the end.
func commonElements(a, b string) (n int) {
	for path.Base(a) == path.Base(b) && path.Base(a) != "/" && path.Base(a) != "." {
		a, b, n = path.Dir(a), path.Dir(b), n+1
	}
	return n
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && filepath.IsAbs(name) && info.Mode().IsRegular()
}
