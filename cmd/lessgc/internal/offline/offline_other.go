//go:build !linux

package offline

import "errors"

var errSystem = errors.New("this system has no network namespaces")

func enter([]string) error { return errSystem }

func run([]string) error { return errSystem }
