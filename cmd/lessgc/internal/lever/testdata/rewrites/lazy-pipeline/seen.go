package lazypipeline

// What is returned by its name is filtered.
func named(in []int, n int) (left []int, sum int) {
	left = in
	for _, keep := range newConditions(n) {
		out := make([]int, 0, cap(left)) // refused: a return gives back the filtered values
		for _, v := range left {
			if keep(v) {
				out = append(out, v)
			}
		}
		left = out
	}
	for _, v := range left {
		sum += v
	}
	return
}

func named2(in []int) (left []int, sum int) {
	left = filtered(in, even)      // refused: so it does here
	left = filtered(left, isSmall) // refused: so it does here
	for _, v := range left {
		sum += v
	}
	return
}

func isSmall(v int) bool { return v < 10 }

func lateEntry(lines []string) (n int) {
	rows := []map[string]string{}
	for _, line := range lines {
		row := map[string]string{}
		rows = append(rows, row) // refused: the map gets its entry after it is appended
		row["line"] = line
	}
	for _, row := range rows {
		n += len(row["line"])
	}
	return n
}

func sharedEntry(words []string) (n int) {
	seen := map[string]int{}
	var all []map[string]int
	for _, w := range words {
		seen[w]++
		all = append(all, seen) // refused: all have the entries of the last iteration
	}
	for _, s := range all {
		n += len(s)
	}
	return n
}
