package lever

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestFiles checks that the file of a lever bears its name.
func TestFiles(t *testing.T) {
	for _, r := range All {
		name := strings.ReplaceAll(r.Name, "-", "") + ".go"
		source, err := os.ReadFile(name)
		if err != nil {
			t.Errorf("%s: %v", r.Name, err)
			continue
		}
		got := regexp.MustCompile(`(?m)^\tName: +"([a-z-]+)",$`).FindAllStringSubmatch(string(source), -1)
		if len(got) != 1 || got[0][1] != r.Name {
			t.Errorf("%s has the levers %q, want %s", name, got, r.Name)
		}
	}
}
