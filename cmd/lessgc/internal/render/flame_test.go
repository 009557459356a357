package render

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/flame"
)

// sum gives a node the values of its children, in addition to its own.
func sum(name string, kind flame.Kind, own float64, children ...*flame.Node) *flame.Node {
	n := &flame.Node{Name: name, Kind: kind, Value: own, Children: children}
	for _, c := range children {
		n.Value += c.Value
		n.Before += c.Before
	}
	return n
}

// sampleGraph has names that are all equally harmless or not.
func sampleGraph(title, name string) *flame.Graph {
	parse := sum("example.com/shop/parse."+name, flame.Own, 100,
		sum("strings.(*Builder).Grow", flame.Library, 200),
		sum("runtime.growslice", flame.Runtime, 100))
	serve := sum("net/http.(*conn).serve", flame.Library, 0, parse, sum("example.com/shop.render", flame.Own, 300), sum("(3 more)", flame.Sum, 50))
	return &flame.Graph{Title: title, Unit: flame.Bytes, Note: "Bytes of " + title, Root: sum("all", flame.Sum, 0, serve, sum("main.main", flame.Own, 250))}
}

// sampleDiff has a node that stays, one that comes and one that goes.
func sampleDiff() *flame.Graph {
	stays, comes, goes := sum("main.stays", flame.Own, 100), sum("main.comes", flame.Own, 300), sum("main.goes", flame.Own, 0)
	stays.Before, goes.Before = 100, 400
	return &flame.Graph{Title: "Bytes", Unit: flame.Bytes + "/s", Diff: true, Root: sum("all", flame.Sum, 0, stays, comes, goes)}
}

// TestFlameData checks what the script gets.
func TestFlameData(t *testing.T) {
	check := func(g *flame.Graph, nodes, names string) {
		t.Helper()
		data := flamePart{[]*flame.Graph{g}}.Data()
		got, err := json.Marshal(data.Graphs[0].Nodes)
		if err != nil || string(got) != nodes {
			t.Errorf("%s, %v\nwant %s", got, err, nodes)
		}
		var all []string
		for _, n := range data.Names {
			all = append(all, n.Name)
		}
		if got := strings.Join(all, " "); got != names {
			t.Errorf("the names are %s\nwant %s", got, names)
		}
	}
	check(sampleDiff(), "[0,3,400,500,1,0,100,100,2,0,300,0,3,0,0,400]", "all main.stays main.comes main.goes")
	twice := sum("a", flame.Own, 1, sum("b", flame.Own, 0, sum("a", flame.Own, 1234567)), sum("\u202e</script>", flame.Own, 0.25))
	check(&flame.Graph{Root: twice}, `[0,2,1.23457e+06,1,1,1.23457e+06,0,0,1.23457e+06,2,0,0.25]`, `a b \u202e</script>`)
}

// TestFlameScript checks what a policy with hashes cannot.
func TestFlameScript(t *testing.T) {
	for name, script := range map[string]string{"flame.js": flameScript, "advice_page.js": advicePageScript} {
		for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacent", "eval(", "Function(", "document.write", "</", "fetch(", "import("} {
			if strings.Contains(script, bad) {
				t.Errorf("%s has %s", name, bad)
			}
		}
	}
	if p := policy("alert(1)"); p != "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='" {
		t.Error(p)
	}
	if !slices.Contains(strings.Fields(newAdvicePage(sampleAdvice(""), AdvicePage{}).Policy()), policy(flameScript)) {
		t.Error("the policy does not name the script")
	}
}
