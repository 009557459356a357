package curve

import "math"

// Constants of the runtime's pacer, in runtime/mgcpacer.go of Go 1.19 to 1.27. TestConstants compares them with the
// toolchain's source.
const (
	minHeap       = 4 << 20          // defaultHeapMinimum: the goal at GOGC=100 is at least this
	minTrigger    = 45.0 / 64        // minTriggerRatioNum: a cycle starts at the earliest this far from live heap to goal
	maxTrigger    = 61.0 / 64        // maxTriggerRatioNum: and at the latest this far, or minHeap before the goal
	utilization   = 0.25             // gcGoalUtilization: share of the Ps that dedicated workers take
	limitHeadroom = 0.03             // memoryLimitHeapGoalHeadroomPercent: kept free below a memory limit
	limitLeast    = float64(1 << 20) // memoryLimitMinHeapGoalHeadroom: and at least this
	limiter       = 0.5              // the limiter of limitcpu.go ends assists beyond this share of the available CPU time
)

// Goal returns the size in bytes at which a cycle is to end, by live heap, roots and the memory that a limit counts beside the heap; +Inf
// if nothing ends one.
func (s Setting) Goal(live, roots, nonHeap float64) float64 {
	goal := math.Inf(1)
	if s.GOGC >= 0 {
		goal = max(live+(live+roots)*s.GOGC/100, minHeap*s.GOGC/100)
	}
	if s.Limit < NoLimit {
		goal = min(goal, max(live, s.LimitGoal(nonHeap)))
	}
	return goal
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

// trigger is the size at which a cycle starts that is expected to see runway bytes allocated while
// it marks.
func trigger(live, goal, runway float64) float64 {
	if goal <= live {
		return goal
	}
	least := live + (goal-live)*minTrigger
	most := max(live+(goal-live)*maxTrigger, goal-minHeap, least)
	return min(max(goal-runway, least), most)
}
