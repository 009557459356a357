package curve

import "math"

// Constants of the runtime's pacer, in runtime/mgcpacer.go of Go 1.19 to 1.27. TestConstants compares them with the
// toolchain's source.
const (
	minHeap       = 4 << 20          // defaultHeapMinimum: the goal at GOGC=100 is at least this
	minTrigger    = 45.0 / 64        // minTriggerRatioNum: a cycle starts at the earliest this far from live heap to goal
	maxTrigger    = 61.0 / 64        // maxTriggerRatioNum: and at the latest this far, or minHeap before the goal
	sweepDistance = 1 << 20          // sweepMinHeapDistance: allocated at least between two cycles, if no limit sets the goal
	leastRunway   = 64 << 10         // minRunway: and from trigger to goal
	utilization   = 0.25             // gcGoalUtilization: share of the Ps that dedicated workers take
	limitHeadroom = 0.03             // memoryLimitHeapGoalHeadroomPercent: kept free below a memory limit
	limitLeast    = float64(1 << 20) // memoryLimitMinHeapGoalHeadroom: and at least this
	limiter       = 0.5              // the limiter of limitcpu.go ends assists beyond this share of the available CPU time
)

// Goal returns the size in bytes at which a cycle is to end, by live heap, roots and the memory that a limit counts beside the heap; +Inf
// if nothing ends one.
func (s Setting) Goal(live, roots, nonHeap float64) float64 {
	goal, _ := s.goal(live, roots, nonHeap)
	return goal
}

// goal is Goal, and reports whether the memory limit sets it.
func (s Setting) goal(live, roots, nonHeap float64) (goal float64, limited bool) {
	goal = math.Inf(1)
	if s.GOGC >= 0 {
		goal = max(live+(live+roots)*s.GOGC/100, minHeap*s.GOGC/100)
	}
	if s.Limit < NoLimit {
		if limit := max(live, s.LimitGoal(nonHeap)); limit < goal {
			return limit, true
		}
	}
	return max(goal, live+sweepDistance), false
}

// cycle returns the sizes at which a cycle starts that is expected to see runway bytes allocated while it marks, and at which it is to end.
func (s Setting) cycle(live, roots, nonHeap, runway float64) (start, goal float64) {
	goal, limited := s.goal(live, roots, nonHeap)
	if goal <= live || math.IsInf(goal, 1) {
		return goal, goal
	}
	least := live + (goal-live)*minTrigger
	if !limited {
		least = max(least, live+sweepDistance)
	}
	most := max(live+(goal-live)*maxTrigger, goal-minHeap, least)
	start = min(max(goal-runway, least), most)
	if !limited {
		goal = max(goal, start+leastRunway)
	}
	return start, goal
}

// LimitGoal returns the size that the memory limit leaves for the heap.
func (s Setting) LimitGoal(nonHeap float64) float64 {
	room := s.Limit - nonHeap
	if room <= 0 {
		return 0
	}
	headroom := max(room*limitHeadroom, limitLeast)
	if room < 2*headroom {
		return headroom
	}
	return room - headroom
}
