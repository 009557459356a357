// Package parts splits texts, and joins their parts again.
package parts

import "strings"

func parent(name string) string {
	labels := strings.Split(name, ".")
	return strings.Join(labels[1:], ".") // rewritten
}

func folder(path string) (string, int) {
	// The last part is the file.
	parts := strings.Split(path, "/")
	return strings.Join(parts[:len(parts)-1], "/"), len(parts) // rewritten
}

func module(id string) (name string) {
	if parts := strings.Split(id, "::"); len(parts) > 2 {
		name = strings.Join(parts[0:len(parts)-1], "::") // refused: a separator of two equal bytes may overlap itself
	}
	return name
}

func scope(id string) string {
	parts := strings.Split(id, "->")
	dir := strings.Join(parts[:(len(parts)-1)], "->") // rewritten
	return dir
}

func rest(line string) string {
	return strings.Join(strings.SplitN(line, " ", 3)[1:], " ") // rewritten
}

func hosts(names []string) (all []string) {
	for _, name := range names {
		labels := strings.Split(name, ".")
		if len(labels) > 2 && strings.Join(labels[1:], ".") != "example.com" { // rewritten
			all = append(all, labels[0])
		}
	}
	return all
}

func whole(name string) string {
	labels := strings.Split(name, ".")
	return strings.Join(labels, ".") // rewritten
}

func both(name string) (string, string, string) {
	parts := strings.Split(name, "-")
	a := strings.Join(parts[1:], "-")            // rewritten
	b := strings.Join(parts[:len(parts)-1], "-") // rewritten
	return a, b, parts[0]
}

func neither(name string) (string, string) {
	parts := strings.Split(name, "-")
	a := strings.Join(parts[1:], "-")            // refused: nothing would use the parts if the other one is replaced, too
	b := strings.Join(parts[:len(parts)-1], "-") // refused: nothing would use the parts if the other one is replaced, too
	return a, b
}

func once(line string) string {
	return strings.Join(strings.SplitN(line, " ", 1)[1:], " ") // refused: there is one part
}

func lastOf(line string) string {
	parts := strings.SplitN(line, " ", 3)
	return strings.Join(parts[:len(parts)-1], " ") // refused: the last part has separators in it
}

func second(name string) (text string, err any) {
	defer func() { err = recover() }()
	labels := strings.Split(name, ".")
	return strings.Join(labels[2:], "."), nil // refused: it panics if there are none
}

func other(name string) string {
	labels := strings.Split(name, ".")
	return strings.Join(labels[1:], "/") // refused: by another separator
}

func letters(word string) string {
	all := strings.Split(word, "")
	return strings.Join(all[1:], "") // refused: the separator is empty
}

func set(name string) string {
	labels := strings.Split(name, ".")
	name = "a.b"
	return strings.Join(labels[1:], ".") + name // refused: the text is set in between
}

func lowered(name string) string {
	labels := strings.Split(name, ".")
	labels[1] = strings.ToLower(labels[1])
	return strings.Join(labels[1:], ".") // refused: a part is set
}

func shorter(name string) string {
	labels := strings.Split(name, ".")
	for len(labels) > 2 {
		labels = labels[1:]
	}
	return strings.Join(labels[1:], ".") // refused: it is not all parts
}

func shadowed(name string) string {
	labels := strings.Split(name, ".")
	if name := "a.b"; len(labels) > 1 {
		return strings.Join(labels[1:], ".") + name // refused: another text has the name
	}
	return name
}

func later(names []string) (all []func() string) {
	var name string
	for _, name = range names {
		labels := strings.Split(name, ".")
		all = append(all, func() string { return strings.Join(labels[1:], ".") }) // refused: the text is another one by then
	}
	return all
}

func commented(name string) string {
	labels := strings.Split(name, ".")   // the labels of a domain
	return strings.Join(labels[1:], ".") // refused: a comment would go
}

type url struct{ path string }

func (u *url) base() string {
	parts := strings.Split(u.path, "/")
	u.reset()
	return strings.Join(parts[1:], "/") // refused: the field is set in between
}

func (u *url) reset() { u.path = "" }

func builtin(path string) string {
	max := func(a, b int) int { return a + b }
	parts := strings.Split(path, "/")
	_ = max(1, 2)
	return strings.Join(parts[:len(parts)-1], "/") // refused: max is a variable
}

func elseIf(name string) string {
	labels := strings.Split(name, ".")
	if len(labels) < 2 {
		return ""
	} else if strings.Join(labels[1:], ".") == "com" { // refused: there is no statement before it
		return labels[0]
	}
	return name
}

func kind(name, of string) int {
	labels := strings.Split(name, ".")
	switch of {
	case labels[0]:
		return 1
	case strings.Join(labels[1:], "."): // refused: there is no statement before it
	default:
		return 3
	}
	return 2
}

func ended(name string) (n int) {
	labels := strings.Split(name, ".")
	for strings.Join(labels[1:], ".") != "" && n < len(labels) { // rewritten
		n++
	}
	return n
}

func none(name string, n int) string {
	parts := strings.SplitN(name, ".", n)
	return strings.Join(parts, ".") // refused: there are no parts if n is 0
}

func three(name string) string {
	parts := strings.SplitN(name, ".", 3)
	return strings.Join(parts, ".") // rewritten
}

func commercial(name string) bool {
	if name := strings.TrimPrefix(name, "www."); strings.Join(strings.Split(name, ".")[1:], ".") == "com" { // refused: the text is declared in the statement
		return true
	}
	return false
}

func inParentheses(name string) string {
	labels := strings.Split(name, ".")
	(labels[1]) = strings.ToLower(labels[1])
	return strings.Join(labels[1:], ".") // refused: a part is set, in parentheses
}
