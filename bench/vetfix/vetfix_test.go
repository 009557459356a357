package main

import (
	"bytes"
	"go/format"
	"math/rand/v2"
	"strings"
	"testing"
)

const sample = `package sample

import "os"

// Name is what the tests put mistakes into.
func Name(all []string) ([]byte, error) {
	defer a.Free()
	if len(all) == 0 {
		return nil, os.ErrNotExist
	}
	n := len(all[0])
	pool.Put(n)
	if n > 1 {
		a.Free()
		return []byte(all[0]), nil
	}
	return []byte(os.Getenv("NAME")), nil
}
`

// TestInject checks that each mistake fits a function, and that a file which was formatted
// mostly is.
func TestInject(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, m := range mistakes {
		formatted := 0
		for n := range 40 {
			text := hosts([]byte(sample))[0].inject(m, n, r)
			if text == nil {
				t.Errorf("%s, %s: does not fit", m.rule, m.name)
				break
			}
			clean, err := format.Source(text)
			if err != nil || bytes.Equal(text, []byte(sample)) || bytes.ContainsAny(text, "#") {
				t.Errorf("%s, %s: %v\n%s", m.rule, m.name, err, text)
			}
			if bytes.Equal(clean, text) {
				formatted++
			}
		}
		if formatted < 20 {
			t.Errorf("%s, %s: formatted %d times of 40", m.rule, m.name, formatted)
		}
	}
}

// TestJudge checks what counts as fixed, left and worse.
func TestJudge(t *testing.T) {
	one := finding{Rule: "poolalias", Message: "b (line 3)", File: "a.go", Line: 5, Fixes: []struct{ Message string }{{"Return a copy"}}}
	moved, other, bare := one, one, one
	moved.Message, moved.Line = "b (line 4)", 6
	other.Rule = "poolmissingput"
	bare.Fixes = nil
	check := func(name string, before, after []finding, said string, fixed, left, worse int) {
		t.Helper()
		b := &batch{table: map[string]*counts{}, injected: map[string]mistake{"a.go": {rule: "poolalias"}}}
		b.judge(&report{Findings: before}, &report{Findings: after}, said)
		c := b.table["poolalias"]
		n := 0
		for _, k := range c.left {
			n += k
		}
		if c.injected != 1 || c.found != len(before) || c.fixed != fixed || n != left || len(b.worse) != worse {
			t.Errorf("%s: %+v, worse %q", name, c, b.worse)
		}
	}
	const fixed = "a.go:5:2: fixed: Return a copy [poolalias]\n"
	const left = "a.go:5:2: error: b (line 3) [poolalias]\n    a.go:3:1: acquired here\n"
	check("not found", nil, nil, "", 0, 0, 0)
	check("fixed", []finding{one}, nil, fixed, 1, 0, 0)
	check("said to be fixed", []finding{one}, []finding{moved}, fixed, 0, 0, 1)
	check("left for a reason", []finding{one}, []finding{moved}, left+"    not fixed: the file is read-only\n", 0, 1, 0)
	check("left without", []finding{one}, []finding{one}, left, 0, 0, 1)
	check("without a fix", []finding{bare}, []finding{bare}, left, 0, 1, 0)
	check("a new finding", []finding{one}, []finding{other}, fixed, 1, 0, 1)
}

// TestCompare checks which changes of files are worse.
func TestCompare(t *testing.T) {
	const old, clean = "-rw-r--r--\npackage a\n\nvar x = 1\n", "-rw-r--r--\npackage a\n\nvar x = 2\n"
	check := func(name string, now map[string]string, worse int) {
		t.Helper()
		b := &batch{tree: &tree{dir: "/m"}, table: map[string]*counts{}}
		b.compare(map[string]string{"/m/a.go": old, "/outside/a.go": old}, now, "a.go:3:5: fixed: x [poolalias]\n")
		if len(b.worse) != worse {
			t.Errorf("%s: %q", name, b.worse)
		}
	}
	check("nothing", map[string]string{"/m/a.go": old, "/outside/a.go": old}, 0)
	check("fixed", map[string]string{"/m/a.go": clean, "/outside/a.go": old}, 0)
	check("outside", map[string]string{"/m/a.go": clean, "/outside/a.go": clean}, 1)
	check("gone", map[string]string{"/m/a.go": clean}, 1)
	check("a new file", map[string]string{"/m/a.go": clean, "/outside/a.go": old, "/m/b.go": old}, 1)
	check("not formatted", map[string]string{"/m/a.go": strings.Replace(clean, " = ", "  = ", 1), "/outside/a.go": old}, 1)
	check("another mode", map[string]string{"/m/a.go": strings.Replace(clean, "-rw-", "-rwx", 1), "/outside/a.go": old}, 1)
	check("other line ends", map[string]string{"/m/a.go": clean[:11] + strings.ReplaceAll(clean[11:], "\n", "\r\n"), "/outside/a.go": old}, 1)
}
