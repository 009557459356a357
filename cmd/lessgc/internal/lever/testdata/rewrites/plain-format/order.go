package plainformat

import "fmt"

func capturedField() string {
	var s struct{ n int }
	next := func() string { s.n++; return "x" }
	return fmt.Sprintf("%d %s", s.n, next()) // refused: the call sets a field before it is read
}

func lengthOfMap(m map[string]int, add func(map[string]int) string) string {
	return fmt.Sprintf("%d %s", len(m), add(m)) // refused: the call adds an entry
}

func converted(c *counter) string {
	return fmt.Sprintf("%d %s", int64(c.n), c.next()) // refused: what is converted is read after the call
}

func lengthOfField(c *items) string {
	return fmt.Sprintf("%d %s", len(c.items), c.add()) // refused: so does this call
}

type items struct{ items []string }

func (l *items) add() string { l.items = append(l.items, "x"); return "x" }

func jumped(b *items, skip bool) (text string) {
	if skip {
		goto done
	}
	text = fmt.Sprintf("%d", len(b.items))
done:
	return text
}
