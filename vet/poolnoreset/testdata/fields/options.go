package fields

import "sync"

// Options are set by methods that return their receiver, and those who read them ask whether they are set.
type BadQuery struct {
	stmt    string
	key     []byte
	binding func(n int) error
	page    *int
	send    func(stmt string, host int) error
}

var badQueries = &sync.Pool{New: func() any { return new(BadQuery) }}

func NewBadQuery(stmt string, send func(string, int) error) *BadQuery {
	q := badQueries.Get().(*BadQuery) // want `binding, key, page of the \*BadQuery of badQueries`
	q.stmt = stmt
	q.send = send
	return q
}

func (q *BadQuery) Key(key []byte) *BadQuery {
	q.key = key
	return q
}

func (q *BadQuery) Bind(f func(n int) error) *BadQuery {
	q.binding = f
	return q
}

func (q *BadQuery) Page(n *int) *BadQuery {
	q.page = n
	return q
}

func (q *BadQuery) Exec() error {
	if q.binding != nil {
		if err := q.binding(1); err != nil {
			return err
		}
	}
	host := 0
	if len(q.key) > 0 {
		host = int(q.key[0])
	}
	if q.page != nil {
		host += *q.page
	}
	return q.send(q.stmt, host)
}

func (q *BadQuery) Release() { badQueries.Put(q) }

// A number that is zero if there is none, and a limit that is copied.
type BadSearch struct {
	text  string
	limit int
	sort  string
}

var badSearches = sync.Pool{New: func() any { return new(BadSearch) }}

func NewBadSearch(text string) *BadSearch {
	s := badSearches.Get().(*BadSearch) // want `limit, sort of the \*BadSearch of badSearches`
	s.text = text
	return s
}

func (s *BadSearch) Limit(n int) *BadSearch {
	s.limit = n
	return s
}

func (s *BadSearch) By(column string) *BadSearch {
	s.sort = column
	return s
}

func (s *BadSearch) Run(all []string) (found []string) {
	for _, t := range all {
		if s.limit > 0 && len(found) == s.limit {
			break
		}
		if t == s.text {
			found = append(found, t)
		}
	}
	if s.sort != "" {
		found = append(found, s.sort)
	}
	badSearches.Put(s)
	return found
}

// The release resets all of it.
type GoodQuery struct {
	stmt    string
	key     []byte
	binding func(n int) error
}

var goodQueries = &sync.Pool{New: func() any { return new(GoodQuery) }}

func NewGoodQuery(stmt string) *GoodQuery {
	q := goodQueries.Get().(*GoodQuery)
	q.stmt = stmt
	return q
}

func (q *GoodQuery) Key(key []byte) *GoodQuery {
	q.key = key
	return q
}

func (q *GoodQuery) Bind(f func(n int) error) *GoodQuery {
	q.binding = f
	return q
}

func (q *GoodQuery) Exec() (string, error) {
	if q.binding != nil {
		return "", q.binding(len(q.key))
	}
	if len(q.key) > 0 {
		return string(q.key), nil
	}
	return q.stmt, nil
}

func (q *GoodQuery) Release() {
	*q = GoodQuery{}
	goodQueries.Put(q)
}

// What is always set: nobody asks whether it is.
type GoodFrom struct{ table []string }

var goodFroms = sync.Pool{New: func() any { return new(GoodFrom) }}

func NewGoodFrom() *GoodFrom { return goodFroms.Get().(*GoodFrom) }

func (f *GoodFrom) From(table []string) *GoodFrom {
	f.table = table
	return f
}

func (f *GoodFrom) Exec() string {
	table := f.table[0]
	goodFroms.Put(f)
	return table
}

// All users set it before it is read.
type goodLimit struct{ limit int }

var goodLimits = sync.Pool{New: func() any { return new(goodLimit) }}

func (s *goodLimit) Limit(n int) *goodLimit {
	s.limit = n
	return s
}

func (s *goodLimit) run(all []string) []string {
	if s.limit > 0 && len(all) > s.limit {
		all = all[:s.limit]
	}
	return all
}

func goodFew(all []string) []string {
	s := goodLimits.Get().(*goodLimit)
	defer goodLimits.Put(s)
	return s.Limit(2).run(all)
}

func goodAll(all []string) []string {
	s := goodLimits.Get().(*goodLimit)
	defer goodLimits.Put(s)
	return s.Limit(0).run(all)
}

// It keeps what is expensive to make, once.
type GoodOnce struct{ table []int }

var goodOnces = sync.Pool{New: func() any { return new(GoodOnce) }}

func NewGoodOnce() *GoodOnce { return goodOnces.Get().(*GoodOnce) }

func (o *GoodOnce) Use(table []int) *GoodOnce {
	if len(o.table) == 0 {
		o.table = table
	}
	return o
}

func (o *GoodOnce) Exec() int {
	n := 0
	if len(o.table) > 0 {
		n = o.table[0]
	}
	goodOnces.Put(o)
	return n
}
