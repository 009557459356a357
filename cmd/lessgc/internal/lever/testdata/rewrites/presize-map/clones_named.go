package presizemap

import maps "slices"

func otherPackage(from map[string]int, keys []string) map[string]int { // size: maps is another package here
	if from == nil || maps.Contains(keys, "") {
		return nil
	}
	if from == nil {
		return nil
	}
	all := map[string]int{}
	for k, v := range from {
		all[k] = v
	}
	return all
}
