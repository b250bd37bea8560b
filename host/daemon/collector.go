package daemon

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/sealwright/sealwright/host"
)

// collector reads host and queue when somebody asks for the metrics. What only
// an engine knows is absent while none reports.
type collector struct{ d *daemon }

func newCollector(d *daemon) collector { return collector{d} }

// metric is one of the collector's metrics: a description, and how its values
// are written.
type metric struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
}

func gauge(name, help string, labels ...string) metric {
	return metric{prometheus.NewDesc(name, help, labels, nil), prometheus.GaugeValue}
}

func counter(name, help string, labels ...string) metric {
	return metric{prometheus.NewDesc(name, help, labels, nil), prometheus.CounterValue}
}

// catalog holds the metrics by field, so that each is named once.
type catalog struct {
	build, uptime, draining, jobs, jobsEnded, jobsRefused                          metric
	engineState, engineUp, engineStarts, engineDeaths, engineAge, credits, permits metric
	partitions, alive, alivePeak, partitionsEnded                                  metric
	operations, busy                                                               metric
	buffers, bufferBytes, bufferHigh                                               metric
	budget, reserved, reservedPeak, used, usedPeak                                 metric
	keyFile, keyResident                                                           metric
}

func newCatalog() *catalog {
	return &catalog{
		build:    gauge("sealwright_build_info", "1, with the daemon's version.", "version"),
		uptime:   gauge("sealwright_uptime_seconds", "Since the daemon's start."),
		draining: gauge("sealwright_draining", "1 while the daemon takes no more jobs."),

		jobs:        gauge("sealwright_jobs", "Jobs that wait or run.", "state"),
		jobsEnded:   counter("sealwright_jobs_ended_total", "Jobs that have ended.", "result"),
		jobsRefused: counter("sealwright_jobs_refused_total", "Requests that were not taken: queue full, or draining."),

		engineState:  gauge("sealwright_engine_state", "1 for the state that the engine's slot is in.", "state"),
		engineUp:     gauge("sealwright_engine_up", "1 while an engine takes work."),
		engineStarts: counter("sealwright_engine_starts_total", "Engines that came to take work."),
		engineDeaths: counter("sealwright_engine_deaths_total", "Engines that died or did not start.", "class"),
		engineAge:    gauge("sealwright_engine_report_age_seconds", "Since the engine's last report."),
		credits:      gauge("sealwright_engine_credits", "Partitions that the engine would take now."),
		permits:      gauge("sealwright_engine_permits", "Partitions that may be held before the device has them."),

		partitions:      gauge("sealwright_pipeline_partitions", "Partitions in the engine.", "stage"),
		alive:           gauge("sealwright_pipeline_alive_partitions", "Partitions that hold memory."),
		alivePeak:       gauge("sealwright_pipeline_alive_partitions_peak", "The most partitions that held memory since the engine's start."),
		partitionsEnded: counter("sealwright_pipeline_partitions_ended_total", "Partitions that have ended, since the engine's start.", "result"),

		operations: counter("sealwright_device_operations_total", "Operations that the device has finished, since the engine's start."),
		busy:       gauge("sealwright_device_busy", "1 while the device computes."),

		buffers:     gauge("sealwright_buffers", "Large buffers alive in the engine.", "kind"),
		bufferBytes: gauge("sealwright_buffer_bytes", "Bytes of large buffers alive in the engine.", "kind"),
		bufferHigh:  gauge("sealwright_buffer_high_water_bytes", "The most bytes of large buffers since the engine's start.", "kind"),

		budget:       gauge("sealwright_memory_budget_bytes", "What the engine may have; 0: no limit.", "place"),
		reserved:     gauge("sealwright_memory_reserved_bytes", "What is promised to partitions, inputs and keys.", "place"),
		reservedPeak: gauge("sealwright_memory_reserved_peak_bytes", "The most that was promised since the engine's start.", "place"),
		used:         gauge("sealwright_memory_used_bytes", "What is alive.", "place"),
		usedPeak:     gauge("sealwright_memory_used_peak_bytes", "The most that was alive since the engine's start.", "place"),

		keyFile:     gauge("sealwright_key_file_bytes", "Of a loaded proving key: mapped from its file.", "circuit"),
		keyResident: gauge("sealwright_key_resident_bytes", "Of a loaded proving key: kept beside the file.", "circuit"),
	}
}

