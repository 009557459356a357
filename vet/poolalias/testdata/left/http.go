//go:build !lessgc_short

package left

import (
	"bufio"
	"bytes"
	"net/http"
)

func badResponse(req *http.Request, p []byte) (*http.Response, error) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Write(p)
	return http.ReadResponse(bufio.NewReader(b), req) // want "the value returned aliases b"
}

func goodResponse(req *http.Request, p []byte) (int, error) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Write(p)
	resp, err := http.ReadResponse(bufio.NewReader(b), req)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, nil
}
