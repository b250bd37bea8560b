package cuzkpb

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// wire is the contract that miners are built against: every message's fields
// as "name number type", every enum's values, every call.
var wire = map[string]string{
	"SubmitProofRequest": "request_id 1 string, proof_kind 2 enum, sector_size 3 uint64, registered_proof 4 uint64, priority 5 enum, " +
		"vanilla_proof 10 bytes, vanilla_proofs 11 repeated bytes, sector_number 20 uint64, miner_id 21 uint64, randomness 22 bytes, " +
		"partition_index 23 uint32, comm_r_old 30 bytes, comm_r_new 31 bytes, comm_d_new 32 bytes",
	"SubmitProofResponse": "job_id 1 string, queue_position 2 uint32, assigned_gpu 3 string",
	"AwaitProofRequest":   "job_id 1 string, timeout_ms 2 uint64",
	"AwaitProofResponse": "job_id 1 string, status 2 enum, proof 3 bytes, error_message 4 string, queue_wait_ms 10 uint64, " +
		"srs_load_ms 11 uint64, synthesis_ms 12 uint64, gpu_compute_ms 13 uint64, total_ms 14 uint64",
	"ProveRequest":        "submit 1 message",
	"ProveResponse":       "result 1 message",
	"CancelProofRequest":  "job_id 1 string",
	"CancelProofResponse": "was_running 1 bool",
	"GetStatusRequest":    "",
	"GetStatusResponse": "gpus 1 repeated message, loaded_srs 2 repeated message, queues 3 repeated message, total_proofs_completed 4 uint64, " +
		"total_proofs_failed 5 uint64, uptime_seconds 6 uint64, pinned_memory_bytes 7 uint64, pinned_memory_limit_bytes 8 uint64",
	"GPUStatus": "ordinal 1 uint32, name 2 string, vram_total_bytes 3 uint64, vram_free_bytes 4 uint64, current_job_id 5 string, " +
		"current_proof_kind 6 string",
	"SRSStatus":          "circuit_id 1 string, tier 2 enum, size_bytes 3 uint64, ref_count 4 uint32",
	"QueueStatus":        "proof_kind 1 string, pending 2 uint32, in_progress 3 uint32",
	"GetMetricsRequest":  "",
	"GetMetricsResponse": "prometheus_text 1 string",
	"PreloadSrsRequest":  "circuit_id 1 string",
	"PreloadSrsResponse": "already_loaded 1 bool, load_time_ms 2 uint64",
	"EvictSrsRequest":    "circuit_id 1 string",
	"EvictSrsResponse":   "was_loaded 1 bool, freed_bytes 2 uint64",
}

func TestMessagesKeepTheWire(t *testing.T) {
	messages := File_proving_proto.Messages()
	if messages.Len() != len(wire) {
		t.Errorf("%d messages, want %d", messages.Len(), len(wire))
	}
	for i := range messages.Len() {
		m := messages.Get(i)
		if got, want := fieldsOf(m), wire[string(m.Name())]; got != want {
			t.Errorf("%s:\n got %s\nwant %s", m.Name(), got, want)
		}
	}
}

func TestEnumsKeepTheWire(t *testing.T) {
	top := File_proving_proto.Enums()
	answer := File_proving_proto.Messages().ByName("AwaitProofResponse").Enums()
	srs := File_proving_proto.Messages().ByName("SRSStatus").Enums()
	for _, c := range []struct {
		enum protoreflect.EnumDescriptor
		want string
	}{
		{top.ByName("ProofKind"), "PROOF_KIND_UNSPECIFIED 0, POREP_SEAL_COMMIT 1, SNAP_DEALS_UPDATE 2, WINDOW_POST_PARTITION 3, WINNING_POST 4"},
		{top.ByName("Priority"), "PRIORITY_UNSPECIFIED 0, LOW 1, NORMAL 2, HIGH 3, CRITICAL 4"},
		{answer.ByName("Status"), "UNKNOWN 0, COMPLETED 1, FAILED 2, CANCELLED 3, TIMEOUT 4"},
		{srs.ByName("Tier"), "HOT 0, WARM 1, COLD 2"},
	} {
		var got []string
		for i := range c.enum.Values().Len() {
			v := c.enum.Values().Get(i)
			got = append(got, fmt.Sprintf("%s %d", v.Name(), v.Number()))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.enum.Name(), s, c.want)
		}
	}
}

func TestServiceKeepsTheWire(t *testing.T) {
	service := File_proving_proto.Services().ByName("ProvingEngine")
	if got := service.FullName(); got != "cuzk.v1.ProvingEngine" {
		t.Errorf("service %s, want cuzk.v1.ProvingEngine", got)
	}
	var got []string
	for i := range service.Methods().Len() {
		m := service.Methods().Get(i)
		got = append(got, fmt.Sprintf("%s(%s) %s", m.Name(), m.Input().Name(), m.Output().Name()))
		if m.IsStreamingClient() || m.IsStreamingServer() {
			t.Errorf("%s streams, want unary", m.Name())
		}
	}
	want := "SubmitProof(SubmitProofRequest) SubmitProofResponse, AwaitProof(AwaitProofRequest) AwaitProofResponse, " +
		"Prove(ProveRequest) ProveResponse, CancelProof(CancelProofRequest) CancelProofResponse, " +
		"GetStatus(GetStatusRequest) GetStatusResponse, GetMetrics(GetMetricsRequest) GetMetricsResponse, " +
		"PreloadSRS(PreloadSrsRequest) PreloadSrsResponse, EvictSRS(EvictSrsRequest) EvictSrsResponse"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("calls:\n got %s\nwant %s", s, want)
	}
}

func fieldsOf(m protoreflect.MessageDescriptor) string {
	var fields []string
	for i := range m.Fields().Len() {
		f := m.Fields().Get(i)
		kind := f.Kind().String()
		if f.IsList() {
			kind = "repeated " + kind
		}
		fields = append(fields, fmt.Sprintf("%s %d %s", f.Name(), f.Number(), kind))
	}
	return strings.Join(fields, ", ")
}
