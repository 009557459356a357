// Package golangci makes the rules a plug-in of golangci-lint, version 2. Importing it
// registers the plug-in under the name lessgc. A file .custom-gcl.yml names it, and
// golangci-lint custom builds a golangci-lint with it:
//
//	version: v2.5.0
//	plugins:
//	  - module: lessgc/vet
//	    import: lessgc/vet/golangci
//	    path: ../lessgc/vet
//
// The settings, all of which can be left out, stand in .golangci.yml:
//
//	version: "2"
//	linters:
//	  enable: [lessgc]
//	  settings:
//	    custom:
//	      lessgc:
//	        type: module
//	        settings:
//	          advice: true               # run all advisory rules
//	          notes: true                # also report notes: correct code that is easy to break
//	          enable: [poolnoreset]      # run these advisory rules
//	          disable: [poolmissingput]  # do not run these
package golangci

import (
	"fmt"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"lessgc/vet"
	"lessgc/vet/internal/rule"
)

// Name is the name of the plug-in.
const Name = "lessgc"

func init() { register.Plugin(Name, open) }

// A plugin is a choice of rules.
type plugin struct{ settings vet.Settings }

// open reads the settings. It fails if there is one that does not exist.
func open(conf any) (register.LinterPlugin, error) {
	settings, err := register.DecodeSettings[vet.Settings](conf)
	if err != nil {
		return nil, fmt.Errorf("settings of %s: %w", Name, err)
	}
	return &plugin{settings}, nil
}

// BuildAnalyzers returns the rules that are on. They report no related positions: golangci-lint
// would make an issue of each, to be silenced one by one.
func (p *plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	rule.Settings.Lone = true
	rules, err := p.settings.Apply()
	if err != nil {
		return nil, fmt.Errorf("settings of %s: %w", Name, err)
	}
	return rules, nil
}

// GetLoadMode asks for types, which the rules need.
func (*plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
