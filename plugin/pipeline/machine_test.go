package pipeline

import (
	"container/heap"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// world drives a Machine with a virtual clock and random luck, and checks the
// package's promises after every event.
type world struct {
	t      *rapid.T
	m      *Machine
	limits Limits
	bound  int
	clock  int
	events events
	seq    int

	state     map[ID]State
	priority  map[ID]Priority
	ends      map[ID]int
	running   map[ID]bool
	holds     map[HoldID]int64
	holdNeeds map[HoldID]int64
}

type event struct {
	at, seq int
	do      func()
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].seq < e[j].seq
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	old := *e
	last := old[len(old)-1]
	*e = old[:len(old)-1]
	return last
}

func (w *world) after(delay int, do func()) {
	w.seq++
	heap.Push(&w.events, event{w.clock + delay, w.seq, do})
}

func (w *world) apply(actions []Action) {
	for _, a := range actions {
		if a.Interrupt {
			continue
		}
		w.state[a.ID] = a.To
		switch {
		case a.To.Ended():
			w.ends[a.ID]++
		case a.To.running():
			if w.running[a.ID] {
				w.t.Fatalf("partition %d runs two stages at once", a.ID)
			}
			w.running[a.ID] = true
			ok := a.To == Discarding || rapid.IntRange(0, 9).Draw(w.t, "luck") > 0
			w.after(rapid.IntRange(1, 30).Draw(w.t, "duration"), func() {
				w.running[a.ID] = false
				w.apply(w.m.StageDone(a.ID, ok))
			})
		}
	}
	w.check()
}

func (w *world) check() {
	alive, reserved := 0, int64(0)
	for _, p := range w.m.partitions {
		if p.admitted {
			alive++
		}
		reserved += p.reserved
	}
	for id, bytes := range w.holds {
		if w.m.Granted(id) {
			reserved += bytes
		}
	}
	c := w.m.Counts()
	if alive != c.Alive || reserved != c.Reserved {
		w.t.Fatalf("counters: alive %d, reserved %d; found %d, %d", c.Alive, c.Reserved, alive, reserved)
	}
	if w.bound > 0 && alive > w.bound {
		w.t.Fatalf("%d partitions alive, bound %d", alive, w.bound)
	}
	if w.limits.Budget > 0 && reserved > w.limits.Budget {
		w.t.Fatalf("%d bytes reserved of %d", reserved, w.limits.Budget)
	}
	if c.Permits > w.limits.Permits || c.Workers > w.limits.DeviceWorkers || c.Slots > w.limits.FinishSlots {
		w.t.Fatalf("places passed: %+v", c)
	}
	w.checkOrder()
}

// checkOrder holds that no partition was let in while one of higher priority,
// submitted before it, still waits, but for those that aging moved up.
func (w *world) checkOrder() {
	first := w.m.waiting.first()
	if first < 0 {
		return
	}
	for _, p := range w.m.waiting {
		if p.passed > overtakes*int(Critical-Low+1)+w.limits.Permits {
			w.t.Fatalf("partition %d of priority %s was passed %d times", p.id, p.priority, p.passed)
		}
	}
}

func TestMachineKeepsItsPromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policies := []Policy{HoldUntilAccepted{}, ChannelPermits{}, BytesOnly{}, EarlyRelease{}}
		limits := Limits{
			Permits:       rapid.IntRange(1, 6).Draw(t, "permits"),
			DeviceWorkers: rapid.IntRange(1, 3).Draw(t, "workers"),
			FinishSlots:   rapid.IntRange(1, 3).Draw(t, "slots"),
			Budget:        rapid.SampledFrom([]int64{0, 50, 100, 400}).Draw(t, "budget"),
			Policy:        rapid.SampledFrom(policies).Draw(t, "policy"),
		}
		m, err := NewMachine(limits)
		if err != nil {
			t.Fatal(err)
		}
		bound, _ := limits.AliveBound()
		w := &world{
			t: t, m: m, limits: m.Limits(), bound: bound,
			state: map[ID]State{}, priority: map[ID]Priority{}, ends: map[ID]int{}, running: map[ID]bool{},
			holds: map[HoldID]int64{}, holdNeeds: map[HoldID]int64{},
		}
		w.script(rapid.IntRange(1, 40).Draw(t, "submissions"))
		for w.events.Len() > 0 {
			e := heap.Pop(&w.events).(event)
			w.clock = e.at
			e.do()
		}
		w.checkEnd()
	})
}

