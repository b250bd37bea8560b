package plugin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sealwright/sealwright/plugin/pipeline"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/cpu"
	"github.com/sealwright/sealwright/sdk/enginepb"
	"go.uber.org/goleak"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func TestMain(m *testing.M) {
	if err := os.Mkdir(testDir, 0o700); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(status int) {
		_ = os.RemoveAll(testDir)
		os.Exit(status)
	}))
}

// noDevice is a backend of a machine that lacks what it needs.
type noDevice struct{ sdk.Backend }

func (noDevice) Describe() sdk.Description { return sdk.Description{Name: "none", Version: "7"} }

func (noDevice) Devices(context.Context) ([]sdk.DeviceInfo, error) {
	return nil, fmt.Errorf("%w: driver 535 is too old,\n580 is needed", sdk.ErrNoDevice)
}

func TestCommands(t *testing.T) {
	for _, c := range []struct {
		backend        sdk.Backend
		args           []string
		status         int
		stdout, stderr string
	}{
		{cpu.New(), []string{"probe"}, 0, "cpu\tcpu\t", ""},
		{noDevice{}, []string{"probe"}, enginepb.ExitNoDevice, "none: no usable device: driver 535 is too old, 580 is needed\n", ""},
		{noDevice{}, []string{"version"}, 0, "none 7\n", ""},
		{cpu.New(), []string{"prove"}, enginepb.ExitUsage, "", `unknown arguments ["prove"]`},
		{cpu.New(), []string{"probe", "--yaml"}, enginepb.ExitUsage, "", "expected \"probe\""},
	} {
		var stdout, stderr bytes.Buffer
		got := command(c.backend, c.args, &stdout, &stderr)
		if got != c.status || !strings.HasPrefix(stdout.String(), c.stdout) || !strings.Contains(stderr.String(), c.stderr) {
			t.Errorf("%v: status %d, stdout %q, stderr %q", c.args, got, stdout.String(), stderr.String())
		}
	}
}

func TestProbeJSON(t *testing.T) {
	for _, c := range []struct {
		backend sdk.Backend
		status  int
		devices int
	}{{cpu.New(), 0, 1}, {noDevice{}, enginepb.ExitNoDevice, 0}} {
		var stdout bytes.Buffer
		if got := command(c.backend, []string{"probe", "--json"}, &stdout, os.Stderr); got != c.status {
			t.Errorf("status %d, expected %d", got, c.status)
		}
		var report enginepb.Probe
		if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
			t.Fatalf("%q: %v", stdout.String(), err)
		}
		if len(report.Devices) != c.devices || (report.NoDevice == "") != (c.devices > 0) || report.Backend == "" {
			t.Errorf("report %+v", report)
		}
	}
}

func TestByHandIsOneSentence(t *testing.T) {
	var stderr bytes.Buffer
	if got := byHand(cpu.New(), &stderr); got != enginepb.ExitUsage {
		t.Errorf("status %d", got)
	}
	if s := stderr.String(); strings.Count(s, "\n") != 1 || !strings.Contains(s, "sealwright starts it (prove --engine") {
		t.Errorf("it says %q", s)
	}
}

func TestLogLinesAreHclogs(t *testing.T) {
	var out bytes.Buffer
	newLogger(&out).Warn("hot", "took", 1500*time.Microsecond, slog.Group("g", "level", 3))
	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	when, err := time.Parse(logTime, fmt.Sprint(line["@timestamp"]))
	if err != nil || time.Since(when) > time.Minute {
		t.Errorf("@timestamp %v: %v", line["@timestamp"], err)
	}
	if line["@level"] != "warn" || line["@message"] != "hot" || line["took"] != "1.5ms" || fmt.Sprint(line["g"]) != "map[level:3]" {
		t.Errorf("line %v", line)
	}
	t.Setenv(enginepb.LogLevelEnv, "debug")
	if logLevel() != slog.LevelDebug {
		t.Error("the host's level is not taken")
	}
}

func TestLifelineEndsTheEngine(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	exited := make(chan int)
	go watchLifeline(r, slog.New(slog.DiscardHandler), func(status int) { exited <- status })
	select {
	case <-exited:
		t.Fatal("the engine left while its host lives")
	case <-time.After(50 * time.Millisecond):
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if status := <-exited; status != 0 {
		t.Errorf("status %d", status)
	}
}

func TestLifelineVariable(t *testing.T) {
	for _, c := range []struct{ value, err string }{{"", ""}, {"x", `"x"`}, {"1", `"1"`}} {
		t.Setenv(enginepb.LifelineEnv, c.value)
		f, err := openLifeline()
		if f != nil || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %v, %v", c.value, f, err)
		}
	}
}

func TestCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		code codes.Code
	}{
		{errors.New("x"), codes.Internal},
		{fmt.Errorf("x: %w", sdk.ErrInvalidInput), codes.InvalidArgument},
		{fmt.Errorf("x: %w", sdk.ErrOutOfMemory), codes.ResourceExhausted},
		{fmt.Errorf("x: %w", &pipeline.BudgetError{}), codes.ResourceExhausted},
		{fmt.Errorf("x: %w", sdk.ErrDeviceLost), codes.Aborted},
		{fmt.Errorf("x: %w", sdk.ErrUnsupported), codes.Unimplemented},
		{fmt.Errorf("x: %w", sdk.ErrNoDevice), codes.FailedPrecondition},
		{precondition(sdk.ErrInvalidInput), codes.FailedPrecondition},
		{pipeline.ErrDraining, codes.Unavailable},
		{&pipeline.PanicError{Value: context.Canceled}, codes.Internal},
		{context.Canceled, codes.Canceled},
		{context.DeadlineExceeded, codes.DeadlineExceeded},
		{status.Error(codes.NotFound, "x"), codes.NotFound},
	} {
		if got := codeOf(c.err); got != c.code {
			t.Errorf("%v: %s, expected %s", c.err, got, c.code)
		}
	}
	if s, _ := status.FromError(statusOf(errors.New("two\nlines"))); s.Message() != "two lines" {
		t.Errorf("message %q", s.Message())
	}
}

func TestOutboxKeepsOrderAndEnds(t *testing.T) {
	var got []uint32
	o := newOutbox(func(m *enginepb.ProveResponse) error {
		got = append(got, m.GetProgress().GetPartition())
		return nil
	}, func(err error) { t.Error(err) })
	for k := range uint32(1000) {
		o.put(&enginepb.ProveResponse{Message: &enginepb.ProveResponse_Progress{Progress: &enginepb.Progress{Partition: k}}})
	}
	o.close()
	if len(got) != 1000 {
		t.Fatalf("%d answers sent, expected 1000", len(got))
	}
	for k, v := range got {
		if v != uint32(k) {
			t.Fatalf("answer %d is %d", k, v)
		}
	}
}

func TestOutboxTellsOfAFailure(t *testing.T) {
	failed := make(chan error, 1)
	o := newOutbox(func(*enginepb.ProveResponse) error { return errStreamEnded }, func(err error) { failed <- err })
	o.put(&enginepb.ProveResponse{})
	if err := <-failed; !errors.Is(err, errStreamEnded) {
		t.Error(err)
	}
	o.put(&enginepb.ProveResponse{})
	o.close()
}
