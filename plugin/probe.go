package plugin

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/enginepb"
)

// probe prints the backend's devices, or the reason for none, and returns the
// exit status. It opens no device.
func probe(ctx context.Context, backend sdk.Backend, asJSON bool, stdout, stderr io.Writer) int {
	report := enginepb.Probe{Devices: []enginepb.ProbeDevice{}, Features: []string{}}
	d := backend.Describe()
	report.Backend, report.Vendor, report.Version = d.Name, d.Vendor, version(d)
	report.Features = append(report.Features, features(d)...)
	devices, err := backend.Devices(ctx)
	for _, device := range devices {
		report.Devices = append(report.Devices, enginepb.ProbeDevice(device))
	}
	if err != nil {
		report.NoDevice = oneLine(err)
	} else if len(devices) == 0 {
		report.NoDevice = sdk.ErrNoDevice.Error()
	}

	if asJSON {
		err = json.NewEncoder(stdout).Encode(report)
	} else {
		err = printProbe(stdout, report)
	}
	switch {
	case err != nil:
		_, _ = fmt.Fprintf(stderr, "%s: print devices: %v\n", program(), err)
		return enginepb.ExitUsage
	case report.NoDevice != "":
		return enginepb.ExitNoDevice
	}
	return 0
}

func printProbe(w io.Writer, report enginepb.Probe) error {
	if report.NoDevice != "" {
		_, err := fmt.Fprintf(w, "%s: %s\n", report.Backend, report.NoDevice)
		return err
	}
	for _, d := range report.Devices {
		if _, err := fmt.Fprintf(w, "%s\t%s\t%s\t%d MiB\n", d.ID, d.Kind, d.Name, d.MemoryBytes>>20); err != nil {
			return err
		}
	}
	return nil
}
