package cpu_test

import (
	"context"
	"fmt"

	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/cpu"
)

// acmeBackend is a vendor's first backend.
type acmeBackend struct{ sdk.Backend }

func (acmeBackend) Describe() sdk.Description {
	return sdk.Description{Name: "acme", Vendor: "Acme", Version: "0.1"}
}

func (acmeBackend) Open(_ context.Context, cfg sdk.DeviceConfig) (sdk.Device, error) {
	device, err := cpu.Open(cfg)
	if err != nil {
		return nil, err
	}
	return &acmeDevice{Device: device}, nil
}

// acmeDevice does one thing itself and leaves the rest to the processor.
type acmeDevice struct{ *cpu.Device }

func (d *acmeDevice) MSMG1(ctx context.Context, bases sdk.Bases, scalars []sdk.Fr) (sdk.G1, error) {
	fmt.Println("acme sums", len(scalars), "terms")
	return d.Device.MSMG1(ctx, bases, scalars) // here goes the vendor's own
}

// A vendor embeds the device, overrides one method and has a whole backend.
func Example() {
	ctx := context.Background()
	var backend sdk.Backend = acmeBackend{cpu.New()}
	device, err := backend.Open(ctx, sdk.DeviceConfig{Buffers: new(sdk.HeapBuffers), Progress: new(sdk.Progress)})
	if err != nil {
		fmt.Println(err)
		return
	}
	bases := sdk.Bases{Group: sdk.GroupG1, Encoding: sdk.Montgomery, Data: make([]byte, 2*sdk.G1Bytes)}
	sum, err := device.MSMG1(ctx, bases, make([]sdk.Fr, 2))
	fmt.Println("infinity:", sum == sdk.G1{}, err)

	_, quotients := device.(sdk.Quotienter)
	fmt.Println("has a quotient:", quotients)
	fmt.Println("closed:", device.Close())
	// Output:
	// acme sums 2 terms
	// infinity: true <nil>
	// has a quotient: true
	// closed: <nil>
}
