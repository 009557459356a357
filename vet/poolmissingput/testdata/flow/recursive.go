package flow

import "sync"

type tree struct {
	value int
	sons  map[int]int
}

var trees = sync.Pool{New: func() any { return new(tree) }}

func getTree(n int) *tree {
	t := trees.Get().(*tree)
	t.value = n
	return t
}

// What the call in there returns may be the son.
func (t *tree) goodUnfold(path []int) (*tree, error) {
	if len(path) == 0 {
		return t, nil
	}
	if n, ok := t.sons[path[0]]; ok {
		son := getTree(n)
		return son.goodUnfold(path[1:])
	}
	return nil, errTree
}

func (t *tree) badDepth(path []int) (int, error) {
	if len(path) == 0 {
		return t.value, nil
	}
	if n, ok := t.sons[path[0]]; ok {
		son := getTree(n) // want "son is never put back"
		return son.badDepth(path[1:])
	}
	return 0, errTree
}

type treeError string

func (e treeError) Error() string { return string(e) }

const errTree = treeError("no such path")

// found returns a tree only if it says so.
func found(n int) (ok bool, t *tree, err error) {
	if n == 0 {
		return false, nil, nil
	}
	return true, getTree(n), nil
}

func goodFound(n int) (int, error) {
	ok, t, err := found(n)
	if err != nil {
		return 0, err
	}
	if !ok {
		return 0, nil
	}
	value := t.value
	trees.Put(t)
	return value, nil
}

func badFound(n int) (int, error) {
	ok, t, err := found(n) // want "t is not put back on the path to line"
	if err != nil {
		return 0, err
	}
	if !ok {
		return 0, nil
	}
	value := t.value
	if value < 0 {
		return 0, errTree
	}
	trees.Put(t)
	return value, nil
}
