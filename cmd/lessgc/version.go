package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"

	"lessgc/cmd/lessgc/internal/version"
)

const versionHelp = `usage: lessgc version [flags]

Version prints the version of lessgc's module, the revision it was built from, the Go
toolchain and the platform. The same line is in every file that lessgc writes.

  lessgc version
  lessgc version -json

Exit status: 0 done; 2 a flag is wrong.
`

func runVersion(_ context.Context, e *env, args []string) int {
	fs := flag.NewFlagSet("version", flag.ContinueOnError)
	asJSON := fs.Bool("json", false, "print a JSON object")
	if status, done := e.parse(fs, versionHelp, args); done {
		return status
	}
	if fs.NArg() > 0 {
		return e.fail(errors.New("lessgc version takes no arguments"))
	}
	err := error(nil)
	if *asJSON {
		enc := json.NewEncoder(e.stdout)
		enc.SetIndent("", "  ")
		err = enc.Encode(version.Get())
	} else {
		_, err = fmt.Fprintln(e.stdout, version.Tool())
	}
	if err != nil {
		return e.fail(err)
	}
	return exitClean
}
