// Package equalfold compares texts in one case.
package equalfold

import "strings"

func wide(name string) bool { return strings.ToLower(name) == "width" } // refused: it has an i, of which there are others

func gap(name string) bool {
	if strings.ToLower(name) == "gap" { // rewritten
		return true
	}
	return "TOP" == strings.ToUpper(name) // rewritten
}

func other(name string) bool { return strings.ToUpper(name) != "POST" } // rewritten

func long(name string) bool { return strings.ToLower(name) == "ſ" } // refused: it is no ASCII

func status(name string) bool { return strings.ToLower(name) == "status" } // refused: the long s is an s to EqualFold only

func kelvin(name string) bool { return strings.ToUpper(name) == "K" } // refused: the sign of Kelvin is a k to EqualFold only

func dotless(name string) bool { return strings.ToUpper(name) == "ID" } // refused: the dotless i is an I to ToUpper only

func never(name string) bool { return strings.ToLower(name) == "Gap" } // refused: nothing in lower case has a G

func upper(name string) bool { return strings.ToUpper(name) == "gap" } // refused: nothing in upper case has a g

func same(name, as string) bool { return strings.ToLower(name) == as } // refused: what it is compared with may have an s

func before(name string) bool { return strings.ToLower(name) < "gap" } // refused: it is sorted

func title(name string) bool { return strings.ToTitle(name) == "GAP" } // refused: title case is another

type answer bool

func answered(name string) answer { return strings.ToLower(name) == "gap" } // refused: a comparison may be of any type of bool, a call is not

func noted(name string) bool {
	return strings.ToLower(name) == /* not in a list */ "gap" // refused: a comment would go
}

func lower(name string) (string, bool) {
	text := strings.ToLower(name) // refused: the text is wanted, too
	return text, text == "gap"
}
