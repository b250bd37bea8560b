package registry

// WindowPoSt is a registered WindowPoSt proof.
type WindowPoSt struct {
	Number uint64 // abi.RegisteredPoStProof
	Name   string
	V1_1   bool // challenges numbered anew in each sector (the reference's API version 1.2.0)
	Shape  Shape
}

// WindowPoSts returns the registered WindowPoSt proofs that can be proved.
func WindowPoSts() []WindowPoSt {
	shape, _ := ShapeOf("wpost-2k")
	return []WindowPoSt{
		{5, "StackedDrgWindow2KiBV1", false, shape},
		{10, "StackedDrgWindow2KiBV1_1", true, shape},
	}
}

// WindowPoStByNumber returns the registered WindowPoSt proof of an abi number.
func WindowPoStByNumber(n uint64) (WindowPoSt, bool) {
	for _, p := range WindowPoSts() {
		if p.Number == n {
			return p, true
		}
	}
	return WindowPoSt{}, false
}
