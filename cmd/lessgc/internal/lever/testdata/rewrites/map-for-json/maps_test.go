package maps

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

func TestMaps(t *testing.T) {
	check := func(want string, f func(io.Writer) error) {
		t.Helper()
		var w strings.Builder
		if err := f(&w); err != nil {
			w.WriteString(err.Error())
		}
		if got := strings.ReplaceAll(w.String(), "\n", ""); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
	l := level(3)
	check(`{"Rate.per/s":1.5,"a\u003cb\u0026c":"x\u003cy","count":2,"nothing":null,"ok":true,"user":{"id":7}}`, func(w io.Writer) error { return answer(w, &user{ID: 7}, 2) })
	check(`{"Rate.per/s":1.5,"a\u003cb\u0026c":"x\u003cy","count":0,"nothing":null,"ok":false,"user":null}`, func(w io.Writer) error { return answer(w, nil, 0) })
	check(`{ "all": [  {   "id": 1  } ], "bytes": "YWJj", "error": {}, "text": "no", "users": null}`, func(w io.Writer) error { return failure(w, errors.New("no")) })
	check(`{ "all": [  {   "id": 1  } ], "bytes": "YWJj", "error": null, "text": "\u003cnil\u003e", "users": null}`, func(w io.Writer) error { return failure(w, nil) })
	want, err := json.Marshal(map[string]texter{"b": both{}, "a": nil}) // Go 1.26 and 1.27 do not agree
	if err != nil {
		t.Fatal(err)
	}
	check(string(want), func(w io.Writer) error { return texts(w, both{}) })
	check(`{"t":"json"}`, func(w io.Writer) error { return hidden(w, both{}) })
	check(`{"a":2,"b":1}`, func(w io.Writer) error { return small(w, 1) })
	check(`{"level":3}`, func(w io.Writer) error { return levels(w, l) })
	check(`{ "user": null}1`, func(w io.Writer) error { return sized(w, nil) })
	check(`{ "k": 1}`, func(w io.Writer) error { return keyed(w, "k") })
	check(`{ "a": 1, "b": 2}`, func(w io.Writer) error { return added(w, "b") })
	check(`{ "a,omitempty": 0}`, tagged)
	check(`{ "-": 0}`, dashed)
	check(`{ "ID": 2, "id": 1}`, same)
	check(`{ "größe": 1}`, foreign)
	check(`"own"`, ours)
	check(`xml: unsupported type: map[string]interface {}`, marked)
	check(`{ "a": 1}`, reflected)
	check(`{ "a": 1, "asked": true}`, asks)
	check(`{"x":1}`, func(w io.Writer) error { return typed(w, 1) })
	if err := typed(io.Discard, math.NaN()); err == nil {
		t.Error("no error")
	}
	if v, err := kept(io.Discard); err != nil || v.(map[string]any)["a"] != 1 {
		t.Error(v, err)
	}
}
