package pace

import "testing"

// BenchmarkLook measures what pace does after a collection. With system=true it asks the system as well,
// which it does four times a second at most.
func BenchmarkLook(b *testing.B) {
	for _, system := range []bool{false, true} {
		name := "system=false"
		if system {
			name = "system=true"
		}
		b.Run(name, func(b *testing.B) {
			p := &Pacer{plan: Options{}.plan(), probe: newProbe(0, "")}
			defer p.probe.close()
			p.probe.observe(&p.o)
			nothing := func(int64) int64 { return 0 }
			p.gogc, p.limit = setting{set: nothing, owner: byProgram}, setting{set: nothing, owner: byProgram}
			b.ReportAllocs()
			for b.Loop() {
				if system {
					p.probe.looked = -lookAgain
				}
				p.probe.observe(&p.o)
				p.o.cycles++
				p.look()
			}
		})
	}
}
