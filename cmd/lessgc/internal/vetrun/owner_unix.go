//go:build unix

package vetrun

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// chown gives a file the owner and the group of another, if they are not the same. It
// returns errOwner if the user may not.
func chown(f *os.File, like fs.FileInfo) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	have, ok := info.Sys().(*syscall.Stat_t)
	want, ok2 := like.Sys().(*syscall.Stat_t)
	if !ok || !ok2 || have.Uid == want.Uid && have.Gid == want.Gid {
		return nil
	}
	if err := f.Chown(int(want.Uid), int(want.Gid)); !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return errOwner
}

// links returns the number of hard links of a file.
func links(_ string, info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Nlink)
	}
	return 1
}
