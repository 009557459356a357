package lever

import (
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
)

// linkedElsewhere reports whether a directive or assembly of the module has the name of a function or variable: what uses it by that is not seen. All
// files of the module count, those of packages that are not loaded and of other systems too.
func (p *Line) linkedElsewhere(f types.Object) bool {
	dir := p.dir
	if m := p.pkg.Module; m != nil && m.Dir != "" {
		dir = m.Dir
	}
	return keptBy(&p.symbols, dir, symbolsIn)[f.Name()]
}

// linking are the directives that name symbols of functions.
var linking = regexp.MustCompile(`//(?:go:linkname|export|go:cgo_export_static|go:cgo_export_dynamic)[ \t]+(.*)`)

// symbolsIn are the last names of the symbols in the directives and the assembly below a folder: of a method, its own.
func symbolsIn(dir string) map[string]bool {
	names := map[string]bool{}
	filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // a folder that cannot be read is not built
		case entry.IsDir():
			if name := entry.Name(); path != dir && (name == "vendor" || strings.HasPrefix(name, ".")) {
				return fs.SkipDir
			}
			return nil
		}
		ext := filepath.Ext(path)
		if ext != ".go" && ext != ".s" {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		if ext == ".s" {
			symbolsOfAssembly(string(data), names)
			return nil
		}
		for _, directive := range linking.FindAllSubmatch(data, -1) {
			for _, symbol := range strings.Fields(string(directive[1])) {
				names[symbol[strings.LastIndexByte(symbol, '.')+1:]] = true
			}
		}
		return nil
	})
	return names
}

// symbolsOfAssembly adds what stands behind the dots of symbols.
func symbolsOfAssembly(text string, names map[string]bool) {
	for {
		_, after, ok := strings.Cut(text, "·")
		if !ok {
			return
		}
		end := strings.IndexFunc(after, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if end < 0 {
			end = len(after)
		}
		names[after[:end]] = true
		text = after
	}
}
