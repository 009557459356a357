//go:build go1.21

package parts

import "strings"

func olderDirect(text string) (n int) {
	for _, part := range strings.Split(text, "\t") { // rewritten
		part = strings.TrimSpace(part)
		n = n*10 + len(part)
	}
	return n
}

func olderVariable(text func() string) (out []string) {
	tags := strings.Split(text(), ",") // rewritten

	// Only some are left.
	for _, tag := range tags {
		if tag != "" {
			out = append(out, tag)
		}
	}
	return out
}

func olderPart(text string) (all []*string) {
	for _, part := range strings.Split(text, ",") { // refused: all iterations have the same variable, and it is pointed to
		all = append(all, &part)
	}
	return all
}

func olderClosure(text string) (all []func() string) {
	for _, part := range strings.Split(text, ",") { // refused: all iterations have the same variable, and function literals have it
		all = append(all, func() string { return part })
	}
	return all
}

func olderNumber(text string) (all []func() int) {
	for i, part := range strings.Split(text, ",") { // refused: function literals have the number
		_ = part
		all = append(all, func() int { return i })
	}
	return all
}
