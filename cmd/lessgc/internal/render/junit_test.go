package render

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/joshdk/go-junit"

	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
)

func junitOf(t *testing.T, r *verdict.Report, met ...Met) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := JUnit(&b, r, met); err != nil {
		t.Fatal(err)
	}
	if err := validJUnit(b.Bytes()); err != nil {
		t.Errorf("%v:\n%s", err, b.String())
	}
	return b.Bytes()
}

// TestJUnit reads the XML by a parser of another project: a test for each row, failed where a
// condition holds, skipped where the verdict is unclear or nothing was measured.
func TestJUnit(t *testing.T) {
	r := sampleReport("Decode", "Encode")
	r.Problems = append(r.Problems, session.Problem{Text: "y_test.go:1: syntax error"})
	find := func(metric string, row int) *verdict.Comparison {
		for i := range r.Comparisons {
			if x := &r.Comparisons[i]; r.Metrics[x.Metric].Name == metric && x.Row == row && r.Cells[x.Cell].Compared() {
				return x
			}
		}
		t.Fatalf("there is no comparison of %s in row %d", metric, row)
		return nil
	}
	unclear, worse, rss := find("cpu", 0), find("cpu", 1), find("rss", 0)
	unclear.Word, unclear.Bounded, unclear.Lo, unclear.Hi = verdict.Unclear, true, 0.9, 1.1
	unclear.Ratio = 1.01
	worse.Word, worse.Ratio, worse.Bounded, worse.Lo, worse.Hi = verdict.Worse, 1.5, true, 1.4, 1.6
	suites, err := junit.Ingest(junitOf(t, r, Met{"cpu worse", *worse}, Met{"any worse", *worse}, Met{"rss better", *rss}))
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]junit.Suite{}
	for _, s := range suites {
		byName[s.Name] = s
	}
	cell, ref := r.Cells[worse.Cell].Name, r.Cells[worse.Ref].Name
	cpu := byName[fmt.Sprintf("CPU time: %s against %s", cell, ref)]
	if cpu.Totals.Tests != 3 || cpu.Totals.Failed != 1 || cpu.Totals.Skipped < 1 {
		t.Fatalf("%+v", cpu.Totals)
	}
	test := func(s junit.Suite, name string) junit.Test {
		for _, x := range s.Tests {
			if x.Name == name {
				return x
			}
		}
		t.Fatalf("%s has no test %s", s.Name, name)
		return junit.Test{}
	}
	if x := test(cpu, "Encode: CPU time in "+cell); x.Status != junit.StatusFailed || x.Message != "cpu worse; any worse: +50.0 % [+40.0, +60.0], worse" {
		t.Errorf("%+v", x)
	}
	if x := test(cpu, "Decode: CPU time in "+cell); x.Status != junit.StatusSkipped || x.Message != "unclear: +1.0 % [-10.0, +10.0]" {
		t.Errorf("%+v", x)
	}
	for name, want := range map[string]string{"Encode ratio": "1.5", "Encode interval": "1.4 1.6", "Encode verdict": "worse"} {
		if got := cpu.Properties[name]; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if s := byName[fmt.Sprintf("peak memory (RSS): %s against %s", cell, ref)]; s.Totals.Failed != 1 { // it does not decide, but a condition is about it
		t.Errorf("%+v", s)
	}
	failed := ""
	for _, s := range suites {
		if strings.Contains(s.Name, "arenas against") && s.Totals.Skipped == s.Totals.Tests && s.Totals.Tests == 2 {
			failed = s.Tests[0].Message
		}
	}
	if !strings.HasPrefix(failed, "not measured: arenas could not be built") {
		t.Errorf("what was not built says %q", failed)
	}
	if s := byName["not measured"]; s.Totals.Tests != 1 || s.Tests[0].Message != "not measured: y_test.go:1: syntax error" {
		t.Errorf("%+v", s)
	}

	suites, err = junit.Ingest(junitOf(t, r)) // no condition, no failure
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range suites {
		if s.Totals.Failed > 0 {
			t.Errorf("%s has failures without a condition", s.Name)
		}
	}
}

