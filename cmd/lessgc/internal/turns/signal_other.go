//go:build !unix

package turns

import "errors"

func pause(int) error { return errors.ErrUnsupported }

func resume(int) error { return errors.ErrUnsupported }

func gone(error) bool { return false }
