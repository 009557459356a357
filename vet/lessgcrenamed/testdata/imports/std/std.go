package std

import (
	"errors"
	"os" // files

	"lessgc/arena"
)

func badStd(a *arena.Arena) string {
	os.Remove(errors.ErrUnsupported.Error())
	return a.Sprintf("%d", 1) // want `Sprintf`
}
