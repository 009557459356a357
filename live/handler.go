package live

import (
	"encoding/json"
	"net/http"
)

// Handler answers GET with a [Snapshot] as JSON, at any path. By convention, and for
// lessgc watch to find it, that is /debug/lessgc.
func Handler() http.Handler { return http.HandlerFunc(serve) }

func serve(w http.ResponseWriter, q *http.Request) {
	if q.Method != http.MethodGet && q.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET is allowed", http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	json.NewEncoder(w).Encode(Read()) // an error is that of a client who is gone
}
