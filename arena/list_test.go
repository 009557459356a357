package arena

import (
	stdlist "container/list"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"lessgc/internal/alloctest"
)

// A listModel is a List and the list of the standard library that it must agree
// with. Elements at the same index belong together.
type listModel struct {
	l    *List[int]
	want *stdlist.List
	at   []*Element[int]
	std  []*stdlist.Element
}

func (m *listModel) add(e *Element[int], std *stdlist.Element) {
	m.at, m.std = append(m.at, e), append(m.std, std)
}

func (m *listModel) do(op, i, j, v int) {
	if len(m.at) == 0 {
		op %= 2
	} else {
		i, j = i%len(m.at), j%len(m.at)
	}
	switch op % 12 {
	case 0:
		m.add(m.l.PushBack(v), m.want.PushBack(v))
	case 1:
		m.add(m.l.PushFront(v), m.want.PushFront(v))
	case 2:
		m.add(m.l.InsertBefore(v, m.at[i]), m.want.InsertBefore(v, m.std[i]))
	case 3:
		m.add(m.l.InsertAfter(v, m.at[i]), m.want.InsertAfter(v, m.std[i]))
	case 4, 5:
		m.l.Remove(m.at[i])
		m.want.Remove(m.std[i])
		m.at, m.std = slices.Delete(m.at, i, i+1), slices.Delete(m.std, i, i+1)
	case 6:
		m.l.MoveToFront(m.at[i])
		m.want.MoveToFront(m.std[i])
	case 7:
		m.l.MoveToBack(m.at[i])
		m.want.MoveToBack(m.std[i])
	case 8:
		m.l.MoveBefore(m.at[i], m.at[j])
		m.want.MoveBefore(m.std[i], m.std[j])
	case 9:
		m.l.MoveAfter(m.at[i], m.at[j])
		m.want.MoveAfter(m.std[i], m.std[j])
	case 10:
		m.at[i].Value, m.std[i].Value = v, v
	case 11:
		if v == 0 {
			m.l.Clear()
			m.want.Init()
			m.at, m.std = nil, nil
		}
	}
}

func (m *listModel) same() error {
	var want, forward, backward, next []int
	for e := m.want.Front(); e != nil; e = e.Next() {
		want = append(want, e.Value.(int))
	}
	for e := range m.l.All() {
		forward = append(forward, e.Value)
	}
	for e := range m.l.Backward() {
		backward = append(backward, e.Value)
	}
	slices.Reverse(backward)
	for e := m.l.Front(); e != nil; e = e.Next() {
		next = append(next, e.Value)
	}
	if !slices.Equal(forward, want) || !slices.Equal(backward, want) || !slices.Equal(next, want) || m.l.Len() != len(want) {
		return fmt.Errorf("forward %v, backward %v, next %v, %d elements; want %v", forward, backward, next, m.l.Len(), want)
	}
	if back := m.l.Back(); len(want) > 0 && (back.Value != want[len(want)-1] || back.Next() != nil || m.l.Front().Prev() != nil) {
		return errors.New("the ends are not the ends")
	}
	return nil
}

func TestListModel(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	eachArena(t, func(t *testing.T, a *Arena) {
		m := listModel{l: NewList[int](a), want: stdlist.New()}
		for range 3000 {
			m.do(rnd.IntN(12), rnd.IntN(1000), rnd.IntN(1000), rnd.IntN(50))
			if err := m.same(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func FuzzList(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 1, 0, 0, 7, 8, 0, 1, 2, 11, 0, 0, 0})
	f.Fuzz(func(t *testing.T, ops []byte) {
		m := listModel{l: NewList[int](nil), want: stdlist.New()}
		for len(ops) >= 4 {
			m.do(int(ops[0]), int(ops[1]), int(ops[2]), int(ops[3]))
			ops = ops[4:]
		}
		if err := m.same(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestListZero calls every method on a zero List, with an element of another.
func TestListZero(t *testing.T) {
	var l List[int]
	other := NewList[int](nil)
	e := other.PushBack(1)
	if l.Front() != nil || l.Back() != nil || l.Len() != 0 || l.InsertAfter(1, e) != nil || l.InsertBefore(1, e) != nil || l.Remove(e) != 0 {
		t.Error("the zero List is not empty, or took the element of another list")
	}
	l.MoveToBack(e)
	l.MoveToFront(e)
	l.MoveAfter(e, e)
	l.MoveBefore(e, e)
	l.Clear()
	for range l.All() {
		t.Error("an element")
	}
	for range l.Backward() {
		t.Error("an element")
	}
	if l.PushFront(2); l.Len() != 1 || other.Len() != 1 || e.Value != 1 {
		t.Errorf("%d and %d elements, want 1 and 1", l.Len(), other.Len())
	}
	other.MoveAfter(e, l.Front())
	other.MoveBefore(e, l.Front())
	if other.Front() != e || l.Len() != 1 {
		t.Error("moved next to an element of another list")
	}
}

func TestListRemove(t *testing.T) {
	eachArena(t, func(t *testing.T, a *Arena) {
		l := NewList[*int](a)
		e := l.PushBack(new(int))
		l.Remove(e)
		if e.Value != nil || e.Next() != nil || e.Prev() != nil || l.Remove(e) != nil {
			t.Error("a removed element keeps its value or its neighbours")
		}
		if l.PushFront(nil) != e {
			t.Error("a removed element is not used again")
		}
		for range 10 {
			l.PushBack(nil)
		}
		n := 0
		for e := range l.All() {
			l.Remove(e)
			n++
		}
		for range 10 {
			l.PushBack(nil)
		}
		for e := range l.Backward() {
			l.Remove(e)
			if n++; n == 15 {
				break
			}
		}
		if n != 15 || l.Len() != 6 {
			t.Errorf("%d rounds, %d elements left; want 15 and 6", n, l.Len())
		}
	})
}

func TestListAllocs(t *testing.T) {
	skipAllocs(t)
	p := &Pool{Policy: RecycleAll}
	got := alloctest.PerRun(t, func() {
		a := p.Get()
		l := NewList[any](a)
		for range 1000 {
			l.PushBack(p)
		}
		for e := range l.All() {
			l.Remove(e)
		}
		a.Free()
	})
	if got != 0 {
		t.Errorf("%d allocations in a recycled arena, want 0", got)
	}
	l := NewList[int](nil)
	if got := alloctest.PerRun(t, func() { l.Remove(l.PushBack(1)) }); got != 0 {
		t.Errorf("%d allocations for an element that was removed before, want 0", got)
	}
}