// TestJUnitEscapes checks that names are text, whatever they hold.
func TestJUnitEscapes(t *testing.T) {
	for _, name := range []string{`a"b'c<d>&e]]>`, "<!--", "a\x00\x1b\ufffe\xffb", "a\nb\tc", "\u202eevil", "", " "} {
		r := sampleReport("Decode", "Encode")
		r.Rows[0].Name, r.Rows[0].Package, r.Cells[1].Name, r.Command = name, name, name, []string{name}
		r.Problems[0].Text = name
		x := r.Comparisons[0]
		x.Cell, x.Ref = 1, 0
		if _, err := junit.Ingest(junitOf(t, r, Met{name, x})); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	junitOf(t, &verdict.Report{})
}

// The elements that Jenkins's junit-10.xsd and Ant's JUnit.xsd (github.com/windyroad/JUnit-Schema) both take, and
// what they demand of them: the children in their order (* any number, ? at most one) and the attributes
// by their types.
var junitElements = map[string]struct{ children, attributes string }{
	"testsuites": {"testsuite*", ""},
	"testsuite":  {"properties testcase* system-out system-err", "id:int package:token name:name timestamp:time hostname:name tests:int failures:int errors:int skipped:int time:decimal"},
	"properties": {"property*", ""},
	"property":   {"", "name:name value:text"},
	"testcase":   {"failure? skipped?", "classname:token name:token time:decimal"},
	"failure":    {"", "type:text message:text"},
	"skipped":    {"", "message:text"},
	"system-out": {"", ""},
	"system-err": {"", ""},
}

var junitTypes = map[string]func(string) bool{
	"text":    func(string) bool { return true },
	"token":   func(string) bool { return true },
	"name":    func(s string) bool { return strings.TrimSpace(s) != "" },
	"int":     func(s string) bool { _, err := strconv.ParseInt(s, 10, 32); return err == nil },
	"decimal": regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`).MatchString,
	"time":    func(s string) bool { _, err := time.Parse("2006-01-02T15:04:05", s); return err == nil },
}

// validJUnit checks a document against junitElements, and its counts.
func validJUnit(data []byte) error {
	type open struct {
		name     string
		children []string
		count    map[string]int // by the outcome of the tests in it
		want     map[string]string
	}
	var stack []open
	for dec := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch x := token.(type) {
		case xml.StartElement:
			element, ok := junitElements[x.Name.Local]
			if !ok || len(stack) == 0 && x.Name.Local != "testsuites" {
				return fmt.Errorf("element %s", x.Name.Local)
			}
			var names []string
			values := map[string]string{}
			for _, a := range x.Attr {
				names = append(names, a.Name.Local)
				values[a.Name.Local] = a.Value
			}
			var wanted []string
			for pair := range strings.FieldsSeq(element.attributes) {
				name, kind, _ := strings.Cut(pair, ":")
				wanted = append(wanted, name)
				if !junitTypes[kind](values[name]) {
					return fmt.Errorf("attribute %s of %s is %q, not %s", name, x.Name.Local, values[name], kind)
				}
			}
			if slices.Sort(names); !slices.Equal(names, slices.Sorted(slices.Values(wanted))) {
				return fmt.Errorf("%s has the attributes %q", x.Name.Local, names)
			}
			if len(stack) > 0 {
				top := &stack[len(stack)-1]
				top.children = append(top.children, x.Name.Local)
			}
			for i := range stack {
				stack[i].count[x.Name.Local]++
			}
			stack = append(stack, open{x.Name.Local, nil, map[string]int{}, values})
		case xml.EndElement:
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			pattern := "^"
			for child := range strings.FieldsSeq(junitElements[top.name].children) {
				name := strings.TrimRight(child, "*?")
				pattern += "(" + name + " )" + child[len(name):]
			}
			if got := strings.Join(append(top.children, ""), " "); !regexp.MustCompile(pattern + "$").MatchString(got) {
				return fmt.Errorf("%s has the children %q", top.name, got)
			}
			if top.name == "testcase" && len(top.children) > 1 {
				return fmt.Errorf("a test has %q", top.children)
			}
			for attribute, name := range map[string]string{"tests": "testcase", "failures": "failure", "skipped": "skipped"} {
				if top.name == "testsuite" && top.want[attribute] != strconv.Itoa(top.count[name]) {
					return fmt.Errorf("%s is %s, and there are %d", attribute, top.want[attribute], top.count[name])
				}
			}
		}
	}
}

// TestValidJUnit checks that the check can fail.
func TestValidJUnit(t *testing.T) {
	good := string(junitOf(t, sampleReport("Decode", "Encode")))
	for from, to := range map[string]string{
		`hostname="localhost"`: ``, `id="0"`: `id="first"`, ` time="0">`: ` time="soon">`, `timestamp="2026`: `timestamp="x`, "<system-err></system-err>": "",
		"</properties>": "</properties><extra></extra>", `tests="3"`: `tests="4"`, "<testcase ": `<testcase file="x" `, "</testsuites>": "",
	} {
		bad := strings.Replace(good, from, to, 1)
		if bad == good || validJUnit([]byte(bad)) == nil {
			t.Errorf("%q for %q is not found", to, from)
		}
	}
}

// TestBadge checks what shields.io reads.
func TestBadge(t *testing.T) {
	check := func(r *verdict.Report, label, message, color string) {
		t.Helper()
		var b bytes.Buffer
		if err := Badge(&b, r); err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := json.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if len(got) != 4 || got["schemaVersion"] != 1.0 || got["label"] != label || got["message"] != message || got["color"] != color {
			t.Errorf("%s", b.String())
		}
	}
	cells := []verdict.Cell{{Name: "base 1234", Ref: -1}, {Name: "working tree", Ref: 0}, {Name: "B", Ref: 0}, {Name: "C", Ref: 0}, {Name: strings.Repeat("x", 100), Ref: 0, Group: "x"}}
	r := &verdict.Report{Cells: cells, Metrics: []verdict.Metric{{Name: "wall"}, {Name: "cpu"}}, Answers: []verdict.Answer{{Cell: 1, Short: "yes", Text: "It is."}},
		Comparisons: []verdict.Comparison{{Cell: 1, Ratio: 2}, {Cell: 1, Metric: 1, Ratio: 0.9}, {Row: verdict.Geomean, Cell: 1, Metric: 1, Ratio: 0.95}}}
	check(r, "working tree", "yes, CPU time -5.0 %", "brightgreen")
	r.Comparisons = r.Comparisons[:2]
	check(r, "working tree", "yes, CPU time -10.0 %", "brightgreen")
	r.Answers = []verdict.Answer{{Cell: 1, Short: "not measured"}}
	r.Comparisons = nil
	check(r, "working tree", "not measured", "lightgrey")
	r.Answers = []verdict.Answer{{Cell: 1, Short: "no"}, {Cell: 2, Short: "no"}}
	check(r, "lessgc", "working tree: no, B: no", "red")
	r.Answers = []verdict.Answer{{Cell: 4, Short: "yes"}, {Cell: 2, Short: "no"}, {Cell: 3, Short: "mostly"}, {Cell: 1, Short: "no"}}
	check(r, "lessgc", strings.Repeat("x", 26)+"…xxx against x: yes, B: no, C: mostly and 1 more", "blue")
	check(&verdict.Report{}, "lessgc", "not measured", "lightgrey")
}
