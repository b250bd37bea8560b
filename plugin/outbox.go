package plugin

import (
	"sync"

	"github.com/sealwright/sealwright/sdk/enginepb"
)

// outbox sends a stream's answers in order, from a goroutine of its own, so that
// nobody who has something to say waits for the network.
type outbox struct {
	send func(*enginepb.ProveResponse) error
	fail func(error) // told the first error of send

	mu      sync.Mutex
	waiting []*enginepb.ProveResponse
	closed  bool
	wake    chan struct{} // has room for one
	done    chan struct{}
}

func newOutbox(send func(*enginepb.ProveResponse) error, fail func(error)) *outbox {
	o := &outbox{send: send, fail: fail, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go o.run()
	return o
}

// put queues an answer. It never blocks.
func (o *outbox) put(m *enginepb.ProveResponse) {
	o.mu.Lock()
	o.waiting = append(o.waiting, m)
	o.mu.Unlock()
	o.signal()
}

// close sends what is queued and returns when it is sent or sending has failed.
func (o *outbox) close() {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.signal()
	<-o.done
}

func (o *outbox) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *outbox) run() {
	defer close(o.done)
	for range o.wake {
		for {
			o.mu.Lock()
			batch, closed := o.waiting, o.closed
			o.waiting = nil
			o.mu.Unlock()
			for _, m := range batch {
				if err := o.send(m); err != nil {
					o.fail(err)
					return
				}
			}
			if len(batch) == 0 && closed {
				return
			}
			if len(batch) == 0 {
				break
			}
		}
	}
}
