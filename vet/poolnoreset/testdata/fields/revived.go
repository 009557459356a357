package fields

import (
	"slices"
	"sync"
)

// A list is cut to nothing, and later made longer in its own memory: its elements come back with what was
// appended to them.
type entry struct {
	id   int
	tags []string
}

type message struct {
	id      int
	entries []entry
}

var messages = sync.Pool{New: func() any { return new(message) }}

func badNewMessage() *message { return messages.Get().(*message) } // want `entries of the \*message of messages: the tags of its elements`

func (m *message) reset() { m.id, m.entries = 0, m.entries[:0] }

func (m *message) add() *entry {
	if len(m.entries) < cap(m.entries) {
		m.entries = m.entries[:len(m.entries)+1]
	} else {
		m.entries = append(m.entries, entry{})
	}
	return &m.entries[len(m.entries)-1]
}

func useMessage(ids []int, tags []string) int {
	m := badNewMessage()
	defer messages.Put(m)
	defer m.reset()
	for _, id := range ids {
		e := m.add()
		e.id = id
		e.tags = append(e.tags, tags...)
	}
	return len(m.entries)
}

// With room made first, and the element by its index.
type row struct{ cells []string }

type table struct{ rows []row }

var tables = sync.Pool{New: func() any { return new(table) }}

func badTable(lines [][]string, f func(*table)) {
	t := tables.Get().(*table) // want `rows of the \*table of tables: the cells of its elements`
	t.rows = t.rows[:0]
	for i, line := range lines {
		n := len(t.rows)
		t.rows = slices.Grow(t.rows, 1)[:n+1]
		for _, cell := range line {
			t.rows[i].cells = append(t.rows[i].cells, cell)
		}
	}
	f(t)
	tables.Put(t)
}

// The elements are cleared.
type clearedMessage struct{ entries []entry }

var clearedMessages = sync.Pool{New: func() any { return new(clearedMessage) }}

func (m *clearedMessage) reset() {
	clear(m.entries)
	m.entries = m.entries[:0]
}

func (m *clearedMessage) add() *entry {
	if len(m.entries) < cap(m.entries) {
		m.entries = m.entries[:len(m.entries)+1]
	} else {
		m.entries = append(m.entries, entry{})
	}
	return &m.entries[len(m.entries)-1]
}

func goodClearedMessage(ids []int, tags []string) int {
	m := clearedMessages.Get().(*clearedMessage)
	defer clearedMessages.Put(m)
	defer m.reset()
	for _, id := range ids {
		e := m.add()
		e.id = id
		e.tags = append(e.tags, tags...)
	}
	return len(m.entries)
}

// An element is replaced when it comes back.
type zeroedMessage struct{ entries []entry }

var zeroedMessages = sync.Pool{New: func() any { return new(zeroedMessage) }}

func goodZeroedMessage(ids []int, tags []string) int {
	m := zeroedMessages.Get().(*zeroedMessage)
	defer zeroedMessages.Put(m)
	m.entries = m.entries[:0]
	for i := range ids {
		if len(m.entries) < cap(m.entries) {
			m.entries = m.entries[:len(m.entries)+1]
			m.entries[i] = entry{}
		} else {
			m.entries = append(m.entries, entry{})
		}
		m.entries[i].tags = append(m.entries[i].tags, tags...)
	}
	return len(m.entries)
}

// What is appended to is cut off first.
type line struct{ words []string }

type text struct{ lines []line }

var texts = sync.Pool{New: func() any { return new(text) }}

func goodText(lines [][]string, f func(*text)) {
	t := texts.Get().(*text)
	t.lines = t.lines[:0]
	for i, words := range lines {
		if len(t.lines) < cap(t.lines) {
			t.lines = t.lines[:len(t.lines)+1]
			t.lines[i].words = t.lines[i].words[:0]
		} else {
			t.lines = append(t.lines, line{})
		}
		t.lines[i].words = append(t.lines[i].words, words...)
	}
	f(t)
	texts.Put(t)
}

// The list only grows by append, which replaces the elements.
type appended struct{ rows []row2 }

type row2 struct{ cells []string }

var appends = sync.Pool{New: func() any { return new(appended) }}

func goodAppended(lines [][]string, f func(*appended)) {
	t := appends.Get().(*appended)
	t.rows = t.rows[:0]
	for i, line := range lines {
		t.rows = append(t.rows, row2{})
		t.rows[i].cells = append(t.rows[i].cells, line...)
	}
	f(t)
	appends.Put(t)
}
