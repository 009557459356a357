// Package cases holds comments that silence two rules: one reports calls of mistake, the
// other calls of blunder.
package cases

func mistake() {}
func blunder() {}
func fine()    {}

func goodIgnoreAbove() {
	//lessgc:ignore mistakes it is meant here
	mistake()
}

func goodIgnoreBeside() {
	mistake() //lessgc:ignore mistakes it is meant here
}

func goodTwoRulesOfOneLine() {
	//lessgc:ignore mistakes,blunders both are meant here
	func() { mistake(); blunder() }()
}

func goodTwoComments() {
	mistake() //lessgc:ignore mistakes it is meant here
	blunder() //lessgc:ignore blunders and this
}

func goodOneOfTwo() {
	//lessgc:ignore mistakes it is meant here
	func() { mistake(); blunder() }()
}

func goodOneCommentForTwoLines() {
	mistake() //lessgc:ignore mistakes both are meant
	mistake()
}

func goodKeptForLater() {
	//lessgc:ignore lessgcdirective the next comment is for another version of the library
	//lessgc:ignore mistakes only old versions do that
	fine()
}

func badNothingThere() {
	//lessgc:ignore mistakes it was meant here // want `mistakes has no finding here: this comment would only hide what it finds later`
	fine()
}

func badBesideNothing() {
	fine() //lessgc:ignore mistakes it was meant here // want `mistakes has no finding here`
}

func badTooFarAway() {
	//lessgc:ignore mistakes it is meant below // want `mistakes has no finding here`
	fine()
	mistake()
}

func badBelow() {
	mistake()
	//lessgc:ignore mistakes it was meant above // want `mistakes has no finding here`
}

func badOtherRule() {
	//lessgc:ignore blunders it is meant here // want `blunders has no finding here`
	mistake()
}

func badHalf() {
	//lessgc:ignore mistakes,blunders both are meant here // want `blunders has no finding here`
	mistake()
}

func badNoSuchRule() {
	//lessgc:ignore mistaken it is meant here // want `there is no rule mistaken: this comment silences nothing`
	mistake()
}

func badNoSuchRuleOfTwo() {
	//lessgc:ignore mistaken,mistakes it is meant here // want `there is no rule mistaken`
	mistake()
}

func badBothOfTwo() {
	//lessgc:ignore blunders,mistaken it was meant here // want `there is no rule mistaken` `blunders has no finding here`
	fine()
}
