// Package rooted writes files into a folder and nowhere else, whatever links are in it.
package rooted

import (
	"errors"
	"io/fs"
	"os"
)

// WriteFile replaces a file in root by one that is new and whole. A symbolic link
// of that name is replaced, not followed.
func WriteFile(root *os.Root, name string, data []byte) (err error) {
	tmp := name + ".tmp"
	if err := root.Remove(tmp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = root.Rename(tmp, name)
	}
	if err != nil {
		root.Remove(tmp)
	}
	return err
}

// FreshDir makes an empty folder of that name in root. What was there is removed;
// of a symbolic link, the link.
func FreshDir(root *os.Root, name string) error {
	if err := root.RemoveAll(name); err != nil {
		return err
	}
	return root.Mkdir(name, 0o777)
}