// Describe implements prometheus.Collector. It describes nothing: which labels
// there are is only known when somebody asks.
func (collector) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (c collector) Collect(out chan<- prometheus.Metric) {
	w := writer{out, newCatalog()}
	w.daemon(c.d)
	s := c.d.host.Snapshot()
	w.engine(s)
	if s.Report != nil {
		w.report(s.Report)
	}
}

// writer writes metrics to out.
type writer struct {
	out chan<- prometheus.Metric
	*catalog
}

func (w writer) put(m metric, value float64, labels ...string) {
	w.out <- prometheus.MustNewConstMetric(m.desc, m.kind, value, labels...)
}

func (w writer) daemon(d *daemon) {
	w.put(w.build, 1, d.options.Version)
	w.put(w.uptime, time.Since(d.started).Seconds())
	w.put(w.draining, oneIf(d.queue.Draining()))
	c := d.queue.Counts()
	w.put(w.jobs, float64(c.Queued), host.JobQueued.String())
	w.put(w.jobs, float64(c.Running), host.JobRunning.String())
	w.put(w.jobsEnded, float64(c.Proved), host.JobProved.String())
	w.put(w.jobsEnded, float64(c.Failed), host.JobFailed.String())
	w.put(w.jobsEnded, float64(c.Cancelled), host.JobCancelled.String())
	w.put(w.jobsRefused, float64(c.Refused))
}

func (w writer) engine(s host.Snapshot) {
	for state := host.SlotIdle; state <= host.SlotClosed; state++ {
		w.put(w.engineState, oneIf(state == s.State), state.String())
	}
	w.put(w.engineUp, oneIf(s.State == host.SlotReady))
	w.put(w.engineStarts, float64(s.Starts))
	for class := host.ExitClean; class <= host.ExitWrongProof; class++ {
		w.put(w.engineDeaths, float64(s.Deaths[class]), class.String())
	}
}

func (w writer) report(r *host.EngineReport) {
	w.put(w.engineAge, time.Since(r.At).Seconds())
	w.put(w.credits, float64(r.Credits))
	w.put(w.permits, float64(r.Engine.Permits))
	p := r.Pipeline
	for _, s := range []struct {
		stage string
		n     int
	}{
		{"waiting", p.Waiting}, {"synthesis", p.Synthesis}, {"synthesized", p.Synthesized}, {"queued", p.Queued}, {"device", p.Device}, {"finish", p.Finish},
	} {
		w.put(w.partitions, float64(s.n), s.stage)
	}
	w.put(w.alive, float64(p.Alive))
	w.put(w.alivePeak, float64(p.AlivePeak))
	w.put(w.partitionsEnded, float64(p.Proved), host.JobProved.String())
	w.put(w.partitionsEnded, float64(p.Failed), host.JobFailed.String())
	w.put(w.partitionsEnded, float64(p.Cancelled), host.JobCancelled.String())
	w.put(w.operations, float64(r.Progress))
	w.put(w.busy, oneIf(r.Busy))
	for _, b := range r.Buffers {
		w.put(w.buffers, float64(b.Count), b.Kind)
		w.put(w.bufferBytes, float64(b.Bytes), b.Kind)
		w.put(w.bufferHigh, float64(b.HighWater), b.Kind)
	}
	w.memory(r.Memory, "host")
	w.memory(r.Device, "device")
	for _, k := range r.Keys {
		w.put(w.keyFile, float64(k.File), k.CircuitID)
		w.put(w.keyResident, float64(k.Resident), k.CircuitID)
	}
}

func (w writer) memory(r host.MemoryReport, place string) {
	w.put(w.budget, float64(r.Budget), place)
	w.put(w.reserved, float64(r.Reserved), place)
	w.put(w.reservedPeak, float64(r.ReservedPeak), place)
	w.put(w.used, float64(r.Used), place)
	w.put(w.usedPeak, float64(r.UsedPeak), place)
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
