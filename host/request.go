package host

import (
	"fmt"
	"time"

	"github.com/sealwright/sealwright/sdk/enginepb"
)

// Kind is what a request asks to prove.
type Kind uint8

// The kinds.
const (
	PoRep      Kind = iota + 1 // a seal commitment, from a C1 output
	WindowPoSt                 // a partition of a WindowPoSt, from vanilla proofs
)

// String returns the kind's name.
func (k Kind) String() string {
	switch k {
	case PoRep:
		return "porep"
	case WindowPoSt:
		return "window-post"
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Priority orders jobs that wait for the same engine. The zero value is
// PriorityNormal's.
type Priority uint8

// The priorities, least urgent first.
const (
	PriorityDefault Priority = iota // PriorityNormal
	PriorityLow
	PriorityNormal
	PriorityHigh
	PriorityCritical
)

// orNormal returns the priority, PriorityNormal where it is none.
func (p Priority) orNormal() Priority {
	if p == PriorityDefault || p > PriorityCritical {
		return PriorityNormal
	}
	return p
}

func (p Priority) message() enginepb.Priority { return enginepb.Priority(p.orNormal()) }

// String returns the priority's name.
func (p Priority) String() string {
	switch p.orNormal() {
	case PriorityLow:
		return "low"
	case PriorityHigh:
		return "high"
	case PriorityCritical:
		return "critical"
	}
	return "normal"
}

// Request is one job. Its bytes are borrowed until Prove returns.
type Request struct {
	ID   string // for logs; empty: none
	Kind Kind

	// RegisteredProof is go-state-types' number, of the kind's own enum. Nil takes
	// what the input says, which a PoSt's does not.
	RegisteredProof *uint64
	SectorSize      uint64 // 0: whatever the proof type has

	C1 []byte // PoRep: the C1 output as JSON, bare or in its envelope

	Randomness     []byte   // PoSt: 32 bytes
	VanillaProofs  [][]byte // PoSt: bincode, one a sector
	PartitionIndex uint32   // PoSt

	// ProverID and Sector name the sector where they are known; a PoRep's replica_id
	// is then recomputed and checked. An envelope brings its own sector.
	ProverID *[32]byte
	Sector   *uint64

	Priority Priority
	// Progress, where set, is told each step, one at a time. It must return soon.
	Progress func(Progress)
}

func (r *Request) report(p Progress) {
	if r.Progress != nil {
		r.Progress(p)
	}
}

// Step is a step of a job, or a stage of one of its partitions.
type Step string

// The steps in their order.
const (
	StepCheck     Step = "check"     // the input is parsed and checked
	StepEngine    Step = "engine"    // the engine is started
	StepKey       Step = "key"       // the engine loads the proving key
	StepInput     Step = "input"     // the input goes to the engine
	StepWait      Step = "wait"      // the partition waits for a permit and memory
	StepSynthesis Step = "synthesis" // the partition's witness is made
	StepQueue     Step = "queue"     // the partition waits for the device
	StepDevice    Step = "device"    // the partition is on the device
	StepFinish    Step = "finish"    // the partition's proof is put together
	StepVerified  Step = "verified"  // the partition's proof is verified, and counts
)

// Progress is told as a job goes on.
type Progress struct {
	Step       Step
	Partition  int    // of the steps from StepWait on; -1 before
	Partitions int    // of the job; 0: not known yet
	Circuit    string // its id; empty: not known yet
	Done       int    // partitions verified
	EnginePID  int    // 0: not known yet
}

var stageSteps = map[enginepb.Stage]Step{
	enginepb.Stage_STAGE_WAITING: StepWait, enginepb.Stage_STAGE_SYNTHESIS: StepSynthesis,
	enginepb.Stage_STAGE_QUEUED: StepQueue, enginepb.Stage_STAGE_DEVICE: StepDevice, enginepb.Stage_STAGE_FINISH: StepFinish,
}

// ReplicaID tells whether a PoRep's replica_id was held against the identity of
// its sector.
type ReplicaID string

// The values of ReplicaID.
const (
	ReplicaIDChecked   ReplicaID = "checked"
	ReplicaIDUnchecked ReplicaID = "unchecked"
	ReplicaIDNone      ReplicaID = "" // the kind has none
)

// Result is a proof that was verified, and how it came about.
type Result struct {
	Proof      []byte // 192 bytes a partition, in order
	CircuitID  string
	ReplicaID  ReplicaID
	Partitions []PartitionResult
	Times      Times
	HostPID    int
	EnginePID  int
}

// PartitionResult is how one partition was proved.
type PartitionResult struct {
	Wait, Synthesis, Queue, Device, HandOver, Finish time.Duration // in the engine
	Verify                                           time.Duration // in the host
	Submitted                                        time.Time     // Wait began; zero: the engine does not tell
	Reserved, Took                                   StageBytes    // in the engine; zero: it does not tell
	Ops                                              []Op
}

// StageBytes is large host memory, as the peak from the start of each stage to the
// start of the next.
type StageBytes struct{ Synthesis, Device, Finish int64 }

// Op is an operation of the device stage, as the engine reports it.
type Op struct {
	Name  string // "msm_h"
	Place string // "cpu", or the device's id
	Size  uint64 // elements
	Time  time.Duration
}

// Times is where a job's time went; Prove is from the last byte of input to the
// last proof.
type Times struct{ Check, Engine, Key, Input, Prove, Total time.Duration }
