//go:build asan && cgo

package arena

/*
#include <stddef.h>
#include <stdint.h>

void __asan_poison_memory_region(void const volatile *p, size_t n);

static void lessgc_poison(uintptr_t p, size_t n) {
	__asan_poison_memory_region((void const volatile *)p, n);
}
*/
import "C"

// sanitized reports whether the address sanitizer is on.
const sanitized = true

// sanitize makes each use of the memory an error until the runtime hands it out
// again, which ends that. The collector may still look at it: the runtime is
// not instrumented.
func sanitize(p pointer, bytes uintptr) {
	C.lessgc_poison(C.uintptr_t(uintptr(p)), C.size_t(bytes))
}
