package cut

import "strings"

// Parts that are copied to a variable, whose name the result of strings.Cut gets where that is right.

func fraction(value string) int {
	parts := strings.SplitN(value, ".", 2) // rewritten
	whole := len(parts[0])
	if len(parts) == 1 {
		return whole
	}
	fraction := parts[1]
	for strings.HasSuffix(fraction, "0") {
		fraction = fraction[:len(fraction)-1]
	}
	return whole*10 + len(fraction)
}

func inBranch(field string) string {
	kv := strings.SplitN(field, "=", 2) // rewritten
	if len(kv) == 2 {
		key, value := kv[0], kv[1]
		return value + "=" + key
	}
	return ""
}

func ofIf(field string) string {
	if kv := strings.SplitN(field, "=", 2); len(kv) == 2 { // rewritten
		key := kv[0]
		value := kv[1]
		return value + "=" + key
	}
	return ""
}

func begins(field string) string {
	kv := strings.SplitN(field, "=", 2) // rewritten
	if len(kv) == 2 {
		if value := kv[1]; value != "" {
			return value
		}
	}
	return "none"
}

func usedBefore(lines []string) (n int) {
	for _, line := range lines {
		kv := strings.SplitN(line, ":", 2) // rewritten
		if len(kv) != 2 || kv[1] == "" {
			continue
		}
		text := kv[1]
		n += len(text)
	}
	return n
}

func answered(field string) (string, bool) {
	kv := strings.SplitN(field, "=", 2) // rewritten
	ok := len(kv) == 2
	if len(kv) != 2 {
		return "", ok
	}
	return kv[1], ok
}

func reused(field string) (string, bool) {
	name := "none"
	if field == "" {
		return name, false
	}
	kv := strings.SplitN(field, "=", 2) // rewritten
	name = kv[0]
	return name, len(kv) == 2
}

func reusedAlone(field string) (name string) {
	if field != "" {
		parts := strings.SplitN(field, "=", 2) // rewritten
		name = parts[0]
	}
	return name
}

func twoTexts(a, b string) string {
	if strings.Split(a, "=")[0] == "none" { // rewritten
		return "none"
	}
	return strings.ToUpper(strings.Split(b, "=")[0]) // rewritten
}

// Those that keep the copy.

func changedAfter(field string) (string, string) {
	kv := strings.SplitN(field, "=", 2) // rewritten
	key := kv[0]
	key += "!"
	return key, kv[0]
}

func hides(field string) string {
	value := "none"
	kv := strings.SplitN(field, "=", 2) // rewritten
	if len(kv) == 2 {
		value := kv[1]
		print(value[:0])
	}
	return value
}

func packages(field string) string {
	kv := strings.SplitN(field, "=", 2) // rewritten
	if len(kv) == 2 {
		strings := kv[1]
		return strings
	}
	return strings.ToUpper(kv[0])
}

func ofLater(field string) string {
	kv := strings.SplitN(field, "=", 2) // rewritten
	if len(kv) == 1 {
		name := kv[0]
		return name
	}
	for _, name := range []string{"a", "b"} {
		if name == kv[1] {
			return "known"
		}
	}
	return "other"
}

func inLoop(field string, n int) (out string) {
	kv := strings.SplitN(field, "=", 2) // rewritten
	for range n {
		key := kv[0]
		key += "."
		out += key
	}
	return out
}

func inLiteral(field string) string {
	kv := strings.SplitN(field, "=", 2) // rewritten
	dotted := func() string {
		key := kv[0]
		key += "."
		return key
	}
	return dotted() + dotted()
}

func pointed(field string) (*string, *string) {
	var all [2]*string
	kv := strings.SplitN(field, "=", 2) // rewritten
	for i := range all {
		key := kv[0]
		all[i] = &key
	}
	return all[0], all[1]
}

func noticed(field string) string {
	kv := strings.SplitN(field, "=", 2) // rewritten
	// The key is case sensitive.
	key := kv[0]
	return key
}

func assignedLater(field string) (string, string) {
	value := "none"
	kv := strings.SplitN(field, "=", 2) // rewritten
	if len(kv) == 2 {
		value = kv[1]
	}
	return kv[0], value
}

func outside(field string) (name string) {
	if field != "" {
		kv := strings.SplitN(field, "=", 2) // rewritten
		name = kv[0]
		if len(kv) == 2 {
			return name + kv[1]
		}
	}
	return name
}
