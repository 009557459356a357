package vetrun

import (
	"fmt"
	"os"
	"strings"

	"lessgc/vet"
)

// toolVariable is in the environment of the go command, and so of the tools that it starts.
const toolVariable = "LESSGC_VET_UNIT"

// Tool turns the process into the tool that looks at one package, and then does not
// return, if go vet has started it as such for Run. Every program that calls Run, tests
// included, calls Tool first thing in main or TestMain. If a user has go vet start it
// (go vet -vettool=lessgc), it says which program to name.
func Tool() {
	switch args := os.Args[1:]; {
	case !asTool(args):
	case os.Getenv(toolVariable) != "":
		vet.Main()
	case args[0] == "-flags": // the go command drops what is said here, and asks for the version next
		fmt.Println("[]")
		os.Exit(0)
	default:
		fmt.Fprintln(os.Stderr, "lessgc: not a tool of go vet; run lessgc vet, or go vet -vettool=$(which lessgc-vet)")
		os.Exit(2)
	}
}

// asTool reports whether these are arguments as go vet has them for its tool: a question,
// or flags and the description of a package.
func asTool(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := len(args) - 1
	for _, arg := range args[:last] {
		if !strings.HasPrefix(arg, "-") {
			return false
		}
	}
	return strings.HasSuffix(args[last], ".cfg") || last == 0 && (args[0] == "-V=full" || args[0] == "-flags")
}
