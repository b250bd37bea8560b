package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/sealwright/sealwright/host"
)

// benchSample is what a run looked like at a moment.
type benchSample struct {
	at           time.Duration
	engine, self processMemory
	report       host.EngineReport
}

// sampler looks at a run every now and then.
type sampler struct {
	done    chan struct{}
	group   sync.WaitGroup
	samples []benchSample
}

func startSampler(h *host.Host, run *benchRun) *sampler {
	s := &sampler{done: make(chan struct{})}
	s.group.Go(func() {
		ticker := time.NewTicker(sampleEvery)
		defer ticker.Stop()
		for {
			s.take(h, run)
			select {
			case <-ticker.C:
			case <-s.done:
				s.take(h, run)
				return
			}
		}
	})
	return s
}

// take takes a sample. A process that cannot be looked at has taken no memory.
func (s *sampler) take(h *host.Host, run *benchRun) {
	report, ok := h.Engine()
	if !ok {
		return
	}
	engine, _ := readProcessMemory(procRoot, run.engine.PID)
	self, _ := readProcessMemory(procRoot, os.Getpid())
	s.samples = append(s.samples, benchSample{at: time.Since(run.began), engine: engine, self: self, report: report})
}

func (s *sampler) stop() []benchSample {
	close(s.done)
	s.group.Wait()
	return s.samples
}

// writeCSV writes the samples, a line each: seconds, then bytes and counts.
func (run *benchRun) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	header := []string{
		"seconds", "engine_anon_shared", "engine_file", "host_anon_shared", "host_file", "reserved", "used",
		"alive", "waiting", "synthesis", "synthesized", "queued", "device", "finish",
	}
	for _, b := range run.before.Buffers {
		header = append(header, b.Kind+"_count", b.Kind+"_bytes")
	}
	if err := out.Write(header); err != nil {
		return fmt.Errorf("write samples: %w", err)
	}
	for i := range run.samples {
		if err := out.Write(run.samples[i].record()); err != nil {
			return fmt.Errorf("write samples: %w", err)
		}
	}
	out.Flush()
	return out.Error()
}

func (s *benchSample) record() []string {
	p := s.report.Pipeline
	record := []string{strconv.FormatFloat(s.at.Seconds(), 'f', 3, 64)}
	numbers := []int64{
		s.engine.owned(), s.engine.File, s.self.owned(), s.self.File, s.report.Memory.Reserved, s.report.Memory.Used,
		int64(p.Alive), int64(p.Waiting), int64(p.Synthesis), int64(p.Synthesized), int64(p.Queued), int64(p.Device), int64(p.Finish),
	}
	for _, b := range s.report.Buffers {
		numbers = append(numbers, b.Count, b.Bytes)
	}
	for _, n := range numbers {
		record = append(record, strconv.FormatInt(n, 10))
	}
	return record
}
