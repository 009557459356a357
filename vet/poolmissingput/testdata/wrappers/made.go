package wrappers

import (
	"errors"
	"sync"
)

var errNoMore = errors.New("closed")

type session struct{ names map[string]string }

// A sessions has a pool for each key, and makes a session by a function that it was given.
type sessions struct {
	mu     sync.Mutex
	idle   map[string]*sync.Pool
	closed bool
	open   func(key string) (*session, error)
	cached func(key string) *session
}

func (p *sessions) of(key string) (*sync.Pool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errNoMore
	}
	if p.idle[key] == nil {
		p.idle[key] = new(sync.Pool)
	}
	return p.idle[key], nil
}

func (p *sessions) Borrow(key string) (*session, error) {
	idle, err := p.of(key)
	if err != nil {
		return nil, err
	}
	if s, ok := idle.Get().(*session); ok {
		return s, nil
	}
	return p.open(key)
}

func (p *sessions) Return(key string, s *session) {
	if idle, err := p.of(key); err == nil {
		idle.Put(s)
	}
}

func badOpened(p *sessions, key string) (string, error) {
	s, err := p.Borrow(key) // want "s is not put back on the path to line 57"
	if err != nil {
		return "", err
	}
	name, ok := s.names[key]
	if !ok {
		return "", errEarly
	}
	p.Return(key, s)
	return name, nil
}

func goodOpened(p *sessions, key string) (string, error) {
	s, err := p.Borrow(key)
	if err != nil {
		return "", err
	}
	name, ok := s.names[key]
	p.Return(key, s)
	if !ok {
		return "", errEarly
	}
	return name, nil
}

// A maker makes what pools lack.
type maker interface{ NewSession() *session }

type makerPool struct {
	pool sync.Pool
	by   maker
}

func (p *makerPool) get() *session {
	if v := p.pool.Get(); v != nil {
		return v.(*session)
	}
	return p.by.NewSession()
}

func (p *makerPool) badGet(keys []string) (n int) {
	for _, key := range keys {
		s := p.get() // want "s is not put back on the path to line 94"
		if s.names[key] == "" {
			continue
		}
		n++
		p.pool.Put(s)
	}
	return n
}

func (p *makerPool) goodGet(keys []string) (n int) {
	for _, key := range keys {
		s := p.get()
		if s.names[key] != "" {
			n++
		}
		p.pool.Put(s)
	}
	return n
}

var helped sync.Pool

func build(key string) *session {
	s := new(session)
	s.names = map[string]string{key: key}
	return s
}

func getBuilt(key string) (s *session) {
	v := helped.Get()
	if v == nil {
		s = build(key)
		return
	}
	return v.(*session)
}

func badBuilt(key string) string {
	s := getBuilt(key) // want "s is not put back on the path to line"
	if s.names[key] == "" {
		return ""
	}
	name := s.names[key]
	helped.Put(s)
	return name
}

var shared = map[string]*session{}

// getShared returns one that all share if there is none of its own.
func getShared(key string) *session {
	if v := helped.Get(); v != nil {
		return v.(*session)
	}
	return lookUp(key)
}

func lookUp(key string) *session { return shared[key] }

func goodShared(key string) string {
	s := getShared(key)
	name := s.names[key]
	if shared[key] == s {
		return name
	}
	helped.Put(s)
	return name
}
