package main

import (
	"encoding/json"
	"testing"

	"github.com/sealwright/sealwright/host/adminpb"
)

func TestMessagesAsJSON(t *testing.T) {
	for _, c := range []struct {
		r    result
		want string
	}{
		{jobsResult{new(adminpb.JobsResponse)}, `{"jobs":[]}`},
		{
			statusResult{&adminpb.StatusResponse{
				Pid: 7, Engine: &adminpb.Engine{Deaths: []*adminpb.Deaths{{Class: "signal", Count: 1 << 53}}},
			}},
			`{"draining":false,"engine":{"backend":"","channel":0,"deaths":[{"class":"signal","count":9007199254740992}],"device":"",` +
				`"device_workers":0,"finish_slots":0,"last_death":"","path":"","permits":0,"pid":0,"policy":"","report_age_ms":0,"starts":0,` +
				`"state":"","version":""},"pid":7,"uptime_ms":0,"version":""}`,
		},
	} {
		got, err := json.Marshal(c.r)
		if err != nil || string(got) != c.want {
			t.Errorf("JSON is\n%s, %v, want\n%s", got, err, c.want)
		}
	}
}
