package mode

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var secretModes = []Mode{
	{Name: "a", RunEnv: []string{"API_TOKEN=abc", "FOO=1"}, BuildEnv: []string{"GOPROXY=https://u:pw@proxy,direct"}},
	{Name: "b", RunEnv: []string{"API_TOKEN=abc"}, GOGC: "50"},
}

// TestHideRestore checks that secrets are gone, and come back from the environment.
func TestHideRestore(t *testing.T) {
	before := Hide(nil)
	if len(before) != 0 {
		t.Errorf("%v", before)
	}
	hidden := Hide(secretModes)
	want := []Mode{
		{Name: "a", RunEnv: []string{"API_TOKEN=xxxxx", "FOO=1"}, BuildEnv: []string{"GOPROXY=xxxxx"}},
		{Name: "b", RunEnv: []string{"API_TOKEN=xxxxx"}, GOGC: "50"},
	}
	if diff := cmp.Diff(want, hidden); diff != "" {
		t.Errorf("hidden: (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(want, Hide(hidden)); diff != "" {
		t.Errorf("hidden twice: (-want +got)\n%s", diff)
	}
	if got := Secrets(secretModes); !cmp.Equal(got, []string{"https://u:pw@proxy,direct", "abc", "abc"}) {
		t.Errorf("%q", got)
	}
	environ := map[string]string{"API_TOKEN": "abc", "GOPROXY": "https://u:pw@proxy,direct"}
	lookup := func(name string) (string, bool) { v, ok := environ[name]; return v, ok }
	got, err := Restore(hidden, lookup)
	if diff := cmp.Diff(secretModes, got); err != nil || diff != "" {
		t.Errorf("restored: %v (-want +got)\n%s", err, diff)
	}
	delete(environ, "API_TOKEN")
	if _, err := Restore(hidden, lookup); err == nil || !strings.Contains(err.Error(), "set API_TOKEN in the environment to what it was") {
		t.Error(err)
	}
	environ["API_TOKEN"] = "abc"
	different := Hide([]Mode{{Name: "a", RunEnv: []string{"API_TOKEN=abc"}}, {Name: "b", RunEnv: []string{"API_TOKEN=def"}}})
	if different[0].RunEnv[0] == different[1].RunEnv[0] {
		t.Errorf("modes with different tokens look the same: %v", different)
	}
	if _, err := Restore(different, lookup); err == nil || !strings.Contains(err.Error(), "to different values") {
		t.Error(err)
	}
}

func TestHideArgs(t *testing.T) {
	check := func(want string, args ...string) {
		t.Helper()
		if got := strings.Join(HideArgs(args), "|"); got != want {
			t.Errorf("HideArgs(%q) = %s, want %s", args, got, want)
		}
	}
	check("compare|-mode|gogc=50,100|./...", "compare", "-mode", "gogc=50,100", "./...")
	check("compare|-mode|x: GOGC=50 FOO='a b'", "compare", "-mode", "x: GOGC=50 FOO='a b'")
	check("compare|-mode|x: GOGC=50 API_TOKEN=xxxxx", "compare", "-mode", "x: GOGC=50 API_TOKEN='a b'")
	check("compare|--mode=x: API_TOKEN=xxxxx FOO='a b'", "compare", "--mode=x: 'API_TOKEN=a b' FOO='a b'")
	check("compare|-mode|x: xxxxx", "compare", "-mode", "x: API_TOKEN='abc")
	check("compare|-bench|Get/key=5", "compare", "-bench", "Get/key=5")
	check("compare|-exec|./x -db postgres://xxxxx@h", "compare", "-exec", "./x -db postgres://u:p@h")
	check("advise|-parca=https://xxxxx@h?xxxxx|-query|{job=\"a\"}", "advise", "-parca=https://tok@h?token=abc", "-query", `{job="a"}`)
	check("advise|-parca|http://xxxxx", "advise", "-parca", "http://u:p%zz@h")
	check("diff|http://xxxxx@h/x|HTTPS://xxxxx", "diff", "http://u:p@h/x", "HTTPS://u:p%zz@h")
}
