// Package status stands for the package of this name.
package status

import (
	"fmt"

	"google.golang.org/grpc/codes"
)

// Errorf returns an error with a code.
func Errorf(c codes.Code, format string, args ...any) error {
	return fmt.Errorf("code %d: %s", c, fmt.Sprintf(format, args...))
}
