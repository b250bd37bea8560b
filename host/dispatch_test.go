package host

import (
	"fmt"
	"testing"

	"github.com/sealwright/sealwright/sdk/enginepb"
)

// handedOut takes the partitions that a job has been given.
func handedOut(a *assignments) (ks []int) {
	for {
		select {
		case k := <-a.next:
			ks = append(ks, k)
		default:
			return ks
		}
	}
}

func TestDispatcherKeepsToCreditsAndPriority(t *testing.T) {
	d := new(dispatcher)
	normal := newAssignments(enginepb.Priority_PRIORITY_NORMAL, []int{0, 1, 2})
	d.add(normal)
	if got := handedOut(normal); got != nil {
		t.Errorf("without credits partitions %v were handed out", got)
	}
	d.report(1)
	high := newAssignments(enginepb.Priority_PRIORITY_HIGH, []int{5, 6})
	d.add(high)
	if got := fmt.Sprint(handedOut(normal), handedOut(high)); got != "[0] []" {
		t.Errorf("with one credit: %s", got)
	}
	d.acknowledge(normal)
	d.report(2)
	if got := fmt.Sprint(handedOut(normal), handedOut(high)); got != "[] [5 6]" {
		t.Errorf("with two credits more: %s", got)
	}
	d.remove(high) // its credits come back, as it has not acknowledged
	if got := fmt.Sprint(handedOut(normal)); got != "[1 2]" {
		t.Errorf("after the high one's end: %s", got)
	}
}

func TestDispatcherStarvesNone(t *testing.T) {
	d := new(dispatcher)
	low := newAssignments(enginepb.Priority_PRIORITY_LOW, []int{0})
	d.add(low)
	for n := 1; ; n++ {
		high := newAssignments(enginepb.Priority_PRIORITY_CRITICAL, []int{0})
		d.add(high)
		d.report(1)
		if len(handedOut(low)) == 1 {
			return
		}
		if n > 4*overtakes {
			t.Fatalf("%d later partitions were handed out before the low one", n)
		}
		d.acknowledge(high)
		d.remove(high)
	}
}
