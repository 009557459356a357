package render

import (
	"encoding/json"
	"io"
	"slices"

	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/cmd/lessgc/internal/visible"
)

// A badge is what shields.io reads of an endpoint (https://shields.io/badges/endpoint-badge).
type badge struct {
	Version int    `json:"schemaVersion"`
	Label   string `json:"label"`
	Message string `json:"message"`
	Color   string `json:"color"`
}

// Bounds of what fits on a badge.
const (
	badgeName    = 40 // characters
	badgeAnswers = 3
)

// Badge writes the answer in a few words, for an endpoint badge of shields.io.
func Badge(w io.Writer, r *verdict.Report) error {
	r = visible.All(r, badgeName)
	cpu := slices.IndexFunc(r.Metrics, func(m verdict.Metric) bool { return m.Name == "cpu" })
	b := badge{1, "lessgc", "not measured", "lightgrey"}
	var words []string
	for i, a := range r.Answers {
		cell := r.Cells[a.Cell]
		text := a.Short
		if x := r.Overall(a.Cell, cpu); x != nil {
			text += ", CPU time " + verdict.Percent(x.Ratio)
		}
		color := badgeColor(a.Short)
		if i == 0 {
			b.Color = color
		} else if b.Color != color {
			b.Color = "blue" // not the same answer for all
		}
		name := cell.Name
		if cell.Group != "" {
			name += " against " + cell.Group
		}
		if len(r.Answers) == 1 {
			b.Label, b.Message = visible.Short(name, badgeName), text
			break
		}
		words = append(words, visible.Short(name, badgeName)+": "+a.Short)
	}
	if len(words) > 0 {
		b.Message = verdict.FirstOf(badgeAnswers, words)
	}
	data, err := json.Marshal(b)
	if err != nil {
		return err
	}
	_, err = w.Write(append(visible.JSON(data), '\n'))
	return err
}

// badgeColor is a colour that shields.io knows.
func badgeColor(short string) string {
	switch short {
	case "yes":
		return "brightgreen"
	case "mostly", "for some":
		return "green"
	case "no difference":
		return "blue"
	case "it depends", "it depends on the machine":
		return "yellow"
	case "rather not", "mostly not":
		return "orange"
	case "no":
		return "red"
	}
	return "lightgrey"
}
