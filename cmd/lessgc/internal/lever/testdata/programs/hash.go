package programs

import (
	"crypto/md5"
	"encoding/hex"
	"io"
)

func hashOne(name string) string {
	h := md5.New() // want one-shot-hash
	io.WriteString(h, name)
	return hex.EncodeToString(h.Sum(nil)) // want one-shot-hash
}

func hashTwo(name, text string) string {
	h := md5.New() // no one-shot-hash
	io.WriteString(h, name)
	io.WriteString(h, text)
	return hex.EncodeToString(h.Sum(nil)) // no one-shot-hash
}
