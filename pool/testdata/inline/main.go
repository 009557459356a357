// Program inline uses what TestInlined wants inlined.
package main

import "lessgc/pool"

func main() {
	var values pool.Pool[struct{}]
	values.Put(values.Get())

	var buffers pool.Buffers
	b := buffers.Get(0)
	b.Write(nil)
	b.WriteString("")
	b.WriteByte(' ')
	b.Write(b.AvailableBuffer())
	println(len(b.Bytes()), b.Len(), b.Cap())
	buffers.Put(b)
}
