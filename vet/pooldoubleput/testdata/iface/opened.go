package iface

// Others get values of their types into the interfaces of this file, so that what a call does is not
// known. They differ from sink by that alone.

// A parameter that stands for many.
func OpenVariadic(sinks ...variadicSink) {}

type variadicSink interface{ TakeVariadic(b *block) }

func (c *counter) TakeVariadic(b *block) { blocks.Put(b) }

func goodVariadic(to variadicSink) {
	b := blocks.Get().(*block)
	to.TakeVariadic(b)
	blocks.Put(b)
}

// A channel that others send to.
func OpenChan(sinks chan<- chanSink) {}

type chanSink interface{ TakeChan(b *block) }

func (c *counter) TakeChan(b *block) { blocks.Put(b) }

func goodChan(to chanSink) {
	b := blocks.Get().(*block)
	to.TakeChan(b)
	blocks.Put(b)
}

// A list that others may append to.
var OpenList []listSink

type listSink interface{ TakeList(b *block) }

func (c *counter) TakeList(b *block) { blocks.Put(b) }

func goodList(to listSink) {
	b := blocks.Get().(*block)
	to.TakeList(b)
	blocks.Put(b)
}

// A map that others may add to.
var OpenMap map[string]mapSink

type mapSink interface{ TakeMap(b *block) }

func (c *counter) TakeMap(b *block) { blocks.Put(b) }

func goodMap(to mapSink) {
	b := blocks.Get().(*block)
	to.TakeMap(b)
	blocks.Put(b)
}

// A function that others may set, and whose result is one.
var OpenFunc func() funcSink

type funcSink interface{ TakeFunc(b *block) }

func (c *counter) TakeFunc(b *block) { blocks.Put(b) }

func goodFunc(to funcSink) {
	b := blocks.Get().(*block)
	to.TakeFunc(b)
	blocks.Put(b)
}

// A function in an exported field.
type OpenField struct{ Next func(fieldSink) fieldSink }

type fieldSink interface{ TakeField(b *block) }

func (c *counter) TakeField(b *block) { blocks.Put(b) }

func goodField(to fieldSink) {
	b := blocks.Get().(*block)
	to.TakeField(b)
	blocks.Put(b)
}

// A method takes it in a struct.
type OpenMethod struct{}

func (*OpenMethod) Add(s struct{ To methodSink }) {}

type methodSink interface{ TakeMethod(b *block) }

func (c *counter) TakeMethod(b *block) { blocks.Put(b) }

func goodMethod(to methodSink) {
	b := blocks.Get().(*block)
	to.TakeMethod(b)
	blocks.Put(b)
}

// A type parameter may be any type that has the methods.
func OpenBound[S boundSink](s S) {}

type boundSink interface{ TakeBound(b *block) }

func (c *counter) TakeBound(b *block) { blocks.Put(b) }

func goodBound(to boundSink) {
	b := blocks.Get().(*block)
	to.TakeBound(b)
	blocks.Put(b)
}

// A pointer to a list that is returned.
func OpenResult() *[]resultSink { return &resultSinks }

var resultSinks []resultSink

type resultSink interface{ TakeResult(b *block) }

func (c *counter) TakeResult(b *block) { blocks.Put(b) }

func goodResult(to resultSink) {
	b := blocks.Get().(*block)
	to.TakeResult(b)
	blocks.Put(b)
}

// A type of the package in between.
type namedSinks []namedSink

func OpenNamed(sinks namedSinks) {}

type namedSink interface{ TakeNamed(b *block) }

func (c *counter) TakeNamed(b *block) { blocks.Put(b) }

func goodNamed(to namedSink) {
	b := blocks.Get().(*block)
	to.TakeNamed(b)
	blocks.Put(b)
}

// Only this package has such lists.
var closedSinks []closedSink

type closedSink interface{ TakeClosed(b *block) }

func (c *counter) TakeClosed(b *block) { blocks.Put(b) }

func badClosed(to closedSink) {
	b := blocks.Get().(*block)
	to.TakeClosed(b)
	blocks.Put(b) // want "b is put back twice"
}
