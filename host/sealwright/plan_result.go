package main

import (
	"fmt"
	"io"

	"github.com/sealwright/sealwright/plugin/pipeline"
)

// planResult answers plan: what to configure, each in bytes or numbers, and why,
// in sentences.
type planResult struct {
	Circuit   string `json:"circuit"`
	Memory    int64  `json:"memory"`
	Margin    int64  `json:"margin"`
	VRAM      int64  `json:"vram"`
	Devices   int    `json:"devices"`
	NeedBytes int64  `json:"need_bytes"` // of a partition before synthesis
	KeyBytes  int64  `json:"key_bytes"`

	SRS           string `json:"srs"` // resident, streamed; mapped: no GPU
	PageCache     int64  `json:"page_cache"`
	Budget        int64  `json:"budget"`       // of each engine
	DeviceBytes   int64  `json:"device_bytes"` // of each device
	Permits       int    `json:"permits"`
	Policy        string `json:"policy"`
	Channel       *int   `json:"channel"` // null: bytes alone bound it
	DeviceWorkers int    `json:"device_workers"`
	FinishSlots   int    `json:"finish_slots"`

	AliveBound      *int    `json:"alive_bound"`
	AlivePeak       int     `json:"alive_peak"`
	BytesPeak       int64   `json:"bytes_peak"`
	LossMean        float64 `json:"loss_mean"`
	LossWorst       float64 `json:"loss_worst"`
	SecondsPerProof float64 `json:"seconds_per_proof"`

	Why []string `json:"why"`

	wanted int // permits, if memory allowed them
}

func (p *planResult) say(format string, args ...any) {
	p.Why = append(p.Why, fmt.Sprintf(format, args...))
}

// take notes what the simulation of a choice said.
func (p *planResult) take(c *pipeline.Comparison) {
	row := policyRow(c)
	p.Policy, p.Channel, p.AliveBound = row.Policy, row.Channel, row.AliveBound
	p.AlivePeak, p.BytesPeak = row.AlivePeak, row.BytesPeak
	p.LossMean, p.LossWorst, p.SecondsPerProof = row.LossMean, row.LossWorst, row.SecondsPerProof
}

func (p *planResult) text(w io.Writer) {
	channel := "bytes"
	if p.Channel != nil {
		channel = fmt.Sprint(*p.Channel)
	}
	fmt.Fprintf(w, "permits  %d\npolicy   %s\nchannel  %s\nbudget   %d (%s)\nsrs      %s\n", p.Permits, p.Policy, channel, p.Budget, byteSize(p.Budget), p.SRS)
	if p.DeviceBytes > 0 {
		fmt.Fprintf(w, "device   %d (%s)\n", p.DeviceBytes, byteSize(p.DeviceBytes))
	}
	fmt.Fprintln(w)
	for _, sentence := range p.Why {
		fmt.Fprintln(w, sentence)
	}
}
