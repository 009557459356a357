package queued

import "sync"

// Of these channels it is not known that their receivers own what they receive.

// An asker waits for the answer, and puts the job back itself.
type asker struct{ in chan *job }

func (a *asker) ask(id int) int {
	j := getJob()
	j.id = id
	a.in <- j
	<-j.ready
	id = j.id
	putJob(j)
	return id
}

func (a *asker) goodAnswer(stop bool) {
	j := <-a.in
	if stop {
		putJob(j)
		return
	}
	j.id++
}

// A mixed one gets jobs that are not from the pool.
type mixed struct{ in chan *job }

func (m *mixed) send(id int) {
	j := getJob()
	j.id = id
	m.in <- j
}

func (m *mixed) sendNew(id int) { m.in <- &job{id: id} }

func (m *mixed) goodReceive() {
	for j := range m.in {
		if j.id == 0 {
			continue
		}
		putJob(j)
	}
}

// An open one goes to others, who may send anything.
type open struct{ in chan *job }

func (o *open) send(id int) {
	j := getJob()
	j.id = id
	o.in <- j
}

func (o *open) goodReceive(use func(chan *job)) {
	use(o.in)
	for j := range o.in {
		if j.id == 0 {
			continue
		}
		putJob(j)
	}
}

// Public can be sent to by other packages.
type Public struct{ In chan *job }

func (p *Public) send(id int) {
	j := getJob()
	j.id = id
	p.In <- j
}

func (p *Public) goodReceive() {
	for j := range p.In {
		if j.id == 0 {
			continue
		}
		putJob(j)
	}
}

// A listed job is in a table, too, by which its owner finds it.
type listed struct {
	in   chan *job
	mu   sync.Mutex
	byID map[int]*job
}

func (l *listed) send(id int) {
	j := getJob()
	j.id = id
	l.mu.Lock()
	l.byID[id] = j
	l.mu.Unlock()
	l.in <- j
}

func (l *listed) done(id int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if j := l.byID[id]; j != nil {
		delete(l.byID, id)
		putJob(j)
	}
}

func (l *listed) goodReceive() {
	for j := range l.in {
		if j.id == 0 {
			putJob(j)
			continue
		}
		l.done(j.id)
	}
}

// given has a channel that came from others.
type given struct{ in chan *job }

func newGiven(in chan *job) *given { return &given{in} }

func (g *given) send() { g.in <- getJob() }

func (g *given) goodReceive() {
	for j := range g.in {
		if j.id == 0 {
			continue
		}
		putJob(j)
	}
}

// A counted queue is sent to by an exported method, with jobs of others.
type Counted struct{ in chan *job }

func (c *Counted) Send(j *job) { c.in <- j }

func (c *Counted) sendOwn() { c.Send(getJob()) }

func (c *Counted) goodReceive() {
	for j := range c.in {
		if j.id == 0 {
			continue
		}
		putJob(j)
	}
}

// unreleased is never put back by a receiver.
type unreleased struct{ in chan *job }

func (u *unreleased) send() { u.in <- getJob() }

func (u *unreleased) goodReceive() (sum int) {
	for j := range u.in {
		sum += j.id
	}
	return sum
}

// waiting releases in its helper what it has sent.
type waiting struct{ in chan *job }

func (w *waiting) push(j *job) {
	w.in <- j
	<-j.ready
	putJob(j)
}

func (w *waiting) send(id int) {
	j := getJob()
	j.id = id
	w.push(j)
}

func (w *waiting) goodReceive() {
	for j := range w.in {
		if j.id == 0 {
			putJob(j)
			continue
		}
		close(j.ready)
	}
}

// pushed gets jobs of others by its helper, too.
type pushed struct{ in chan *job }

func (p *pushed) push(j *job) { p.in <- j }

func (p *pushed) send(id int) { p.push(&job{id: id}) }

func (p *pushed) sendOwn() { p.push(getJob()) }

func (p *pushed) goodReceive() {
	for j := range p.in {
		if j.id == 0 {
			continue
		}
		putJob(j)
	}
}
