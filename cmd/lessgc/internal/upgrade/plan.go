package upgrade

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// What a plan may have: a toolchain has some thirty experiments.
const (
	mostChanges = 100
	mostNames   = 1000
	longestName = 200
)

// Check finds what no Find has written. modes are the names of the modes there are, nil if
// they need not be known.
func (p *Plan) Check(modes []string) error {
	if p == nil {
		return nil
	}
	if len(p.Changes) > mostChanges || len(p.Both)+len(p.Gone) > mostNames {
		return fmt.Errorf("invalid upgrade: %d changes", len(p.Changes))
	}
	if p.From == "" || p.To == "" || p.From == p.To {
		return fmt.Errorf("invalid upgrade from %.40q to %.40q", p.From, p.To)
	}
	names, taken := map[string]bool{}, map[string]bool{p.From: true, p.To: true}
	for _, c := range p.Changes {
		switch {
		case c.Name == "" || !plain(c.Name) || !plain(c.Setting):
			return fmt.Errorf("a change of the upgrade is called %.40q, with the setting %.40q", c.Name, c.Setting)
		case names[c.Name]:
			return fmt.Errorf("two changes of the upgrade are called %.40q", c.Name)
		case c.Mode != "" && taken[c.Mode]:
			return fmt.Errorf("two parts of the upgrade are mode %.40q", c.Mode)
		case (c.Mode == "") != (c.Setting == ""):
			return fmt.Errorf("the change %.40q of the upgrade has a mode or a setting, and not both", c.Name)
		}
		names[c.Name] = true
		if c.Mode != "" {
			taken[c.Mode] = true
		}
	}
	if modes == nil {
		return nil
	}
	for name := range taken {
		if !slices.Contains(modes, name) {
			return fmt.Errorf("the upgrade is about mode %.40q, which is not one of the modes", name)
		}
	}
	if len(modes) != len(taken) {
		return errors.New("some modes are not part of the upgrade")
	}
	return nil
}

// plain reports whether s is nothing but names of experiments: settings are shown to be
// pasted into a shell.
func plain(s string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_,"
	return len(s) <= longestName && strings.Trim(s, letters) == ""
}

// Change returns the change that a mode is without, or nil.
func (p *Plan) Change(modeName string) *Change {
	if p == nil || modeName == "" {
		return nil
	}
	i := slices.IndexFunc(p.Changes, func(c Change) bool { return c.Mode == modeName })
	if i < 0 {
		return nil
	}
	return &p.Changes[i]
}

// Notes returns the changes that an upgrade does not separate.
func (p *Plan) Notes() []string {
	if p == nil {
		return nil
	}
	var notes []string
	if len(p.Changes) == 0 {
		notes = append(notes, fmt.Sprintf("the defaults of %s and %s have the same experiments, as far as they can be chosen: no difference can be traced to one", p.From, p.To))
	}
	for _, c := range p.Changes {
		if c.Why != "" {
			notes = append(notes, fmt.Sprintf("%s cannot be taken back, so its share counts as the rest of the release: %s", c.Name, c.Why))
		}
	}
	if len(p.Gone) > 0 {
		notes = append(notes, fmt.Sprintf("experiments of %s that %s does not know, so that what has become of them counts as the rest of the release: %s", p.From, p.To, strings.Join(p.Gone, ", ")))
	}
	if len(p.Both) > 0 {
		notes = append(notes, fmt.Sprintf("on by default in both toolchains, and not part of the upgrade: %s", strings.Join(p.Both, ", ")))
	}
	return notes
}
