package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"google.golang.org/grpc"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/host/adminpb"
	"github.com/sealwright/sealwright/host/cuzkpb"
)

// maxMessageBytes is how large a message may be, either way: Curio's clients
// allow so much.
const maxMessageBytes = 256 << 20

// daemon is what the servers share.
type daemon struct {
	options Options
	log     *slog.Logger
	started time.Time
	host    *host.Host
	queue   *host.Queue
	metrics *metrics
}

// Run serves until ctx ends, then drains: it takes no new jobs, waits for those
// that are there up to DrainTimeout, and answers whoever waits. It returns
// context.DeadlineExceeded where jobs had to be cancelled, nil where none had, other
// errors where it could not serve. No process, socket or goroutine of it is left.
func Run(ctx context.Context, options Options) (err error) {
	if err := options.Validate(); err != nil {
		return err
	}
	d := &daemon{options: options, log: options.Logger, started: time.Now()}
	if d.log == nil {
		d.log = slog.Default()
	}
	listener, err := listenUnix(options.Socket)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // already closed by the server where it ran
	var scrapes net.Listener
	if options.Metrics != "" {
		if scrapes, err = net.Listen("tcp", options.Metrics); err != nil {
			return fmt.Errorf("listen for metrics: %w", err)
		}
		defer func() { _ = scrapes.Close() }()
	}
	if err := d.open(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.host.Close()) }()
	return d.serve(ctx, listener, scrapes)
}

// open makes host, queue and metrics.
func (d *daemon) open(ctx context.Context) error {
	d.metrics = newMetrics(d)
	queue := d.options.Queue
	queue.Logger, queue.Ended = d.log, d.metrics.jobEnded
	if err := queue.Validate(); err != nil {
		return err
	}
	engine := d.options.Host
	engine.Logger = d.log
	var err error
	if d.host, err = host.New(ctx, engine); err != nil {
		return err
	}
	if d.queue, err = host.NewQueue(d.host, queue); err != nil {
		return errors.Join(err, d.host.Close())
	}
	return nil
}

// serve answers until ctx ends, then drains.
func (d *daemon) serve(ctx context.Context, listener, scrapes net.Listener) error {
	rpc := grpc.NewServer(grpc.MaxRecvMsgSize(maxMessageBytes), grpc.MaxSendMsgSize(maxMessageBytes))
	cuzkpb.RegisterProvingEngineServer(rpc, &minerServer{d: d})
	adminpb.RegisterAdminServer(rpc, &operatorServer{d: d})
	pages := &http.Server{Handler: d.pages(), ReadHeaderTimeout: readHeaderTimeout, ErrorLog: slog.NewLogLogger(d.log.Handler(), slog.LevelDebug)}

	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var work sync.WaitGroup
	defer work.Wait()
	work.Go(func() {
		if err := rpc.Serve(listener); err != nil {
			stop(&serveError{err})
		}
	})
	if scrapes != nil {
		work.Go(func() {
			if err := pages.Serve(scrapes); !errors.Is(err, http.ErrServerClosed) {
				stop(&serveError{err})
			}
		})
		d.log.Info("metrics", "address", "http://"+scrapes.Addr().String()+"/metrics")
	}
	work.Go(func() { d.startEngine(ctx) })
	d.log.Info("serving", "socket", d.options.Socket, "version", d.options.Version)

	<-ctx.Done()
	err := d.drain()
	d.shut(rpc, pages)
	if broken := (*serveError)(nil); errors.As(context.Cause(ctx), &broken) {
		return errors.Join(broken, err)
	}
	return err
}

// serveError is the end of a server that was not asked to end.
type serveError struct{ err error }

func (e *serveError) Error() string { return "serve: " + e.err.Error() }
func (e *serveError) Unwrap() error { return e.err }

// startEngine starts the engine before the first job asks for it. An engine that
// does not start is told of; the daemon goes on, and each job tries again.
func (d *daemon) startEngine(ctx context.Context) {
	if err := d.host.Start(ctx); err != nil && ctx.Err() == nil {
		d.log.Error("start engine; the next job tries again", "error", err)
	}
}

// drain ends the queue, within the limit.
func (d *daemon) drain() error {
	counts := d.queue.Counts()
	d.log.Info("draining", "running", counts.Running, "queued", counts.Queued, "limit", d.options.DrainTimeout)
	limit, stop := context.WithTimeout(context.Background(), d.options.DrainTimeout)
	defer stop()
	err := d.queue.Drain(limit)
	if err != nil {
		d.log.Warn("jobs were cancelled", "error", err)
	}
	return err
}

// shut lets answers go out and ends the servers.
func (d *daemon) shut(rpc *grpc.Server, pages *http.Server) {
	cut := time.AfterFunc(answerTimeout, rpc.Stop)
	defer cut.Stop()
	rpc.GracefulStop()
	limit, stop := context.WithTimeout(context.Background(), answerTimeout)
	defer stop()
	if err := pages.Shutdown(limit); err != nil {
		_ = pages.Close()
	}
	d.log.Info("ended")
}

// pages serves what people and scrapers read.
func (d *daemon) pages() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(d.metrics.registry, promhttp.HandlerOpts{}))
	return mux
}

// hasKey tells whether the engine has told that a circuit's key is loaded.
func (d *daemon) hasKey(circuit string) bool {
	report, _ := d.host.Engine()
	for _, k := range report.Keys {
		if k.CircuitID == circuit {
			return true
		}
	}
	return false
}
