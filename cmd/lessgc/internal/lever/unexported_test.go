package lever

import "testing"

func TestUnexported(t *testing.T) {
	for name, want := range map[string]string{"FileName": "fileName", "URLPath": "urlPath", "ID": "id", "A": "a", "AFile": "aFile", "ID2": "id2", "slug": "slug", "Äther": "äther", "SCSITapeClassPattern": "scsiTapeClassPattern", "": ""} {
		if got := unexported(name); got != want {
			t.Errorf("unexported(%s) is %s, want %s", name, got, want)
		}
	}
}
