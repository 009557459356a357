package hoisted

type noter struct{ all []string }

func (l *noter) add(s string) { l.all = append(l.all, s) }

//go:noinline
func give(s string, to func(string)) { to(s) }

func ranged(all []*noter, word string) {
	var l *noter
	for _, l = range all {
		give(word, l.add) // refused: the loop sets the receiver
	}
}

func received(all chan *noter, word string) {
	var l *noter
	for l = range all {
		give(word, l.add) // refused: so does this one
	}
}
