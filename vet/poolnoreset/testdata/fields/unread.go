package fields

import "sync"

// What is appended is read by others, or by nobody: it grows from user to user.
type link struct {
	id    int
	paths []string
}

func (l *link) addPaths(paths []string) {
	for _, p := range paths {
		l.paths = append(l.paths, p)
	}
}

var links = sync.Pool{New: func() any { return new(link) }}

func badLink(id int, paths []string) *link {
	l := links.Get().(*link) // want `paths of the \*link of links is reset neither after Get nor before Put`
	l.id = id
	l.addPaths(paths)
	return l
}

func returnLinks(all []*link) {
	for _, l := range all {
		links.Put(l)
	}
}

type probe struct{ samples []int }

var probes = sync.Pool{New: func() any { return new(probe) }}

func badProbe(values []int, send func(*probe)) {
	p := probes.Get().(*probe) // want `samples of the \*probe of probes`
	p.samples = append(p.samples, values...)
	send(p)
	probes.Put(p)
}

type goodProbe struct{ samples []int }

var goodProbes = sync.Pool{New: func() any { return new(goodProbe) }}

func goodBeginsAnew(values []int, send func(*goodProbe)) {
	p := goodProbes.Get().(*goodProbe)
	p.samples = append(p.samples[:0], values...)
	for _, v := range values {
		p.samples = append(p.samples, -v)
	}
	send(p)
	goodProbes.Put(p)
}

type goodLink struct{ paths []string }

var goodLinks = sync.Pool{New: func() any { return new(goodLink) }}

func (l *goodLink) clear() { l.paths = l.paths[:0] }

func goodCleared(paths []string, send func(*goodLink)) {
	l := goodLinks.Get().(*goodLink)
	l.paths = append(l.paths, paths...)
	send(l)
	l.clear()
	goodLinks.Put(l)
}
