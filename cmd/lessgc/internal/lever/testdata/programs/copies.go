package programs

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
)

// A copiesSubject is larger than a pointer.
type copiesSubject struct {
	name  string
	roles [4]int
}

func (s copiesSubject) Role(i int) int { return s.roles[i&3] }

type copiesRoles interface{ Role(int) int }

// A copiesRule keeps what it was asked last, out of the compiler's sight.
type copiesRule struct {
	want int
	last copiesRoles
	any  any
}

//go:noinline
func (r *copiesRule) match(s copiesRoles) bool {
	r.last = s
	return s.Role(1) == r.want
}

//go:noinline
func (r *copiesRule) set(v any) { r.any = v }

func copiesMatches(rules []*copiesRule, s copiesSubject) (n int) {
	for _, r := range rules {
		if r.match(s) { // want interface-copy
			n++
		}
	}
	return n
}

func copiesSet(rules []*copiesRule, name string) {
	name += "."
	for i, r := range rules {
		if i > 100 {
			continue
		}
		r.set(name) // want interface-copy
	}
}

func copiesNested(rules []*copiesRule, s copiesSubject) (n int) {
	s.roles[0] = 1
	for i := range 3 {
		for _, r := range rules {
			if i > 0 && r.match(s) { // want interface-copy
				n += s.roles[i]
			}
		}
	}
	return n
}

// It changes in the loop.
func copiesChanged(rules []*copiesRule, s copiesSubject) (n int) {
	for _, r := range rules {
		s.roles[1]++
		if r.match(s) { // no interface-copy
			n++
		}
	}
	return n
}

// Something points to it.
func copiesAddressed(rules []*copiesRule, s copiesSubject) (n int) {
	at := &s.roles
	for _, r := range rules {
		at[1]++
		if r.match(s) { // no interface-copy
			n++
		}
	}
	return n
}

// It is another one each time.
func copiesEach(rules []*copiesRule, names []string) {
	for i, r := range rules {
		name := names[i]
		r.set(name) // no interface-copy
	}
}

// The loop ends there.
func copiesFirst(rules []*copiesRule, s copiesSubject) *copiesRule {
	for _, r := range rules {
		if r.want >= 0 {
			r.match(s) // no interface-copy
			return r
		}
	}
	return nil
}

// There is no loop.
func copiesOnce(r *copiesRule, s copiesSubject) bool {
	return r.match(s) // no interface-copy
}

// A function literal changes it.
func copiesCaptured(rules []*copiesRule, s copiesSubject) (n int) {
	next := func() { s.roles[1]++ }
	for _, r := range rules {
		next()
		if r.match(s) { // no interface-copy
			n++
		}
	}
	return n
}

// What formats is another matter.
func copiesPrinted(w io.Writer, rules []*copiesRule, s copiesSubject) {
	for range rules {
		fmt.Fprintln(w, s) // no interface-copy
	}
}

// So is what logs.
func copiesNamed(rules []*copiesRule, s copiesSubject) {
	for range rules {
		copiesLog("rule", s) // no interface-copy
	}
}

//go:noinline
func copiesLog(text string, args ...any) { sink = args }

type copiesMap map[string]any

func copiesJSON(w io.Writer, name string, id int) error {
	return copiesWrite(w, copiesMap{"name": name, "id": id}) // want map-for-json
}

func copiesWrite(w io.Writer, v any) error {
	if v == nil {
		return nil
	}
	return json.NewEncoder(w).Encode(v)
}

func copiesEncode[T any](w io.Writer, v T) error { return json.NewEncoder(w).Encode(v) }

func copiesMarshal(name string, id int, users []user) ([]byte, error) {
	answer := map[string]any{ // want map-for-json
		"name":  name,
		"id":    id,
		"@type": "users",
		"users": users, // want map-for-json
		"more":  nil,
	}
	return json.Marshal(answer) // want map-for-json
}

func copiesNestedJSON(w io.Writer, code int) error {
	return copiesEncode(w, map[string]any{
		"error": map[string]string{"code": string(rune(code)), "text": "no"}, // want map-for-json
	})
}

// It has another key at times.
func copiesMore(name string, more bool) ([]byte, error) {
	answer := map[string]any{"name": name} // no map-for-json
	if more {
		answer["more"] = true
	}
	return json.Marshal(answer)
}

// The keys are not known.
func copiesKeys(key, name string) ([]byte, error) {
	return json.Marshal(map[string]string{key: name}) // no map-for-json
}

// It is kept.
func copiesKept(name string) ([]byte, error) {
	answer := map[string]string{"name": name} // no map-for-json
	sink = answer
	return json.Marshal(answer)
}

// What is done with it besides is not known.
func copiesLogged(w io.Writer, name string) error {
	return copiesBoth(w, map[string]string{"name": name}) // no map-for-json
}

func copiesBoth(w io.Writer, v any) error {
	sink = v
	return json.NewEncoder(w).Encode(v)
}

type copiesXML map[string]string

func (m copiesXML) MarshalXML(e *xml.Encoder, start xml.StartElement) error {
	return e.EncodeElement(m["name"], start)
}

// It is XML.
func copiesToXML(name string) ([]byte, error) {
	return xml.Marshal(copiesXML{"name": name}) // no map-for-json
}

type copiesOwn map[string]string

func (m copiesOwn) MarshalJSON() ([]byte, error) { return []byte(`"` + m["name"] + `"`), nil }

// It has a method of its own.
func copiesOwnJSON(name string) ([]byte, error) {
	return json.Marshal(copiesOwn{"name": name}) // no map-for-json
}

// The type of the argument is spelled out.
func copiesTyped(w io.Writer, name string) error {
	return copiesEncode[map[string]string](w, map[string]string{"name": name}) // no map-for-json
}
