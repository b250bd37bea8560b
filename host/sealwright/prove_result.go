package main

import (
	"encoding/hex"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/sealwright/sealwright/host"
)

// proveResult is the answer of prove.
type proveResult struct {
	Circuit    string            `json:"circuit"`
	Out        string            `json:"out"`
	ProofBytes int               `json:"proof_bytes"`
	Proof      string            `json:"proof"` // hex
	Verified   bool              `json:"verified"`
	ReplicaID  host.ReplicaID    `json:"replica_id,omitempty"`
	DevKey     string            `json:"dev_key,omitempty"`  // INSECURE
	Blinding   string            `json:"blinding,omitempty"` // INSECURE
	HostPID    int               `json:"host_pid"`
	EnginePID  int               `json:"engine_pid"`
	Stages     []stageTime       `json:"stages"`
	Partitions []partitionResult `json:"partitions"`
}

// partitionResult is where a partition's time went.
type partitionResult struct {
	Stages []stageTime `json:"stages"`
	Ops    []opResult  `json:"ops"` // of the device stage
}

type opResult struct {
	Name  string  `json:"name"`
	Place string  `json:"place"`
	Size  uint64  `json:"size"` // elements
	MS    float64 `json:"ms"`
}

func newProveResult(r *host.Result, cmd *cli.Command) *proveResult {
	p := &proveResult{
		Circuit: r.CircuitID, Out: cmd.String("out"), ProofBytes: len(r.Proof), Proof: hex.EncodeToString(r.Proof),
		Verified: true, ReplicaID: r.ReplicaID, DevKey: cmd.String("dev-key"), Blinding: cmd.String("blinding"),
		HostPID: r.HostPID, EnginePID: r.EnginePID,
		Stages: []stageTime{
			newStageTime("check", r.Times.Check), newStageTime("engine", r.Times.Engine), newStageTime("key", r.Times.Key),
			newStageTime("input", r.Times.Input), newStageTime("prove", r.Times.Prove), newStageTime("total", r.Times.Total),
		},
	}
	for _, part := range r.Partitions {
		p.Partitions = append(p.Partitions, newPartitionResult(part))
	}
	return p
}

func newPartitionResult(r host.PartitionResult) partitionResult {
	p := partitionResult{
		Stages: []stageTime{
			newStageTime("wait", r.Wait), newStageTime("synthesis", r.Synthesis), newStageTime("queue", r.Queue),
			newStageTime("device", r.Device), newStageTime("hand_over", r.HandOver), newStageTime("finish", r.Finish),
			newStageTime("verify", r.Verify),
		},
		Ops: []opResult{},
	}
	for _, op := range r.Ops {
		p.Ops = append(p.Ops, opResult{op.Name, op.Place, op.Size, milliseconds(op.Time)})
	}
	return p
}

// stageTime is how long a stage of the work took.
type stageTime struct {
	Name string  `json:"name"`
	MS   float64 `json:"ms"`
}

func newStageTime(name string, d time.Duration) stageTime { return stageTime{name, milliseconds(d)} }

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func (r *proveResult) text(w io.Writer) {
	fmt.Fprintf(w, "proved     %s, %d partition(s), by engine process %d of host process %d\n", r.Circuit, len(r.Partitions), r.EnginePID, r.HostPID)
	for i, p := range r.Partitions {
		fmt.Fprintf(w, "partition  %d: %s\n", i, stagesText(p.Stages))
		for _, op := range p.Ops {
			fmt.Fprintf(w, "           %-10s %9d elements on %s: %s\n", op.Name, op.Size, op.Place, secondsText(op.MS))
		}
	}
	fmt.Fprintf(w, "times      %s\n", stagesText(r.Stages))
	if r.ReplicaID != host.ReplicaIDNone {
		fmt.Fprintf(w, "replica_id %s\n", r.ReplicaID)
	}
	if r.DevKey != "" {
		fmt.Fprintf(w, "INSECURE   development key %q: the proof is worth nothing on a network\n", r.DevKey)
	}
	fmt.Fprintf(w, "verified   %d bytes in %s\n", r.ProofBytes, r.Out)
}

// stagesText writes stages in one line, those that took no time left out.
func stagesText(stages []stageTime) string {
	text := ""
	for _, s := range stages {
		if s.MS > 0 {
			if text != "" {
				text += ", "
			}
			text += s.Name + " " + secondsText(s.MS)
		}
	}
	return text
}

func secondsText(ms float64) string {
	d := time.Duration(ms * float64(time.Millisecond))
	return d.Round(roundTo(d)).String()
}
