package space

import (
	"io"
	"strings"
)

// Refused calls all that is refused, each with one object, again and again.
func Refused(w io.Writer, text string) {
	done := make(chan bool, 8)
	r := strings.NewReader(strings.Repeat(text, 100))
	keeping, returning, sending, capturing := &keeping{r: r}, &returning{r: r}, &sending{r: r}, &capturing{r: r}
	appendReturning, starting, deferring, boxing := &appendReturning{}, &starting{w: io.Discard}, &deferring{w: w}, &boxing{}
	nilAsking, nilGiving, roomAsking, roomUsing, twoNames := &nilAsking{}, &nilGiving{}, &roomAsking{}, &roomUsing{}, &twoNames{}
	recursing, visited, called, printing := &recursing{w: w}, &visited{w: w}, &called{w: w}, &printing{w: w}
	going, public, copied, compared, keyed := &going{w: w}, &Public{r: r}, &copied{r: r}, &compared{}, &keyed{}
	valued := &valued{r: r}
	unkeyed, converted, encoded, reflected, open := newUnkeyed(r), &converted{r: r}, &encoded{r: r}, &reflected{r: r}, &open{R: r}
	inner, typed, whole, listed, again, absent := &inner{r: r}, &typed[int]{r: r}, &whole{r: r}, &listed{r: r}, &again{r: r}, &absent{r: r}
	recovering, forked, made, some := &recovering{r: r}, &forked{r: r}, &madeElsewhere{r: r}, &ofSomeBuilds{r: r}
	mapReturning, mapShrinking, mapNil := &mapReturning{}, &mapShrinking{}, &mapNil{}
	noted, local, pointing := &noted{r: r}, &localType{r: r}, &pointing{w: w}
	for range 2 {
		keeping.uint32()
		returning.next()
		appendReturning.line([]string{text})
		sending.next(func([]byte) {})
		capturing.next()
		starting.word(text, done)
		<-done
		deferring.word(text)
		boxing.word(text)
		nilAsking.word(text)
		nilGiving.word(text)
		roomAsking.word(text)
		roomUsing.word(text)
		twoNames.word(text)
		recursing.tree(text, 2)
		visited.walk(down{}, 2)
		eachCalled(called, 1)
		printing.print(printsAgain{printing})
		going.next(text)
		going.start(done)
		<-done
		public.uint32()
		valued.uint32()
		copied.uint32()
		forkCopied(copied)
		compared.word(r)
		sameCompared(compared, compared)
		keyed.word(r)
		byKeyed[*keyed] = 1
		unkeyed.uint32()
		converted.uint32()
		encoded.uint32()
		encoded.marshal()
		reflected.uint32()
		fieldsOf(reflected)
		open.uint32()
		inner.uint32()
		typed.uint32()
		whole.hash()
		listed.hash()
		again.uint32()
		absent.uint32(w)
		recovering.uint32()
		forked.uint32()
		made.uint32()
		some.uint32()
		mapReturning.count(text)
		mapShrinking.count(text)
		mapNil.count(text)
		noted.next()
		local.next()
		pointing.names([]string{text})
	}
}
