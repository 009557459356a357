package cases

func badNoReason() {
	//lessgc:ignore mistakes // want `ignore mistakes without a reason; say why the report is wrong here`
	mistake()
}

func badNoRule() {
	//lessgc:ignore // want `ignore of what\? Write //lessgc:ignore RULE REASON`
	mistake()
}

func badNoSuchVerb() {
	//lessgc:nolint mistakes it is meant here // want `there is no directive nolint: it is ignore, acquire, releases, borrows or owns`
	mistake()
}

func badNoVerb() {
	//lessgc: mistakes are meant here // want `there is no directive mistakes`
	mistake()
}

func badOutsideOfDoc(b []byte) {
	//lessgc:releases b // want `releases belongs into the doc comment of a function`
	fine()
}

func badNoWord() {
	//lessgc: // want `a directive without a word`
	fine()
}

func badReasonMissingBeside() {
	mistake() //lessgc:ignore mistakes // want `without a reason`
}

func goodReasonBeside() {
	mistake() //lessgc:ignore mistakes the caller expects it
}

func goodProse() {
	// lessgc:ignore is a directive; this comment is none, as it begins with a space.
	fine()
}

//lessgc:releases b
func goodReleases(b []byte) {}

//lessgc:releases c // want `releases c: the function has no parameter of that name`
func releasesAnother(b []byte) {}

// goodAcquire has a directive as the last line of its comment.
//
//lessgc:acquire pool
func goodAcquire() []byte { return nil }

//lessgc:acquire heap // want `acquire heap: it is pool, arena or recycled`
func acquiresHeap() []byte { return nil }

//lessgc:acquire
func goodAcquireOfPool() []byte { return nil }

type box struct{}

//lessgc:owns bx
//lessgc:borrows b
func (bx *box) goodOwns(b []byte) {}

//lessgc:owns bx b // want `owns bx b: the function has no parameter of that name`
func (bx *box) ownsTwo(b []byte) {}
