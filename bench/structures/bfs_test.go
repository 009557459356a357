package structures

type bfsEdge struct{ from, to uint32 }

type bfsInput struct {
	vertices int
	edges    []bfsEdge
}

func newBfsInput(vertices, edges int) *bfsInput {
	r := random(3)
	in := &bfsInput{vertices, make([]bfsEdge, edges)}
	for i := range in.edges {
		in.edges[i] = bfsEdge{uint32(r.below(vertices)), uint32(r.below(vertices))}
	}
	return in
}

// search visits what can be reached from vertex 0. All of dist is 0, and queue
// has room for all vertices.
func search(lists [][]uint32, dist []int32, queue []uint32) uint64 {
	dist[0] = 1
	queue = append(queue, 0)
	for i := 0; i < len(queue); i++ {
		v := queue[i]
		for _, to := range lists[v] {
			if dist[to] == 0 {
				dist[to] = dist[v] + 1
				queue = append(queue, to)
			}
		}
	}
	return sumSearch(dist, queue)
}

func sumSearch(dist []int32, queue []uint32) uint64 {
	sum := uint64(len(queue))
	for i, d := range dist {
		sum += uint64(d) * uint64(i)
	}
	for _, v := range queue {
		sum = sum*31 + uint64(v)
	}
	return sum
}

// handBfs counts the edges of each vertex, and puts them in one slice.
func handBfs(in *bfsInput) func() uint64 {
	ends := make([]uint32, in.vertices+1)
	targets := make([]uint32, len(in.edges))
	dist := make([]int32, in.vertices)
	queue := make([]uint32, 0, in.vertices)
	return func() uint64 {
		clear(ends)
		clear(dist)
		for _, e := range in.edges {
			ends[e.from+1]++
		}
		for i := range in.vertices {
			ends[i+1] += ends[i]
		}
		for _, e := range in.edges {
			targets[ends[e.from]] = e.to
			ends[e.from]++
		}
		dist[0] = 1
		queue := append(queue, 0)
		for i := 0; i < len(queue); i++ {
			v, from := queue[i], uint32(0)
			if v > 0 {
				from = ends[v-1]
			}
			for _, to := range targets[from:ends[v]] {
				if dist[to] == 0 {
					dist[to] = dist[v] + 1
					queue = append(queue, to)
				}
			}
		}
		return sumSearch(dist, queue)
	}
}
