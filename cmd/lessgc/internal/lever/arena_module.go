package lever

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"
)

// arenaPath is the package that has arenas, and arenaModule its module.
const (
	arenaPath   = "lessgc/arena"
	arenaModule = "lessgc"
)

// importsArena reports whether files of the package's module may import the arenas without a change of its go.mod: that
// requires their module, other than for what it imports by way of others, and the go command finds the package.
func (p *Line) importsArena() bool {
	m := p.pkg.Module
	if m == nil || m.GoMod == "" {
		return false
	}
	known, ok := p.withArena[m.GoMod]
	if !ok {
		known = requires(m.GoMod, arenaModule) && p.finds(filepath.Dir(m.GoMod), arenaPath)
		if p.withArena == nil {
			p.withArena = map[string]bool{}
		}
		p.withArena[m.GoMod] = known
	}
	return known
}

// requires reports whether a go.mod file requires a module directly.
func requires(file, module string) bool {
	data, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	mod, err := modfile.ParseLax(file, data, nil)
	return err == nil && slices.ContainsFunc(mod.Require, func(r *modfile.Require) bool { return r.Mod.Path == module && !r.Indirect })
}

// finds reports whether the go command finds a package from a folder: where it builds with a folder vendor, that has to have it.
func (p *Program) finds(dir, path string) bool {
	all, err := packages.Load(&packages.Config{Context: context.Background(), Dir: dir, Mode: packages.NeedName | packages.NeedFiles}, path)
	return err == nil && len(all) == 1 && len(all[0].Errors) == 0 && len(all[0].GoFiles) > 0
}
