package lever

import (
	"context"
	"os"
	"path"
	"path/filepath"

	"golang.org/x/tools/go/packages"
)

// arenaPath is the package that has arenas, which is below its module.
const arenaPath = "lessgc/arena"

// importsArena reports whether files of the package's module may import the arenas without a change of its go.mod: that
// requires their module itself, and the go command finds the package.
func (p *Line) importsArena() bool {
	m := p.pkg.Module
	if m == nil || m.GoMod == "" {
		return false
	}
	known, ok := p.withArena[m.GoMod]
	if !ok {
		known = findsArena(filepath.Dir(m.GoMod))
		if p.withArena == nil {
			p.withArena = map[string]bool{}
		}
		p.withArena[m.GoMod] = known
	}
	return known
}

// findsArena is importsArena of a module in a folder: as its go.mod alone has it, where a workspace may have more, and as it is
// built, where a folder vendor may have less.
func findsArena(dir string) bool {
	for _, env := range [][]string{append(os.Environ(), "GOWORK=off"), nil} {
		config := &packages.Config{Context: context.Background(), Dir: dir, Env: env, Mode: packages.NeedName | packages.NeedFiles | packages.NeedModule}
		all, err := packages.Load(config, arenaPath)
		if err != nil || len(all) != 1 || len(all[0].Errors) > 0 || len(all[0].GoFiles) == 0 {
			return false
		}
		if m := all[0].Module; m == nil || m.Path != path.Dir(arenaPath) || env != nil && (m.Main || m.Indirect) {
			return false
		}
	}
	return true
}
