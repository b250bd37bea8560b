package plugin

import (
	"time"

	"github.com/sealwright/sealwright/plugin/pipeline"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/enginepb"
	"google.golang.org/grpc"
)

// Watch implements enginepb.EngineServer.
func (s *server) Watch(req *enginepb.WatchRequest, stream grpc.ServerStreamingServer[enginepb.WatchResponse]) error {
	e, err := s.configured()
	if err != nil {
		return err
	}
	interval := watchInterval
	if ms := req.GetIntervalMs(); ms > 0 {
		interval = max(watchMinInterval, time.Duration(ms)*time.Millisecond)
	}
	for {
		changed := e.pipeline.Changed()
		if err := stream.Send(e.report()); err != nil {
			return err
		}
		if err := waitChange(stream.Context().Done(), changed, interval); err != nil {
			return statusOf(stream.Context().Err())
		}
	}
}

// waitChange returns when something changed or the interval is over, but not
// before the least interval.
func waitChange(done <-chan struct{}, changed <-chan struct{}, interval time.Duration) error {
	least, most := time.NewTimer(watchMinInterval), time.NewTimer(interval)
	defer least.Stop()
	defer most.Stop()
	select {
	case <-least.C:
	case <-done:
		return errStreamEnded
	}
	select {
	case <-changed:
	case <-most.C:
	case <-done:
		return errStreamEnded
	}
	return nil
}

func (e *engine) report() *enginepb.WatchResponse {
	c, buffers, memory := e.pipeline.Counts(), e.tracker.Counts(), e.device.Memory()
	r := &enginepb.WatchResponse{
		Credits: uint32(c.Credits), Progress: e.progress.Count(), Pipeline: pipelineMessage(c),
		HostMemory: &enginepb.BytesState{
			Budget: c.Budget, Reserved: c.Reserved, ReservedPeak: c.ReservedPeak, Used: buffers.Used, UsedPeak: buffers.Peak,
		},
		DeviceMemory: &enginepb.BytesState{Budget: memory.Total, Used: memory.Total - memory.Free},
		Draining:     c.Draining, DeviceBusy: c.OnDevice > 0, DeviceLost: e.lost(),
	}
	if m := r.HostMemory; m.Budget > 0 { // as the host knows it
		m.Budget += pipeline.ProcessBytes
		m.Reserved += pipeline.ProcessBytes
		m.ReservedPeak += pipeline.ProcessBytes
	}
	if r.DeviceLost != "" {
		r.Credits = 0
	}
	for kind := sdk.BufferKind(1); kind < sdk.BufferKinds; kind++ {
		b := buffers.Kinds[kind]
		r.Buffers = append(r.Buffers, &enginepb.Buffers{
			Kind: kind.String(), Count: b.Count, Bytes: b.Bytes, HighWater: b.HighWater,
		})
	}
	for _, k := range e.loadedKeys() {
		r.Srs = append(r.Srs, k.message())
	}
	return r
}

func pipelineMessage(c pipeline.Counts) *enginepb.PipelineState {
	return &enginepb.PipelineState{
		Waiting: uint32(c.Waiting), Synthesis: uint32(c.Synthesis), Synthesized: uint32(c.Synthesized), Queued: uint32(c.Queued),
		Device: uint32(c.OnDevice + c.Computed), Finish: uint32(c.Finishing),
		Alive: uint32(c.Alive), AlivePeak: uint32(c.AlivePeak),
		Proved: c.Proved, Failed: c.Failed, Cancelled: c.Cancelled,
	}
}
