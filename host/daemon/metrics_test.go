package daemon

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/sealwright/sealwright/host/cuzkpb"
)

// freeAddress is a loopback address that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// TestMetricsAreListed proves something and holds docs/metrics.md against what
// the daemon then tells, names and labels both ways.
func TestMetricsAreListed(t *testing.T) {
	address := freeAddress(t)
	d := serve(t, func(o *Options) { o.Metrics = address })
	if _, err := d.Prove(t.Context(), &cuzkpb.ProveRequest{Submit: request(t, "metrics")}); err != nil {
		t.Fatal(err)
	}
	waitIdle(t, d)
	text := scrape(t, address)
	rpc, err := d.GetMetrics(t.Context(), &cuzkpb.GetMetricsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for from, text := range map[string]string{"http": text, "cuzk.v1": rpc.GetPrometheusText()} {
		told, listed := toldMetrics(t, text), listedMetrics(t)
		for name, labels := range told {
			if listed[name] != labels {
				t.Errorf("%s: %s has labels %q, docs/metrics.md lists %q", from, name, labels, listed[name])
			}
		}
		for name := range listed {
			if _, ok := told[name]; !ok {
				t.Errorf("%s: docs/metrics.md lists %s, which is not told", from, name)
			}
		}
	}
	for _, line := range []string{
		`sealwright_jobs_ended_total{result="proved"} 1`, `sealwright_engine_up 1`, `sealwright_engine_starts_total 1`,
		`sealwright_pipeline_alive_partitions 0`, `sealwright_pipeline_partitions_ended_total{result="proved"} 1`,
		`sealwright_job_seconds_count{kind="window-post",result="proved"} 1`, `sealwright_partition_stage_seconds_count{stage="device"} 1`,
		`sealwright_build_info{version="test"} 1`, `sealwright_memory_reserved_peak_bytes{place="host"} `,
	} {
		if !strings.Contains(text, line) {
			t.Errorf("metrics lack %s", line)
		}
	}
}

func scrape(t *testing.T, address string) string {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get(fmt.Sprintf("http://%s/metrics", address))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("status %s, %v", answer.Status, err)
	}
	return string(text)
}

// toldMetrics returns our metrics in an exposition with their labels.
func toldMetrics(t *testing.T, text string) map[string]string {
	t.Helper()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	told := make(map[string]string)
	for name, family := range families {
		if !strings.HasPrefix(name, "sealwright_") {
			continue
		}
		var labels []string
		for _, pair := range family.GetMetric()[0].GetLabel() {
			labels = append(labels, pair.GetName())
		}
		slices.Sort(labels)
		told[name] = strings.Join(labels, " ")
	}
	return told
}

// listedMetrics returns the metrics of docs/metrics.md with their labels.
func listedMetrics(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	row, label := regexp.MustCompile("(?m)^\\| `(sealwright_[a-z_]+)` \\|([^|]*)\\|"), regexp.MustCompile("`([a-z_]+)`")
	listed := make(map[string]string)
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		var labels []string
		for _, l := range label.FindAllStringSubmatch(m[2], -1) {
			labels = append(labels, l[1])
		}
		slices.Sort(labels)
		listed[m[1]] = strings.Join(labels, " ")
	}
	return listed
}

// BenchmarkMetrics measures what one look at the metrics costs the daemon: all
// of it, text included, over the socket.
func BenchmarkMetrics(b *testing.B) {
	d := serve(b)
	if _, err := d.PreloadSRS(b.Context(), &cuzkpb.PreloadSrsRequest{CircuitId: "wpost-2k"}); err != nil {
		b.Fatal(err)
	}
	waitIdle(b, d)
	for b.Loop() {
		if _, err := d.GetMetrics(b.Context(), &cuzkpb.GetMetricsRequest{}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestOptionsName(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"Socket is empty":      func(o *Options) { o.Socket = "" },
		"DrainTimeout is -1s":  func(o *Options) { o.DrainTimeout = -1e9 },
		"Host.Blinding is set": func(o *Options) { o.Host.Blinding = "x" },
		`found "0.0.0.0:9830"`: func(o *Options) { o.Metrics = "0.0.0.0:9830" },
		`found ":9830"`:        func(o *Options) { o.Metrics = ":9830" },
		`found "9830"`:         func(o *Options) { o.Metrics = "9830" },
		"MaxJobs is -1":        func(o *Options) { o.Queue.MaxJobs = -1 },
		"EnginePath is empty":  func(o *Options) { o.Host.EnginePath = "" },
	} {
		o := Options{Socket: "s", Metrics: "[::1]:9830"}
		o.Host.EnginePath = "engine"
		if err := o.Validate(); err != nil {
			t.Fatal(err)
		}
		change(&o)
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected one with %q", err, want)
		}
	}
}
