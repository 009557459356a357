// Package none has a file without imports.
package none // it is one of two

func (s *server) badNone(b []byte) []byte {
	_ = s.p.Audit()                       // want `Audit`
	s.a.String(s.a.Sprintf("%d", len(b))) // want `Sprintf`
	return s.a.Bytes(b, b)                // want `Bytes`
}
