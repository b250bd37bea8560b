package main

import (
	"fmt"

	"github.com/sealwright/sealwright/host"
)

// watcher tells of a job as it goes on. The host calls it for one step at a
// time.
type watcher struct {
	app     *app
	tracker *tracker
	pid     int
	warned  bool
}

// jobSteps are the steps before the partitions', as they are told.
var jobSteps = map[host.Step]string{
	host.StepCheck: "check the input", host.StepEngine: "start the engine",
	host.StepKey: "load the proving key", host.StepInput: "send the input",
}

// checked is told once the input is found good.
func (w *watcher) checked(req *host.Request) {
	if req.Kind == host.PoRep && req.ProverID == nil {
		w.warnUnchecked()
	}
}

// proved is told once the proof is there. Only then it shows that a prover was
// named and no sector.
func (w *watcher) proved(r *host.Result) {
	w.tracker.end()
	if r.ReplicaID == host.ReplicaIDUnchecked {
		w.warnUnchecked()
	}
}

// warnUnchecked warns once.
func (w *watcher) warnUnchecked() {
	if !w.warned {
		w.warned = true
		w.app.warn("replica_id is unchecked: name the sector with --miner or --prover-id, and --sector, to have it checked")
	}
}

func (w *watcher) progress(p host.Progress) {
	if name, ok := jobSteps[p.Step]; ok {
		w.tracker.begin(name)
	} else if w.tracker.stage != proving {
		w.tracker.begin(proving)
	}
	if p.EnginePID != w.pid {
		w.pid = p.EnginePID
		w.app.note("engine is process %d", w.pid)
	}
	if p.Partition >= 0 {
		w.tracker.detail(fmt.Sprintf("partition %d of %d: %s", p.Partition+1, p.Partitions, p.Step), int64(p.Done), int64(p.Partitions))
	}
}

const proving = "prove"
