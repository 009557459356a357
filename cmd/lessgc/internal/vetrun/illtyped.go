package vetrun

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	gopackages "golang.org/x/tools/go/packages"
)

// ownPackages is the prefix of the import paths of lessgc's packages.
var ownPackages = path.Dir("lessgc/arena") + "/"

// despiteErrors returns the enabled rules that run despite type errors.
func (o *Options) despiteErrors() []*analysis.Analyzer {
	return slices.DeleteFunc(Rules(), func(a *analysis.Analyzer) bool {
		return !a.RunDespiteErrors || len(o.Rules) > 0 && !slices.Contains(o.Rules, a.Name) || slices.Contains(o.Disable, a.Name)
	})
}

// illTyped runs the rules that run despite type errors on the unseen packages: those that do not
// compile and those that import one. Go vet skips both, and uses of removed names are found
// nowhere else. It also records the type errors that are not findings.
func (v *vetting) illTyped(ctx context.Context, o *Options, pkgs *packages, unseen map[string]bool) error {
	rules := o.despiteErrors()
	uses := func(u unit) bool {
		return unseen[u.name] && slices.ContainsFunc(u.deps, func(dep string) bool { return strings.HasPrefix(dep, ownPackages) })
	}
	if len(rules) == 0 || !slices.ContainsFunc(pkgs.units, uses) && o.changed == nil {
		return nil
	}
	patterns := slices.DeleteFunc(slices.Clone(pkgs.paths), func(path string) bool { return !unseen[path] && !unseen[path+"_test"] })
	if len(patterns) == 0 {
		return nil
	}
	if slices.Contains(patterns, "command-line-arguments") { // files
		patterns = o.Patterns
	}
	config := &gopackages.Config{Context: ctx, Mode: gopackages.LoadSyntax | gopackages.NeedModule, Tests: o.Tests, Env: goEnviron(ctx), BuildFlags: o.buildFlags(), ParseFile: o.parse}
	loaded, err := gopackages.Load(config, patterns...)
	if err != nil {
		return err
	}
	graph, err := checker.Analyze(rules, loaded, nil)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := graph.PrintJSON(&out); err != nil {
		return err
	}
	v.object(out.Bytes())
	for _, p := range loaded {
		var found []analysis.Diagnostic
		for _, act := range graph.Roots {
			if act.Package == p {
				found = append(found, o.reported(p.Fset, act.Diagnostics)...)
			}
		}
		name := bare(p.ID)
		v.removed[name] = v.removed[name] || len(found) > 0
		v.others[name] = append(v.others[name], otherErrors(p, found)...)
	}
	return nil
}

// types loads the exported declarations of packages. Those that there are not, or that do not
// compile, are left out.
func (o *Options) types(ctx context.Context, paths []string) (all []*types.Package, err error) {
	config := &gopackages.Config{Context: ctx, Mode: gopackages.NeedName | gopackages.NeedTypes, Env: goEnviron(ctx), BuildFlags: o.buildFlags()}
	loaded, err := gopackages.Load(config, paths...)
	for _, p := range loaded {
		if p.Types != nil && len(p.Errors) == 0 && p.Types.Complete() {
			all = append(all, p.Types)
		}
	}
	return all, err
}

// parse parses a file, as it would be. Not by an overlay of the loader's own: the go command
// already has one.
func (o *Options) parse(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
	if changed, ok := o.changed[name]; ok {
		src = changed
	}
	return parser.ParseFile(fset, name, src, parser.AllErrors|parser.ParseComments|parser.SkipObjectResolution)
}

// reported returns the diagnostics that are reported.
func (o *Options) reported(fset *token.FileSet, all []analysis.Diagnostic) []analysis.Diagnostic {
	return slices.DeleteFunc(slices.Clone(all), func(d analysis.Diagnostic) bool {
		return !o.Tests && strings.HasSuffix(fset.File(d.Pos).Name(), "_test.go")
	})
}

// otherErrors returns the parse and type errors outside the ranges of found, formatted like the
// compiler's.
func otherErrors(p *gopackages.Package, found []analysis.Diagnostic) []string {
	var lines []string
	for _, err := range p.Errors {
		if err.Kind == gopackages.ParseError {
			file, line, column := position(err.Pos)
			lines = append(lines, fmt.Sprintf("%s:%d:%d: %s", short(file), line, column, err.Msg))
		}
	}
	for _, err := range p.TypeErrors {
		if slices.ContainsFunc(found, func(d analysis.Diagnostic) bool { return d.Pos <= err.Pos && err.Pos < d.End }) {
			continue
		}
		pos := err.Fset.Position(err.Pos)
		lines = append(lines, fmt.Sprintf("%s:%d:%d: %s", short(pos.Filename), pos.Line, pos.Column, oneLine(err.Msg)))
	}
	return lines
}
