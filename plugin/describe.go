package plugin

import (
	"context"
	"os"
	"runtime/debug"
	"slices"

	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/enginepb"
)

// Describe implements enginepb.EngineServer.
func (s *server) Describe(ctx context.Context, _ *enginepb.DescribeRequest) (*enginepb.DescribeResponse, error) {
	d := s.backend.Describe()
	answer := &enginepb.DescribeResponse{
		Backend: d.Name, Vendor: d.Vendor, Version: version(d), Features: features(d), Pid: int64(os.Getpid()),
	}
	devices, err := s.backend.Devices(ctx)
	switch {
	case err != nil:
		answer.NoDevice = oneLine(err)
	case len(devices) == 0:
		answer.NoDevice = sdk.ErrNoDevice.Error()
	}
	for _, device := range devices {
		answer.Devices = append(answer.Devices, deviceMessage(device))
	}
	return answer, nil
}

func deviceMessage(d sdk.DeviceInfo) *enginepb.Device {
	return &enginepb.Device{Id: d.ID, Name: d.Name, Kind: d.Kind, MemoryBytes: d.MemoryBytes, Driver: d.Driver}
}

// features are the backend's own and what this package adds.
func features(d sdk.Description) []string {
	return append(slices.Clone(d.Features), "porep", "window-post")
}

// version is the backend's, or the revision that the binary was built from.
func version(d sdk.Description) string {
	if d.Version != "" {
		return d.Version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return setting.Value
		}
	}
	return info.Main.Version
}
