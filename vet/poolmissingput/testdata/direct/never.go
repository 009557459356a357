package direct

import "bytes"

// A sheet is written in parts.
type sheet struct {
	rows  bytes.Buffer
	count int
}

func (s *sheet) add(row string) (full bool) {
	s.rows.WriteString(row)
	s.count++
	return s.count >= 64
}

func (s *sheet) sum(row string) ([]byte, bool) {
	s.rows.Reset()
	s.rows.WriteString(row)
	return bytes.Clone(s.rows.Bytes()), s.rows.Len() > 32
}

func newSheet() *sheet { return sheets.Get().(*sheet) }

func putSheet(s *sheet) { sheets.Put(s) }

// badSheet asks the sheet in each iteration, and no answer of it is about a put.
func badSheet(rows []string) (all [][]byte) {
	s := newSheet() // want "s is never put back"
	for i, row := range rows {
		if b, large := s.sum(row); large || i == 0 {
			all = append(all, b)
		}
	}
	return all
}

func goodSheet(rows []string) (all [][]byte) {
	s := newSheet()
	defer putSheet(s)
	for i, row := range rows {
		if b, large := s.sum(row); large || i == 0 {
			all = append(all, b)
		}
	}
	return all
}

// badCounted looks at a count of the sheet.
func badCounted(rows []string) string {
	s := newSheet() // want "s is never put back"
	s.count = 0
	for _, row := range rows {
		if s.add(row) {
			return "full"
		}
	}
	if s.count == 0 {
		return "empty"
	}
	return s.rows.String()
}

// goodCounted hands the sheet on unless it is full, and then leaves it to the collector.
func goodCounted(rows []string) *sheet {
	s := newSheet()
	for _, row := range rows {
		if s.add(row) {
			return nil
		}
	}
	return s
}

// goodBroken puts back only what can be used again.
func goodBroken(rows []string) {
	s := newSheet()
	for _, row := range rows {
		if s.add(row) {
			return
		}
	}
	putSheet(s)
}
