package ceiling

import (
	"math"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/prof"
)

// stacks lists stacks of Go 1.26 and 1.27, leaf first.
var stacks = []struct {
	stack string
	class Class
}{
	{"main.work main.main", Other},
	{"runtime.memclrNoHeapPointers runtime.mallocgcLarge runtime.mallocgc runtime.makeslice main.work", Alloc},
	{"runtime.nextFreeFast runtime.mallocgcSmallScanNoHeaderSC5 runtime.newobject main.work", Alloc},
	{"runtime.mallocgcTinySize8 main.work", Alloc},
	{"runtime.scanObject runtime.gcDrainN runtime.gcAssistAlloc1 runtime.gcAssistAlloc.func2 runtime.systemstack runtime.gcAssistAlloc runtime.deductAssistCredit runtime.mallocgc main.work", Assist},
	{"runtime.deductAssistCredit runtime.mallocgc main.work", Assist},
	{"runtime.scanSpan runtime.gcDrain runtime.gcDrainMarkWorkerDedicated runtime.gcBgMarkWorker.func2 runtime.systemstack runtime.gcBgMarkWorker", Dedicated},
	{"runtime.greyobject runtime.scanObject runtime.gcDrain runtime.gcDrainMarkWorkerFractional runtime.gcBgMarkWorker.func2 runtime.gcBgMarkWorker", Fractional},
	{"runtime.gcDrain runtime.gcDrainMarkWorkerIdle runtime.gcBgMarkWorker.func2 runtime.gcBgMarkWorker", Idle},
	{"runtime.gcBgMarkWorker", Mark},
	{"runtime.(*mspan).countAlloc runtime.(*sweepLocked).sweep runtime.sweepone runtime.bgsweep", Sweep},
	{"runtime.(*sweepLocked).sweep runtime.(*mcentral).cacheSpan runtime.(*mcache).refill runtime.mallocgc main.work", Sweep},
	{"runtime.madvise runtime.sysUnusedOS runtime.(*pageAlloc).scavengeOne runtime.(*scavengerState).run runtime.bgscavenge", Scavenge},
	{"runtime.futex runtime.startTheWorldWithSema runtime.gcStart runtime.mallocgc main.work", Stop},
	{"runtime.gcMarkTermination runtime.gcMarkDone runtime.gcBgMarkWorker", Stop},
	{"runtime.wbBufFlush1 runtime.wbBufFlush.func1 runtime.systemstack runtime.wbBufFlush gcWriteBarrier main.work", Barrier},
	{"runtime.bulkBarrierPreWrite runtime.typedmemmove main.work", Barrier},
	{"runtime.memmove runtime.growslice main.work", Copy},
	{"runtime.mallocgc runtime.growslice main.work", Alloc},
	{"aeshashbody internal/runtime/maps.(*table).grow internal/runtime/maps.(*table).rehash runtime.mapassign_faststr main.work", Copy},
	{"internal/runtime/maps.(*table).uncheckedPutSlot internal/runtime/maps.(*Map).growToTable runtime.mapassign main.work", Copy},
	{"runtime.mallocgc internal/runtime/maps.newarray internal/runtime/maps.(*table).rehash runtime.mapassign main.work", Alloc},
	{"runtime.evacuate_faststr runtime.growWork_faststr runtime.mapassign_faststr main.work", Copy},
	{"internal/runtime/maps.(*Map).putSlotSmallFastStr runtime.mapassign_faststr main.work", Other},
	{"", Other},
}

// profileOf makes a profile with one sample for each stack.
func profileOf(each int64) *prof.Profile {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples"}, {Type: "cpu"}}}
	for _, s := range stacks {
		sample := &profile.Sample{Value: []int64{each, each * 1e7}}
		for _, name := range strings.Fields(s.stack) {
			f := &profile.Function{Name: name}
			sample.Location = append(sample.Location, &profile.Location{Line: []profile.Line{{Function: f}}})
		}
		p.Sample = append(p.Sample, sample)
	}
	return &prof.Profile{Profile: p, Kind: prof.CPU}
}

// TestClassify checks each stack.
func TestClassify(t *testing.T) {
	p := profileOf(1)
	seen := map[Class]bool{}
	for i, s := range stacks {
		if got := Classify(prof.Stack(p.Sample[i])); got != s.class {
			t.Errorf("%s: %v, want %v", s.stack, got, s.class)
		}
		seen[s.class] = true
	}
	for _, c := range Costs() {
		if !seen[c] || c.String() == "" {
			t.Errorf("class %d (%v) has no stack", c, c)
		}
	}
}

// TestCeilings checks the sums and their errors.
func TestCeilings(t *testing.T) {
	c := Of(profileOf(100))
	n := int64(len(stacks))
	if c.Samples != 100*n || c.Nanos != 100*n*1e7 {
		t.Errorf("%d samples, %d ns", c.Samples, c.Nanos)
	}
	bill, throughput := c.Bill(), c.Throughput()
	if want := float64(n-3) / float64(n); math.Abs(bill.Share-want) > 1e-9 || math.Abs(throughput.Share-float64(n-4)/float64(n)) > 1e-9 {
		t.Errorf("bill %v, throughput %v", bill, throughput)
	}
	// Half of the interval at p=0.9 and n=2000, as other programs compute Wilson's.
	if got := (Ceiling{Samples: 2000}).Part(1800); math.Abs(got.Error-0.01316) > 1e-4 {
		t.Errorf("error %v", got.Error)
	}
	if ok, _ := c.Enough(); !ok {
		t.Error("there are enough")
	}
	few := Ceiling{Samples: 1000}
	few.ByClass[Other], few.ByClass[Alloc] = 996, 4
	if ok, times := few.Enough(); ok || times != 2.5 {
		t.Errorf("%v, %v", ok, times)
	}
	if (Ceiling{}).Bill() != (Share{}) {
		t.Error("nothing has a share")
	}
}
