package golangci_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"lessgc/vet/golangci"
	"lessgc/vet/internal/rule"
)

// rules returns the rules that golangci-lint would run with some settings.
func rules(t *testing.T, settings any) ([]*analysis.Analyzer, error) {
	t.Helper()
	open, err := register.GetPlugin(golangci.Name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := open(settings)
	if err != nil {
		return nil, err
	}
	if mode := p.GetLoadMode(); mode != register.LoadModeTypesInfo {
		t.Errorf("load mode %q", mode)
	}
	return p.BuildAnalyzers()
}

// TestSettings checks what the settings do.
func TestSettings(t *testing.T) {
	check := func(settings any, directives, advice, notes bool) {
		t.Helper()
		all, err := rules(t, settings)
		if err != nil {
			t.Errorf("%v: %v", settings, err)
		}
		if err := analysis.Validate(all); err != nil {
			t.Errorf("%v: %v", settings, err)
		}
		if slices.ContainsFunc(all, func(a *analysis.Analyzer) bool { return a.Name == "lessgcdirective" }) != directives {
			t.Errorf("%v: the rules are %v", settings, all)
		}
		if rule.Settings.Advice != advice || rule.Settings.Notes != notes {
			t.Errorf("%v: advice %v, notes %v", settings, rule.Settings.Advice, rule.Settings.Notes)
		}
	}
	check(nil, true, false, false)
	check(map[string]any{}, true, false, false)
	check(map[string]any{"advice": true, "notes": true}, true, true, true)
	check(map[string]any{"disable": []any{"lessgcdirective"}}, false, false, false)

	wrong := func(settings any, want string) {
		t.Helper()
		if _, err := rules(t, settings); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %q", settings, err, want)
		}
	}
	wrong(map[string]any{"advise": true}, `settings of lessgc: decoding settings: json: unknown field "advise"`)
	wrong(map[string]any{"enable": []any{"poolalais"}}, `settings of lessgc: there is no rule "poolalais"`)
	wrong(map[string]any{"disable": "poolalias"}, "settings of lessgc: decoding settings")
}

// TestRun runs rules of the plug-in.
func TestRun(t *testing.T) {
	all, err := rules(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(a *analysis.Analyzer) bool { return a.Name == "pooluseafterput" })
	for _, r := range analysistest.Run(t, dir, all[i], "./...") {
		for _, d := range r.Action.Diagnostics {
			if len(d.Related) > 0 {
				t.Errorf("%s: golangci-lint would make %d more issues of it", d.Message, len(d.Related))
			}
		}
	}
}
