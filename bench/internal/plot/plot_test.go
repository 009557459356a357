package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

// TestSVG checks that the picture is well-formed whatever the names and values are, and where points lie.
func TestSVG(t *testing.T) {
	charts := []Chart{
		{Title: "a < b & \"c\"", XName: "s", YName: "%", MaxY: 100, Lines: []Line{
			{Name: "one", X: []float64{0, 5, 10}, Y: []float64{0, 50, 200}},
			{Name: "gap", X: []float64{0, 1, 2}, Y: []float64{1, math.NaN(), math.Inf(1)}, Dashed: true},
		}},
		{Title: "nothing"},
	}
	var b bytes.Buffer
	if err := SVG(&b, charts...); err != nil {
		t.Fatal(err)
	}
	all := b.String()
	for d := xml.NewDecoder(&b); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, all)
		}
	}
	// 50 of 100 is in the middle, and 200 is drawn at the end of the axis.
	for _, want := range []string{`d="M62.0 220.0L336.0 125.0L610.0 30.0"`, "a &lt; b &amp; &#34;c&#34;", "stroke-dasharray"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %s in\n%s", want, all)
		}
	}
	if strings.Contains(all, "NaN") || strings.Contains(all, "Inf") {
		t.Errorf("a value that is not a number in\n%s", all)
	}
}

func TestStep(t *testing.T) {
	check := func(end, want float64) {
		t.Helper()
		if got := step(end); math.Abs(got/want-1) > 1e-9 {
			t.Errorf("step(%g) is %g, want %g", end, got, want)
		}
	}
	check(100, 20)
	check(20, 5)
	check(0.4, 0.1)
	check(256, 50)
}
