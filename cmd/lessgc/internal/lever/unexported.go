package lever

import "unicode"

// unexported is a name with its first word in lower case: fileName of FileName, urlPath of URLPath, id of ID.
func unexported(name string) string {
	all := []rune(name)
	for i, r := range all {
		if !unicode.IsUpper(r) || i > 0 && i+1 < len(all) && unicode.IsLower(all[i+1]) {
			break // another word begins
		}
		all[i] = unicode.ToLower(r)
	}
	return string(all)
}
