package values

import "testing"

func TestValues(t *testing.T) {
	equal := func(what string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %v, not %v", what, got, want)
		}
	}
	panics := func(what string, f func()) {
		t.Helper()
		defer func() {
			if recover() == nil {
				t.Errorf("%s does not panic", what)
			}
		}()
		f()
	}
	equal("literal", useLiteral(1), 11)
	equal("zero", useZero(), 5)
	equal("variable", useVariable(6), 13+1+2+13+1)
	equal("allocated", useAllocated(1), 2)
	equal("addressed", useAddressed(1), 2)
	n, err := useChecked(4)
	equal("checked", n == 4 && err == nil, true)
	_, err = useChecked(3)
	equal("odd", err.Error(), "odd")
	_, err = useChecked(12)
	equal("large", err.Error(), "large: 12")
	equal("checked inside", useCheckedInside(4), 4)
	equal("checked inside", useCheckedInside(3), -1)
	equal("found", useFound([]int{1, -1, 2}), 6)
	equal("maker", useMaker(), 4)
	equal("valued", useValued(1), 3)
	equal("failing", useFailing(8), 13)
	equal("failing", useFailing(-8), -8)
	equal("recursive", useRecursive(3), 3)
	equal("printer", useNewPrinter("a"), "a.7")
	equal("lent", useLentPrinter(), "lent")
	equal("builder", useBuilderInside("a"), "a.")
	equal("method value", useMethodValue(1), 4)
	equal("sliced", useSliced(5), 5)
	equal("fluent", useFluent(5), 6)
	equal("constant false", useConstantFalse(5), 5)
	panics("constant false", func() { useConstantFalse(-5) })
	equal("shadowed", useShadowed(-5), -1)
	equal("set through", useSetThrough(5), 5)
	equal("overwritten", useOnlyOverwritten(5), 5)
	equal("ranged", useRanged([]pair{{}}), 1)
	equal("parameter", useParameter(pair{left: 1}, 5), 6)
	equal("passed on", usePassedOn(5), 5)
	equal("in closure", useInClosure(5), 6)
	equal("compared", useComparedWithNil(5), 5)
	equal("compared", useComparedWithOther(5), false)
	equal("stored", useStoredByCaller(5), 6)
	equal("returned", useReturnedByCaller(5).left, 5)
	equal("copied", useCopiedPointer(5), 6)
	equal("set again", useSetAgain(5), 11)
	equal("in loop head", useInLoopHead(5), 8)
	equal("held", useHeldByMethod(5), 6)
	equal("held", useHeldByFunction(5), 6)
	equal("as value", useAsValue(5), 10)
	equal("shown", useShown(5), 5)
	equal("as interface", useAsInterface(5), "*values.pair")
	equal("pointer method", usePointerMethod(5), true)
	equal("no error", useNilWithoutError(5), 5)
	panics("no error", func() { useNilWithoutError(-5) })
	panics("unchecked", func() { useNilUnchecked(-5) })
	panics("checked late", func() { useNilCheckedLate(-5) })
	panics("checked or", func() { useNilCheckedOr(-2) })
	panics("unknown error", func() { useUnknownError(-5) })
	panics("sometimes nil", func() { useSometimesNil(-5) })
	panics("recovers", func() { useRecovers(5) })
	equal("deferred", useDeferred(5), 6)
	equal("named", useNamedResult(5), 5)
	equal("remembered", useRemembered(5), 6)
	equal("into itself", useIntoItself(5), 5)
	equal("to itself", useToItself(5), 6)
	equal("inside, too", useInsideToo(5), 5)
	equal("twice", useTwice(5), 6)
	equal("changed by return", useChangedByReturn(5), 0)
	equal("unordered", useUnordered(), 2)
	equal("captured", useCaptured(5), 6)
	kept = nil
	equal("compared inside", useComparedInside(5), 5)
	equal("existing", useExisting(-5), 5)
	equal("lock", useLock(5), 5)
	equal("not copied", useUncopiable(5), 5)
	equal("large", useLarger(5), 5)
	equal("elsewhere", useElsewhere(5), 5)
	equal("exported", useExported(5), 5)
	equal("generic", useGeneric(5), 1)
	equal("global", useGlobal(), 3)
	equal("tested by value", useTestedByValue(5)+inTest(1).left, 6)
	equal("tested by call", testedByCall(5) != nil, true)
	equal("tested by call", useTestedByCall(5), 5)
}

func TestAllocations(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() { useFound([]int{1, 2}) }); n > 2 {
		t.Errorf("%v objects", n)
	}
}
