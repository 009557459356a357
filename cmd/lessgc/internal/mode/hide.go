package mode

import (
	"fmt"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/secret"
)

// Hide returns modes without the values of variables that hold secrets, as packages
// secret takes them: results are shown around. Those of different values can still be
// told apart. Restore finds the values again.
func Hide(modes []Mode) []Mode {
	values := map[string][]string{} // by name
	hide := func(pairs []string) []string {
		pairs = slices.Clone(pairs)
		for i, pair := range pairs {
			name, value, _ := strings.Cut(pair, "=")
			if !secret.Pair(pair) || hidden(value) {
				continue
			}
			n := slices.Index(values[name], value)
			if n < 0 {
				n = len(values[name])
				values[name] = append(values[name], value)
			}
			pairs[i] = name + "=" + secret.Hidden
			if n > 0 {
				pairs[i] += fmt.Sprintf("-%d", n+1)
			}
		}
		return pairs
	}
	modes = slices.Clone(modes)
	for i := range modes {
		modes[i].BuildEnv, modes[i].RunEnv = hide(modes[i].BuildEnv), hide(modes[i].RunEnv)
	}
	return modes
}

func hidden(value string) bool {
	return value == secret.Hidden || strings.HasPrefix(value, secret.Hidden+"-")
}

// Secrets are the values that Hide takes away.
func Secrets(modes []Mode) []string {
	var all []string
	for _, m := range modes {
		for _, pair := range slices.Concat(m.BuildEnv, m.RunEnv) {
			if _, value, _ := strings.Cut(pair, "="); secret.Pair(pair) && !hidden(value) {
				all = append(all, value)
			}
		}
	}
	return all
}

// Restore returns modes with the values of the environment for those that Hide took
// away. The error says which have to be set.
func Restore(modes []Mode, lookup func(string) (string, bool)) ([]Mode, error) {
	first := map[string]string{} // what stands for the value of a name
	restore := func(pairs []string) ([]string, error) {
		pairs = slices.Clone(pairs)
		for i, pair := range pairs {
			name, value, _ := strings.Cut(pair, "=")
			if !hidden(value) {
				continue
			}
			if was, ok := first[name]; ok && was != value {
				return nil, fmt.Errorf("its modes set %s to different values, and secrets are not kept; start a new comparison", name)
			}
			first[name] = value
			now, ok := lookup(name)
			if !ok {
				return nil, fmt.Errorf("its modes set %s, and secrets are not kept; set %s in the environment to what it was", name, name)
			}
			pairs[i] = name + "=" + now
		}
		return pairs, nil
	}
	modes = slices.Clone(modes)
	for i := range modes {
		m, err := &modes[i], error(nil)
		if m.BuildEnv, err = restore(m.BuildEnv); err != nil {
			return nil, err
		}
		if m.RunEnv, err = restore(m.RunEnv); err != nil {
			return nil, err
		}
	}
	return modes, nil
}

// HideText is a -mode value without secrets.
func HideText(s string) string {
	name, settings, ok := strings.Cut(s, ":")
	if !ok {
		return hideWord(s)
	}
	words, err := SplitWords(settings)
	if err != nil { // what belongs to a name cannot be told
		return name + ": " + secret.Hidden
	}
	changed := false
	for i, w := range words {
		words[i] = hideWord(w)
		changed = changed || words[i] != w
		if name, value, ok := strings.Cut(words[i], "="); ok && value != "" {
			words[i] = quote(name) + "=" + quote(value)
		} else {
			words[i] = quote(words[i])
		}
	}
	if !changed {
		return s
	}
	return name + ": " + strings.Join(words, " ")
}

// hideWord is NAME=VALUE without a secret; other words stay.
func hideWord(w string) string {
	if name, _, ok := strings.Cut(w, "="); ok && secret.Pair(w) {
		return name + "=" + secret.Hidden
	}
	return secret.HideUsers(w)
}

// HideArgs are arguments of the command without the secrets in modes and addresses.
func HideArgs(args []string) []string {
	all := slices.Clone(args)
	before := "" // the flag whose value comes
	for i, arg := range args {
		flag, value := before, arg
		prefix := ""
		before = ""
		if name, v, ok := strings.Cut(arg, "="); strings.HasPrefix(arg, "-") && ok {
			flag, prefix, value = strings.TrimLeft(name, "-"), name+"=", v
		} else if strings.HasPrefix(arg, "-") {
			before = strings.TrimLeft(arg, "-")
			continue
		}
		switch {
		case flag == "mode":
			value = HideText(value)
		case secret.IsURL(value), flag == "parca", flag == "pyroscope":
			value = secret.Address(value)
		default:
			value = secret.HideUsers(value)
		}
		all[i] = prefix + value
	}
	return all
}
