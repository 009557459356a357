package lever

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestCutText checks what functions read like that cut a text in two: a part that is only copied has the name of the copy.
func TestCutText(t *testing.T) {
	const folder = "./testdata/rewrites/cut"
	program, err := Load(t.Context(), ".", []string{folder}, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`func fraction(value string) int {
	before, fraction, found := strings.Cut(value, ".") // rewritten
	whole := len(before)
	if !found {
		return whole
	}
	for strings.HasSuffix(fraction, "0") {`, `func inBranch(field string) string {
	key, value, found := strings.Cut(field, "=") // rewritten
	if found {
		return value + "=" + key
	}`, `func ofIf(field string) string {
	if key, value, found := strings.Cut(field, "="); found { // rewritten
		return value + "=" + key
	}`, `func begins(field string) string {
	_, value, found := strings.Cut(field, "=") // rewritten
	if found {
		if value != "" {
			return value`, `func usedBefore(lines []string) (n int) {
	for _, line := range lines {
		_, text, found := strings.Cut(line, ":") // rewritten
		if !found || text == "" {
			continue
		}
		n += len(text)`, `func answered(field string) (string, bool) {
	_, after, ok := strings.Cut(field, "=") // rewritten
	if !ok {
		return "", ok
	}
	return after, ok
}`, `func reused(field string) (string, bool) {
	name := "none"
	if field == "" {
		return name, false
	}
	name, _, found := strings.Cut(field, "=") // rewritten
	return name, found
}`, `func reusedAlone(field string) (name string) {
	if field != "" {
		name, _, _ = strings.Cut(field, "=") // rewritten
	}
	return name
}`, `func changedAfter(field string) (string, string) {
	before, _, _ := strings.Cut(field, "=") // rewritten
	key := before
	key += "!"
	return key, before
}`, `func hides(field string) string {
	value := "none"
	_, after, found := strings.Cut(field, "=") // rewritten
	if found {
		value := after
		print(value[:0])`, `func packages(field string) string {
	before, after, found := strings.Cut(field, "=") // rewritten
	if found {
		strings := after
		return strings`, `func ofLater(field string) string {
	before, after, found := strings.Cut(field, "=") // rewritten
	if !found {
		name := before
		return name`, `func inLoop(field string, n int) (out string) {
	before, _, _ := strings.Cut(field, "=") // rewritten
	for range n {
		key := before`, `func inLiteral(field string) string {
	before, _, _ := strings.Cut(field, "=") // rewritten
	dotted := func() string {
		key := before`, `	before, _, _ := strings.Cut(field, "=") // rewritten
	for i := range all {
		key := before
		all[i] = &key`, `func noticed(field string) string {
	before, _, _ := strings.Cut(field, "=") // rewritten
	// The key is case sensitive.
	key := before
	return key`, `func assignedLater(field string) (string, string) {
	value := "none"
	before, after, found := strings.Cut(field, "=") // rewritten
	if found {
		value = after
	}
	return before, value`, `func outside(field string) (name string) {
	if field != "" {
		before, after, found := strings.Cut(field, "=") // rewritten
		name = before
		if found {
			return name + after`} {
		begins, _, _ := strings.Cut(want, "(")
		if !strings.HasPrefix(want, "func") {
			begins = "func pointed"
		}
		if got := edited(t, program, filepath.Join(folder, "named.go"), begins+"(", "// rewritten", cutText); !strings.Contains(got, want) {
			t.Errorf("there is no\n%s\nin\n%s", want, got[strings.Index(got, begins):][:600])
		}
	}
}
