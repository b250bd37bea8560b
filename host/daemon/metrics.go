package daemon

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/sealwright/sealwright/host"
)

// metrics are what the daemon tells monitoring. Names, labels and units are an
// interface, listed in docs/metrics.md. Gauges are read when somebody asks; times
// are observed as jobs end.
type metrics struct {
	registry *prometheus.Registry
	total    *prometheus.HistogramVec // by kind and result
	wait     *prometheus.HistogramVec // by kind
	stage    *prometheus.HistogramVec // by stage
}

// secondsBuckets span a WindowPoSt at 2 KiB and a 64 GiB PoRep on a CPU.
func secondsBuckets() []float64 {
	return []float64{0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 20, 30, 45, 60, 90, 120, 300, 600, 1800, 3600, 7200}
}

func newMetrics(d *daemon) *metrics {
	histogram := func(name, help string, labels ...string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: secondsBuckets()}, labels)
	}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		total:    histogram("sealwright_job_seconds", "From a job's submission to its end.", "kind", "result"),
		wait:     histogram("sealwright_job_queue_wait_seconds", "From a job's submission to its start, or its end where it never started.", "kind"),
		stage:    histogram("sealwright_partition_stage_seconds", "Of a proved partition, by stage.", "stage"),
	}
	m.registry.MustRegister(
		m.total, m.wait, m.stage, newCollector(d),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

// jobEnded observes a job that has ended.
func (m *metrics) jobEnded(j host.Job) {
	kind := j.Kind.String()
	m.total.WithLabelValues(kind, j.State.String()).Observe(j.Ended.Sub(j.Submitted).Seconds())
	m.wait.WithLabelValues(kind).Observe(j.QueueWait(j.Ended).Seconds())
	if j.Result == nil {
		return
	}
	for _, p := range j.Result.Partitions {
		m.stage.WithLabelValues("wait").Observe(p.Wait.Seconds())
		m.stage.WithLabelValues("synthesis").Observe(p.Synthesis.Seconds())
		m.stage.WithLabelValues("queue").Observe(p.Queue.Seconds())
		m.stage.WithLabelValues("device").Observe(p.Device.Seconds())
		m.stage.WithLabelValues("hand_over").Observe(p.HandOver.Seconds())
		m.stage.WithLabelValues("finish").Observe(p.Finish.Seconds())
		m.stage.WithLabelValues("verify").Observe(p.Verify.Seconds())
	}
}
