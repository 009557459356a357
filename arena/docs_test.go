package arena

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMemoryModel checks that the tests which docs/memory-model.md names exist,
// and that its numbers are in order.
func TestMemoryModel(t *testing.T) {
	page, err := os.ReadFile("../docs/memory-model.md")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile("`(?:([a-z/]+)\\.)?((?:Test|Fuzz)[A-Za-z]+)`").FindAllStringSubmatch(string(page), -1)
	if len(names) < 20 {
		t.Fatalf("the page names %d tests", len(names))
	}
	for _, name := range names {
		folder := "../arena"
		if name[1] != "" {
			folder = "../" + name[1]
		}
		if !strings.Contains(tests(t, folder), "func "+name[2]+"(") {
			t.Errorf("there is no test %s in %s", name[2], folder)
		}
	}
	for i, line := range regexp.MustCompile(`(?m)^(\d+)\. `).FindAllString(string(page), -1) {
		if want := strings.TrimSpace(line); want != fmt.Sprintf("%d.", i+1) {
			t.Errorf("number %s, want %d.", want, i+1)
		}
	}
}

// tests returns the source of all tests in a folder.
func tests(t *testing.T, folder string) string {
	t.Helper()
	files, err := filepath.Glob(folder + "/*_test.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests in %s: %v", folder, err)
	}
	var all strings.Builder
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(source)
	}
	return all.String()
}
