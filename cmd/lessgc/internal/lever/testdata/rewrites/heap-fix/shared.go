package heaps

// A point is on a map.
type point struct{ x, y int }

// Points are in another file than what makes them a heap.
type Points struct{ all []point }

func (p *Points) Len() int           { return len(p.all) }
func (p *Points) Less(i, j int) bool { return p.all[i].x < p.all[j].x }
func (p *Points) Swap(i, j int)      { p.all[i], p.all[j] = p.all[j], p.all[i] }
func (p *Points) Push(x any)         { p.all = append(p.all, x.(point)) }

func (p *Points) Pop() any {
	last := p.all[len(p.all)-1]
	p.all = p.all[:len(p.all)-1]
	return last // rewritten
}
