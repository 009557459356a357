// Package fastjson stands for the package of this name: it has the functions that the
// cases use.
package fastjson

import (
	"strconv"
	"sync"
)

// A Value is one JSON value.
type Value struct {
	text    string
	members []member
}

type member struct {
	key   string
	value *Value
}

// Set adds a member to an object.
func (v *Value) Set(key string, value *Value) { v.members = append(v.members, member{key, value}) }

// MarshalTo appends the encoding of v to dst.
func (v *Value) MarshalTo(dst []byte) []byte {
	if v.members == nil {
		return strconv.AppendQuote(dst, v.text)
	}
	dst = append(dst, '{')
	for i, m := range v.members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(strconv.AppendQuote(dst, m.key), ':')
		dst = m.value.MarshalTo(dst)
	}
	return append(dst, '}')
}

// An Arena makes values that are valid until Reset.
type Arena struct{ values []*Value }

// Reset takes all values back.
func (a *Arena) Reset() {
	for _, v := range a.values {
		*v = Value{}
	}
}

// NewObject returns an empty object.
func (a *Arena) NewObject() *Value { return a.next("") }

// NewString returns a string.
func (a *Arena) NewString(s string) *Value { return a.next(s) }

// NewNumberInt returns a number.
func (a *Arena) NewNumberInt(n int) *Value { return a.next(strconv.Itoa(n)) }

func (a *Arena) next(text string) *Value {
	v := &Value{text: text}
	a.values = append(a.values, v)
	return v
}

// An ArenaPool holds arenas.
type ArenaPool struct{ pool sync.Pool }

// Get returns an arena, which Put gives back.
func (p *ArenaPool) Get() *Arena {
	if a, ok := p.pool.Get().(*Arena); ok {
		return a
	}
	return new(Arena)
}

// Put gives an arena back, and ends the life of its values.
func (p *ArenaPool) Put(a *Arena) {
	a.Reset()
	p.pool.Put(a)
}