// script schedules submissions, cancels, shrinks and holds.
func (w *world) script(submissions int) {
	bytes := rapid.Int64Range(0, 60)
	for range submissions {
		need := Need{bytes.Draw(w.t, "synthesis"), bytes.Draw(w.t, "device"), bytes.Draw(w.t, "finish")}
		priority := Priority(rapid.IntRange(int(Low), int(Critical)).Draw(w.t, "priority"))
		cancel := rapid.IntRange(0, 200).Draw(w.t, "cancel")
		w.after(rapid.IntRange(0, 60).Draw(w.t, "at"), func() {
			id, actions, err := w.m.Submit(priority, need)
			if err != nil {
				w.refused(err, need.Whole())
				return
			}
			w.priority[id] = priority
			w.apply(actions)
			if cancel < 100 {
				w.after(cancel, func() { w.apply(w.m.Cancel(id)) })
				w.after(cancel/2, func() { w.apply(w.m.Shrink(id, int64(cancel))) })
			}
		})
	}
	for range rapid.IntRange(0, 6).Draw(w.t, "holds") {
		size, need, life := bytes.Draw(w.t, "hold"), bytes.Draw(w.t, "need"), rapid.IntRange(1, 80).Draw(w.t, "life")
		w.after(rapid.IntRange(0, 60).Draw(w.t, "at"), func() {
			id, _, err := w.m.Hold(size, need)
			if err != nil {
				w.refused(err, size+need)
				return
			}
			w.holds[id] = size
			w.after(life, func() {
				delete(w.holds, id)
				w.apply(w.m.Unhold(id))
			})
		})
	}
}

func (w *world) refused(err error, need int64) {
	var budget *BudgetError
	if !errors.As(err, &budget) || w.limits.Budget == 0 || need <= w.limits.Budget-budget.Held {
		w.t.Fatalf("refused %d bytes of %d: %v", need, w.limits.Budget, err)
	}
}

func (w *world) checkEnd() {
	for id, state := range w.state {
		if !state.Ended() || w.ends[id] != 1 {
			w.t.Fatalf("partition %d is %s and ended %d times", id, state, w.ends[id])
		}
	}
	c := w.m.Counts()
	if !w.m.Idle() || c.Alive+c.Permits+c.Channel+c.Workers+c.Slots+c.HoldsWaiting != 0 || c.Reserved != 0 {
		w.t.Fatalf("not back at zero: %+v", c)
	}
	if ended := c.Proved + c.Failed + c.Cancelled; ended != uint64(len(w.state)) {
		w.t.Fatalf("%d of %d partitions ended", ended, len(w.state))
	}
}

func TestMachinePermitIsHeldUntilTheChannelAccepts(t *testing.T) {
	m, err := NewMachine(Limits{Permits: 2})
	if err != nil {
		t.Fatal(err)
	}
	for range 6 {
		if _, _, err := m.Submit(Normal, Need{}); err != nil {
			t.Fatal(err)
		}
	}
	// 1 reaches the device, 2 the channel; 3 and 4 end synthesis and keep their permits.
	for id := ID(1); id <= 4; id++ {
		m.StageDone(id, true)
	}
	c := m.Counts()
	if c.OnDevice != 1 || c.Queued != 1 || c.Synthesized != 2 || c.Permits != 2 || c.Synthesis != 0 || c.Waiting != 2 {
		t.Fatalf("permits given back too early: %+v", c)
	}
	m.StageDone(1, true) // the finish slot takes 1, the device 2, the channel 3
	c = m.Counts()
	if c.Finishing != 1 || c.OnDevice != 1 || c.Queued != 1 || c.Synthesized != 1 || c.Synthesis != 1 {
		t.Fatalf("after the device is free: %+v", c)
	}
	m.StageDone(2, true) // the only finish slot is taken: 2 keeps the device
	if c = m.Counts(); c.Computed != 1 || c.OnDevice != 0 || c.Workers != 1 || c.Queued != 1 {
		t.Fatalf("device handed on without a finish slot: %+v", c)
	}
}

func TestMachineOrder(t *testing.T) {
	m, err := NewMachine(Limits{Permits: 1})
	if err != nil {
		t.Fatal(err)
	}
	started := func(actions []Action) (ids []ID) {
		for _, a := range actions {
			if a.To == Synthesis && !a.Interrupt {
				ids = append(ids, a.ID)
			}
		}
		return ids
	}
	var order []ID
	for _, p := range []Priority{Normal, Low, Normal, Critical, High, Critical} {
		_, actions, err := m.Submit(p, Need{})
		if err != nil {
			t.Fatal(err)
		}
		order = append(order, started(actions)...)
	}
	for i := 0; i < len(order); i++ {
		order = append(order, started(m.StageDone(order[i], false))...)
	}
	want := []ID{1, 4, 6, 5, 3, 2}
	for i := range want {
		if len(order) != len(want) || order[i] != want[i] {
			t.Fatalf("order %v, expected %v", order, want)
		}
	}
}

func TestMachineLowPriorityDoesNotStarve(t *testing.T) {
	m, err := NewMachine(Limits{Permits: 1})
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := m.Submit(Critical, Need{})
	low, _, _ := m.Submit(Low, Need{})
	running := first
	for n := range 100 {
		if _, _, err := m.Submit(Critical, Need{}); err != nil {
			t.Fatal(err)
		}
		for _, a := range m.StageDone(running, false) {
			if a.To == Synthesis {
				running = a.ID
			}
		}
		if running == low {
			t.Logf("started after %d others", n)
			return
		}
	}
	t.Fatal("a low partition waited behind 100 critical ones")
}
