package plainformat

import "fmt"

// An absent value is an error.
type absent struct{ name, kind string }

func (m *absent) Error() string {
	return fmt.Sprintf("no %s of the name %s", m.kind, m.name) // refused: the text of an error is made rarely
}

func (m *absent) String() string {
	return fmt.Sprintf("no %s of the name %s", m.kind, m.name) // rewritten
}
