package rounds

import "sync"

type cookie struct{ expired bool }

var cookies = sync.Pool{New: func() any { return new(cookie) }}

type jar struct{ byHost map[string][]*cookie }

// What is kept was not put back, and what was put back is not kept.
func (j *jar) goodKept(host string) []*cookie {
	all := j.byHost[host]
	kept := all[:0]
	for _, c := range all {
		if c.expired {
			cookies.Put(c)
			continue
		}
		kept = append(kept, c)
	}
	j.byHost[host] = kept
	return kept
}

func (j *jar) badKept(host string) *cookie {
	for _, c := range j.byHost[host] {
		if c.expired {
			cookies.Put(c)
			return c // want "the value returned aliases"
		}
	}
	return nil
}
