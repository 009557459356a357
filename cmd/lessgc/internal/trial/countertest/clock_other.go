//go:build !linux

package countertest

import (
	"errors"
	"os"
)

func clock() (*os.File, error) { return nil, errors.ErrUnsupported }
