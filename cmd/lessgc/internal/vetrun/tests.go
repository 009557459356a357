package vetrun

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// isTest reports whether the go command takes a file for one of tests.
func isTest(name string) bool { return strings.HasSuffix(name, "_test.go") }

// withoutTests returns the test files of the packages that were asked for, and of those at
// home that they import. For go vet, which has no flag for it, they have to be removed by an
// overlay: a package whose tests do not compile, or cannot be loaded, is then one without
// tests.
func (o *Options) withoutTests(ctx context.Context) ([]string, error) {
	named := len(o.Patterns)
	o.Patterns = slices.DeleteFunc(slices.Clone(o.Patterns), isTest)
	if len(o.Patterns) == 0 && named > 0 {
		return nil, errors.New("-tests=false leaves nothing of the files")
	}
	all, err := list(ctx, nil, slices.Concat([]string{"-deps", "-json=ImportPath,Dir,DepOnly,Standard,Module"}, o.buildFlags(), []string{"--"}, o.Patterns)...)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, p := range all {
		if p.Dir == "" || p.DepOnly && !p.home() {
			continue
		}
		entries, err := os.ReadDir(p.Dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if isTest(e.Name()) {
				files = append(files, filepath.Join(p.Dir, e.Name()))
			}
		}
	}
	return files, nil
}

// home reports whether the source of a package is the user's to change: that of a main module,
// or of one that a folder replaces.
func (p *listed) home() bool {
	m := p.Module
	return !p.Standard && m != nil && (m.Main || m.Replace != nil && m.Replace.Version == "")
}

// onlyTests reports whether nothing was left of a package without its tests.
func (p *listed) onlyTests() bool {
	return p.Error != nil && strings.HasPrefix(p.Error.Err, "no Go files in ")
}
