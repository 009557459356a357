package render

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/cmd/lessgc/internal/visible"
)

// A Met is a comparison that meets a condition of -fail-on.
type Met struct {
	Condition string
	verdict.Comparison
}

// Text describes the comparison in one line.
func (m Met) Text(r *verdict.Report) string {
	name := "geometric mean"
	if m.Row != verdict.Geomean {
		name = r.Rows[m.Row].Name
	}
	return fmt.Sprintf("%s in %s against %s, %s %s", name, r.Cells[m.Cell].Name, r.Cells[m.Ref].Name, r.Metrics[m.Metric].Title, verdict.Percent(m.Ratio))
}

// The elements of JUnit XML, in the order that both common schemas take: Jenkins's junit-10.xsd and Ant's JUnit.xsd.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		ID         int             `xml:"id,attr"`
		Package    string          `xml:"package,attr"`
		Name       string          `xml:"name,attr"`
		Timestamp  string          `xml:"timestamp,attr"`
		Host       string          `xml:"hostname,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
		Out        string          `xml:"system-out"`
		Err        string          `xml:"system-err"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Time    string        `xml:"time,attr"`
		Failure *junitOutcome `xml:"failure"`
		Skipped *junitOutcome `xml:"skipped"`
	}
	junitOutcome struct {
		Type    string `xml:"type,attr,omitempty"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes a report as JUnit XML: a suite for each cell that is compared and each metric
// that decides, or that a condition is about; in it a test for each row and for the mean. A test has failed where a condition
// holds, and is skipped where the verdict is unclear or nothing could be measured. Ratios and
// intervals are properties of the suite, the only place that the schemas have for them.
func JUnit(w io.Writer, r *verdict.Report, met []Met) error {
	r, met = visible.All(r, visible.Terminal), visible.All(met, visible.Terminal)
	j := junitWriter{r: r, met: met, told: make([]bool, len(r.Problems))}
	var all junitSuites
	for c, cell := range r.Cells {
		if cell.Ref < 0 || cell.AA || cell.Without != "" {
			continue
		}
		for m, metric := range r.Metrics {
			if metric.Decides || slices.ContainsFunc(met, func(x Met) bool { return x.Cell == c && x.Metric == m }) {
				if s := j.suite(c, m); s.Tests > 0 {
					all.Suites = append(all.Suites, s)
				}
			}
		}
	}
	if s := j.unmeasured(); s.Tests > 0 {
		all.Suites = append(all.Suites, s)
	}
	for i := range all.Suites {
		all.Suites[i].ID = i
	}
	data, err := xml.MarshalIndent(all, "", "\t")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(data)+"\n")
	return err
}

type junitWriter struct {
	r    *verdict.Report
	met  []Met
	told []bool // by problem: a test is about it
}

// newSuite is a suite without tests, with what is said of the whole run.
func (j *junitWriter) newSuite(name string) junitSuite {
	s := junitSuite{Package: "lessgc", Name: name, Host: "localhost", Timestamp: j.r.Created.UTC().Format("2006-01-02T15:04:05"), Time: "0"}
	s.property("command", commandLine(j.r.Command))
	s.property("rounds", rounds(j.r))
	s.property("commit", j.r.Commit)
	s.property("base", j.r.Base)
	s.property("tool", j.r.Tool)
	return s
}

func (s *junitSuite) property(name, value string) {
	if value != "" {
		s.Properties = append(s.Properties, junitProperty{name, value})
	}
}

// add adds a test and counts it.
func (s *junitSuite) add(c junitCase) {
	c.Time = "0"
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

// suite holds a cell in a metric.
func (j *junitWriter) suite(cell, m int) junitSuite {
	r, c := j.r, j.r.Cells[cell]
	s := j.newSuite(fmt.Sprintf("%s: %s against %s", r.Metrics[m].Title, c.Name, r.Cells[c.Ref].Name))
	for _, a := range r.Answers {
		if a.Cell == cell {
			s.Out = a.Short + ". " + a.Text
		}
	}
	for _, row := range rowsAndGeomean(r) {
		test := junitCase{Class: "lessgc", Name: "geometric mean"}
		if row != verdict.Geomean {
			test.Class, test.Name = cmp.Or(r.Rows[row].Package, "lessgc"), r.Rows[row].Name
		}
		name := test.Name
		test.Name += ": " + r.Metrics[m].Title + " in " + c.Name
		x := find(r, row, cell, m)
		if x == nil {
			if why := j.why(row, cell); why != "" {
				test.Skipped = &junitOutcome{Message: why}
				s.add(test)
			}
			continue
		}
		s.property(name+" ratio", exact(x.Ratio))
		if x.Bounded {
			s.property(name+" interval", exact(x.Lo)+" "+exact(x.Hi))
		}
		s.property(name+" verdict", string(x.Word))
		test.Failure = j.failure(x)
		switch {
		case test.Failure != nil:
		case x.Word == verdict.Unclear:
			test.Skipped = &junitOutcome{Message: cmp.Or(x.Withheld, "unclear: "+change(x))}
		case x.Word == verdict.Mixed:
			test.Skipped = &junitOutcome{Message: cmp.Or(byClass(r, x), "mixed: "+change(x))}
		}
		s.add(test)
	}
	return s
}

// change is a comparison in figures.
func change(x *verdict.Comparison) string {
	if !x.Bounded {
		return verdict.Percent(x.Ratio)
	}
	return verdict.Percent(x.Ratio) + " [" + verdict.Range(x.Lo, x.Hi) + "]"
}

// failure says which conditions hold for a comparison; nil if none does.
func (j *junitWriter) failure(x *verdict.Comparison) *junitOutcome {
	var conditions []string
	for _, m := range j.met {
		if m.Row == x.Row && m.Cell == x.Cell && m.Metric == x.Metric {
			conditions = append(conditions, m.Condition)
		}
	}
	if len(conditions) == 0 {
		return nil
	}
	text := fmt.Sprintf("%s: %s, %s", strings.Join(conditions, "; "), change(x), x.Word)
	out := &junitOutcome{Type: "fail-on", Message: text}
	from, to := value(j.r, x.Row, x.Ref, x.Metric), value(j.r, x.Row, x.Cell, x.Metric)
	if from != nil && to != nil {
		unit := j.r.Metrics[x.Metric].Unit
		out.Text = fmt.Sprintf("%s in %s, %s in %s", Number(from.Median, unit), j.r.Cells[x.Ref].Name, Number(to.Median, unit), j.r.Cells[x.Cell].Name)
	}
	return out
}

// why says why a row was not compared in a cell; "" if it was not meant to be.
func (j *junitWriter) why(row, cell int) string {
	c := j.r.Cells[cell]
	if row == verdict.Geomean {
		return ""
	}
	for i, p := range j.r.Problems {
		of := p.Row == "" || p.Row == j.r.Rows[row].Name
		if of && (p.Cell == "" || p.Cell == c.ID || p.Cell == j.r.Cells[c.Ref].ID) && (p.Row != "" || p.Cell != "") {
			j.told[i] = true
			return "not measured: " + p.Text
		}
	}
	switch {
	case c.Err != "":
		return "not measured: " + c.Err
	case c.Group == "": // else the rows of other groups are not meant to be here
		return "not measured"
	}
	return ""
}

// unmeasured holds the problems that no other test is about.
func (j *junitWriter) unmeasured() junitSuite {
	s := j.newSuite("not measured")
	for i, p := range j.r.Problems {
		if !j.told[i] {
			s.add(junitCase{Class: "lessgc", Name: cmp.Or(p.Row, "build") + " in " + cmp.Or(j.cellName(p.Cell), "all"), Skipped: &junitOutcome{Message: "not measured: " + p.Text}})
		}
	}
	return s
}

func (j *junitWriter) cellName(id string) string {
	for _, c := range j.r.Cells {
		if c.ID == id {
			return c.Name
		}
	}
	return id
}
