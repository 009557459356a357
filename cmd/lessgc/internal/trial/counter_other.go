//go:build !linux

package trial

import (
	"errors"
	"os"
)

func openCounter() (*os.File, error) { return nil, errors.ErrUnsupported }

func inherit(*os.File) (int, error) { return 0, errors.ErrUnsupported }
