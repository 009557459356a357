package live_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"

	"lessgc/live"
)

// The handler stands next to those of pprof, on a port of its own.
func ExampleHandler() {
	mux := http.NewServeMux()
	mux.Handle("/debug/lessgc", live.Handler())
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	s := httptest.NewServer(mux) // a service would say go http.ListenAndServe("localhost:6060", mux)
	defer s.Close()

	answer, err := http.Get(s.URL + "/debug/lessgc")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer answer.Body.Close()
	var now live.Snapshot
	if err := json.NewDecoder(answer.Body).Decode(&now); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(now.Format, now.AllocBytes > 0)
	// Output: lessgc-live/1 true
}

// Two snapshots tell what a piece of work allocated, together with whatever else
// the process did.
func ExampleRead() {
	before := live.Read()
	data := make([]byte, 1<<20)
	after := live.Read()
	fmt.Println(len(data) <= int(after.AllocBytes-before.AllocBytes))
	// Output: true
}
