//go:build !unix

package turns

import "errors"

// Can says whether processes can be stopped on this system.
const Can = false

func pause(int) error { return errors.ErrUnsupported }

func resume(int) error { return errors.ErrUnsupported }

func gone(error) bool { return false }
