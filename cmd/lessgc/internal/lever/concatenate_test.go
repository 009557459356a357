package lever

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestConcatenateText checks what functions read like with a sum in the place of a buffer, and that nothing else is offered of a buffer then.
func TestConcatenateText(t *testing.T) {
	const folder = "./testdata/rewrites/concatenate"
	program, err := Load(t.Context(), ".", []string{folder}, false)
	if err != nil {
		t.Fatal(err)
	}
	program.Sites, program.Ops = sitesIn(t, folder), observedOps
	file := filepath.Join(folder, "parts.go")
	for name, want := range map[string]string{
		"denormalized": `	for _, stored := range all {
		var bufferText string
		if named {
			// rewritten
			bufferText = "(?P<" + alias + ">" + stored.expression + ")"
		} else {
			bufferText = "(" + stored.expression + ")"
		}
		for k, v := range stored.kinds {
			if _, ok := kinds[k]; !ok {
				kinds[k] = v
			}
		}
		text = strings.Replace(text, "%{a}", bufferText, -1)
`,
		"returned": ` {
	// rewritten
	return host + ":" + strconv.Itoa(port) + "→a path that is long"
}`,
		"assigned": ` {
	// rewritten
	s := "[" + name + "/" + name + "]"
	return len(s)
}`,
		"later": ` {
	// rewritten
	text := "<" + name + ">"
	n++
	return fmt.Sprint(text, n, len(text))
}`,
		"byKind": ` {
	var text string
	switch v := v.(type) {
	case nil:
	case string:
		// rewritten
		text = ` + "`\"` + v + `\"`" + `
	case []string:
		if len(v) > 0 {
			text = "first: " + v[0]
		}
	default:
		text = "?"
	}
	return text
}`,
		"readBefore": ` {
	var text string
	before := text
	// rewritten
	text = "<" + name
	return before + text
}`,
		"beside": ` {
	// rewritten
	bText := "<" + name
	var c strings.Builder
`,
	} {
		if got := edited(t, program, file, "func "+name+"(", ".Write", concatenate); !strings.Contains(got, want) {
			_, body, _ := strings.Cut(got, "func "+name+"(")
			t.Errorf("%s has no\n%s\nbut\n%s", name, want, body[:min(len(body), 800)])
		}
	}
	offered := map[string]bool{}
	for _, s := range program.Sites {
		p := program.lineOf(s)
		if p == nil {
			continue
		}
		name := s.Func[strings.LastIndexByte(s.Func, '.')+1:]
		for _, r := range []*Lever{typedPool, inPlace, reuseVariable, stackBuffer, stringBuilder, estimateSize} {
			offered[name] = offered[name] || len(r.find(p).Edits) > 0
		}
	}
	for name, want := range map[string]bool{"denormalized": false, "returned": false, "later": false, "optional": true, "between": true} {
		if got, known := offered[name]; got != want || !known {
			t.Errorf("%s: another change is offered: %t", name, got)
		}
	}
}
