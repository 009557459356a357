// Package maps makes JSON of maps.
package maps

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"reflect"
)

type user struct {
	ID   int    `json:"id"`
	Name string `json:"name,omitempty"`
}

// level is written as text, or as JSON if a pointer leads to it.
type level int

func (l *level) MarshalJSON() ([]byte, error) { return []byte(`"level"`), nil }

// both has both methods: that of JSON comes first, but for who sees only the other one.
type both struct{}

func (both) MarshalJSON() ([]byte, error) { return []byte(`"json"`), nil }
func (both) MarshalText() ([]byte, error) { return []byte("text"), nil }

type texter interface{ MarshalText() ([]byte, error) }

func answer(w io.Writer, u *user, n int) error {
	return json.NewEncoder(w).Encode(map[string]any{"user": u, "count": n, "a<b&c": "x<y", "ok": n > 0, "nothing": nil, "Rate.per/s": 1.5}) // rewritten
}

func write(w io.Writer, v any) error {
	if v == nil {
		return io.EOF
	}
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

func failure(w io.Writer, err error) error {
	answer := map[string]any{ // rewritten
		"text":  fmt.Sprint(err), // of the error
		"error": err,
		"users": []user(nil),
		"all":   []*user{{ID: 1}},
		"bytes": []byte("abc"),
	}
	return write(w, answer)
}

func texts(w io.Writer, b both) error {
	return json.NewEncoder(w).Encode(map[string]texter{"b": b, "a": nil}) // rewritten
}

func hidden(w io.Writer, t texter) error {
	return json.NewEncoder(w).Encode(map[string]any{"t": t}) // rewritten
}

func small(w io.Writer, x int) error {
	return json.NewEncoder(w).Encode(map[string]int{"b": x, "a": 2 * x}) // rewritten
}

func levels(w io.Writer, l level) error {
	return json.NewEncoder(w).Encode(map[string]any{"level": l}) // refused: its method needs its address, which a field may have
}

func sized(w io.Writer, u *user) error {
	answer := map[string]any{"user": u} // refused: its size is asked
	if err := write(w, answer); err != nil {
		return err
	}
	_, err := fmt.Fprint(w, len(answer))
	return err
}

func keyed(w io.Writer, key string) error {
	return write(w, map[string]any{key: 1}) // refused: the key is not constant
}

func added(w io.Writer, name string) error {
	answer := map[string]any{"a": 1} // refused: another key is added
	if name != "" {
		answer[name] = 2
	}
	return write(w, answer)
}

func tagged(w io.Writer) error {
	return write(w, map[string]any{"a,omitempty": 0}) // refused: the key would be an option in a tag
}

func dashed(w io.Writer) error {
	return write(w, map[string]any{"-": 0}) // refused: a field with this tag is left out
}

func same(w io.Writer) error {
	return write(w, map[string]any{"id": 1, "ID": 2}) // refused: two fields would have one name
}

func foreign(w io.Writer) error {
	return write(w, map[string]any{"größe": 1}) // refused: the key may not stand in a tag
}

type own map[string]any

func (own) MarshalJSON() ([]byte, error) { return []byte(`"own"`), nil }

func ours(w io.Writer) error {
	return write(w, own{"a": 1}) // refused: the type says how it is encoded
}

func marked(w io.Writer) error {
	return xml.NewEncoder(w).Encode(map[string]any{"a": 1}) // refused: it is not JSON
}

func kinds(w io.Writer, v any) error {
	if reflect.ValueOf(v).Kind() == reflect.Map {
		return write(w, v)
	}
	return write(w, "no map")
}

func reflected(w io.Writer) error {
	return kinds(w, map[string]any{"a": 1}) // refused: a function asks for its kind
}

func asked(w io.Writer, v any) error {
	if m, ok := v.(map[string]any); ok {
		m["asked"] = true
	}
	return write(w, v)
}

func asks(w io.Writer) error {
	return asked(w, map[string]any{"a": 1}) // refused: a function asks for its type
}

func typed[T any](w io.Writer, x T) error {
	return json.NewEncoder(w).Encode(map[string]T{"x": x}) // refused: what the elements are is not known
}

func kept(w io.Writer) (any, error) {
	answer := map[string]any{"a": 1} // refused: it is returned, too
	return answer, write(w, answer)
}
