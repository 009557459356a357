package vetrun

import (
	"bytes"
	"syscall"
)

// hasAttributes reports whether a file has extended attributes, such as access control lists,
// which a new file would not have. What the system labels by itself does not count.
func hasAttributes(path string) bool {
	size, err := syscall.Listxattr(path, nil)
	if err != nil || size == 0 {
		return false
	}
	names := make([]byte, size)
	n, err := syscall.Listxattr(path, names)
	if err != nil {
		return true
	}
	for name := range bytes.SplitSeq(names[:n], []byte{0}) {
		if len(name) > 0 && string(name) != "security.selinux" {
			return true
		}
	}
	return false
}
