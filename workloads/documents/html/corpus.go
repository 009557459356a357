package html

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	"golang.org/x/net/html"
)

// Testdata returns the folder html/testdata of golang.org/x/net, as it lies in
// the module cache or the vendor folder: go1.html, a page of 78 kB, and the
// trees of html5lib-tests. The error says what to do if it is not there.
func Testdata() (string, error) {
	dir := sourceDir()
	if !filepath.IsAbs(dir) { // built with -trimpath
		out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/net").Output()
		if err != nil {
			return "", fmt.Errorf("go list cannot find golang.org/x/net, run this in the module lessgc/workloads: %w", err)
		}
		dir = filepath.Join(strings.TrimSpace(string(out)), "html")
	}
	dir = filepath.Join(dir, "testdata")
	if _, err := os.Stat(filepath.Join(dir, "go1.html")); err != nil {
		return "", fmt.Errorf("the inputs are not there, run go mod download golang.org/x/net: %w", err)
	}
	return dir, nil
}

// sourceDir returns the folder that html was compiled from. Asking the go
// command would cost more CPU time than a short benchmark.
func sourceDir() string {
	file, _ := runtime.FuncForPC(reflect.ValueOf(html.EscapeString).Pointer()).FileLine(0)
	return filepath.Dir(file)
}
