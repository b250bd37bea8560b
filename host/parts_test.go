package host

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/enginepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"pgregory.net/rapid"
)

func TestDispatcherOrder(t *testing.T) {
	d := new(dispatcher)
	normal := newAssignments(enginepb.Priority_PRIORITY_NORMAL, []int{0, 1, 2})
	urgent := newAssignments(enginepb.Priority_PRIORITY_CRITICAL, []int{5})
	d.add(normal)
	d.report(1)
	d.add(urgent)
	if got := len(normal.next); got != 1 || len(urgent.next) != 0 {
		t.Fatalf("%d and %d handed out with one credit", got, len(urgent.next))
	}
	d.acknowledge(normal) // the credit is used: the engine says when there is another
	if len(urgent.next) != 0 {
		t.Fatal("handed out without a credit")
	}
	d.report(1)
	if len(urgent.next) != 1 || len(normal.next) != 1 {
		t.Fatal("the most urgent job is not the next")
	}
	d.remove(urgent) // it was never acknowledged: its credit is free again
	if len(normal.next) != 2 {
		t.Fatal("the credit of a job that has gone is lost")
	}
}

// TestDispatcherKeepsToItsCredits plays an engine that takes what it is assigned
// and says its credits now and then.
func TestDispatcherKeepsToItsCredits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := new(dispatcher)
		permits := rapid.IntRange(1, 4).Draw(t, "permits")
		var jobs []*assignments
		busy, left := 0, 0
		for steps := 0; steps < 400; steps++ {
			switch rapid.IntRange(0, 4).Draw(t, "event") {
			case 0:
				n := rapid.IntRange(1, 10).Draw(t, "partitions")
				if len(jobs) < 5 {
					a := newAssignments(enginepb.Priority(rapid.IntRange(1, 4).Draw(t, "priority")), make([]int, n))
					jobs, left = append(jobs, a), left+n
					d.add(a)
				}
			case 1: // an assignment arrives and is acknowledged
				if i := slices.IndexFunc(jobs, func(a *assignments) bool { return len(a.next) > 0 }); i >= 0 {
					<-jobs[i].next
					busy++
					left--
					d.acknowledge(jobs[i])
				}
			case 2: // a partition leaves the engine's permits
				busy = max(0, busy-1)
			case 3:
				d.report(max(0, permits-busy))
			}
			flying := 0
			for _, a := range jobs {
				flying += len(a.next)
			}
			if flying > permits {
				t.Fatalf("%d assignments on their way with %d permits", flying, permits)
			}
		}
		for left > 0 { // no job is forgotten
			d.report(permits)
			for _, a := range jobs {
				for len(a.next) > 0 {
					<-a.next
					left--
					d.acknowledge(a)
				}
			}
		}
	})
}

func TestTailKeepsTheEndAndTheCrash(t *testing.T) {
	var s tail
	_, _ = s.Write([]byte("panic: the device is on fire"))
	_, _ = s.Write([]byte("\n"))
	for i := range 10000 {
		_, _ = fmt.Fprintf(&s, "goroutine %d\n", i)
	}
	text := s.String()
	if len(text) > tailBytes+100 || !strings.HasSuffix(text, "goroutine 9999\n") {
		t.Errorf("%d bytes kept, ending in %q", len(text), text[len(text)-20:])
	}
	if words := lastWords(text); words != "panic: the device is on fire" {
		t.Errorf("last words %q", words)
	}
}

func TestLastWords(t *testing.T) {
	for _, c := range []struct{ stderr, want string }{
		{"", ""},
		{`{"@level":"info","@message":"configured"}` + "\n", ""},
		{`{"@level":"error","@message":"open device","error":"no memory"}` + "\n", "open device: no memory"},
		{"a\n" + `{"@level":"warn","@message":"hot"}` + "\n" + `{"@level":"info","@message":"x"}` + "\n", "hot"},
		{"x\nfatal error: out of memory\n\ngoroutine 1:\n", "fatal error: out of memory"},
		{strings.Repeat("y", 1000), strings.Repeat("y", maxWords) + "..."},
	} {
		if got := lastWords(c.stderr); got != c.want {
			t.Errorf("%q: %q, expected %q", c.stderr, got, c.want)
		}
	}
}

func TestCallErrors(t *testing.T) {
	for code, want := range map[codes.Code]error{
		codes.InvalidArgument: sdk.ErrInvalidInput, codes.ResourceExhausted: sdk.ErrOutOfMemory,
		codes.Unimplemented: sdk.ErrUnsupported, codes.Aborted: sdk.ErrDeviceLost, codes.Internal: ErrEngine,
		codes.FailedPrecondition: ErrEngine,
	} {
		err := callError("prove", status.Error(code, "why"))
		if !errors.Is(err, want) || err.Error() != "prove: why" {
			t.Errorf("%s: %v", code, err)
		}
	}
	if err := keyError("load", status.Error(codes.FailedPrecondition, "why")); !errors.Is(err, ErrKey) {
		t.Errorf("key: %v", err)
	}
}

func TestHclogger(t *testing.T) {
	var out bytes.Buffer
	own := newHclogger(slog.New(slog.NewTextHandler(&out, nil)))
	own.Error("go-plugin's own")
	if out.Len() != 0 {
		t.Errorf("go-plugin's own line at info level: %s", out.String())
	}
	engine := own.Named("engine").With("a", 1)
	engine.Debug("no")
	engine.Log(hclog.Warn, "hot", "timestamp", "now", "c", 12345678.0, "b", 2.5)
	if got := out.String(); !strings.Contains(got, "level=WARN msg=hot a=1 b=2.5 c=12345678\n") || strings.Contains(got, "no") {
		t.Errorf("line %q", got)
	}
	if engine.GetLevel() != hclog.Info || engine.IsDebug() || !engine.IsWarn() {
		t.Errorf("level %s", engine.GetLevel())
	}
}

func TestOptionsNameTheField(t *testing.T) {
	for field, o := range map[string]Options{
		"EnginePath":  {},
		"HostBytes":   {EnginePath: "x", HostBytes: -1},
		"DeviceBytes": {EnginePath: "x", DeviceBytes: -1},
		"Threads":     {EnginePath: "x", Threads: -1},
		"Permits":     {EnginePath: "x", Permits: -1},
		"DevKeyLabel": {EnginePath: "x", DevKeyLabel: "a\nb"},
	} {
		if _, err := New(t.Context(), o); err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func TestNames(t *testing.T) {
	for state := SlotIdle; state <= SlotClosed; state++ {
		if strings.HasPrefix(state.String(), "SlotState") {
			t.Errorf("state %d has no name", state)
		}
	}
	for class := ExitClean; class <= ExitWrongProof; class++ {
		if strings.HasPrefix(class.String(), "ExitClass") {
			t.Errorf("class %d has no name", class)
		}
	}
	if SlotState(99).String() != "SlotState(99)" || ExitClass(99).String() != "ExitClass(99)" || Kind(9).String() != "Kind(9)" {
		t.Error("unknown values are not told")
	}
}
