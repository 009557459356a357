package gone

import (
	"errors"
	"lessgc/arena"
	"os"
)

// badGone needs no arena in the end.
func badGone() (int, error) {
	return arena.DefaultAuditEvery + os.Getpid(), errors.ErrUnsupported // want `DefaultAuditEvery`
}
