package plugin

import (
	"context"
	"strings"
	"testing"

	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/cpu"
	"github.com/sealwright/sealwright/sdk/enginepb"
)

// lyingBackend is the reference device with one wrong limb in one operation.
type lyingBackend struct {
	*cpu.Backend
	about string
}

func (b lyingBackend) Open(_ context.Context, cfg sdk.DeviceConfig) (sdk.Device, error) {
	d, err := cpu.Open(cfg)
	return &liar{d, b.about}, err
}

type liar struct {
	*cpu.Device
	about string
}

func (l *liar) NTT(ctx context.Context, data []sdk.Fr, t sdk.Transform) error {
	err := l.Device.NTT(ctx, data, t)
	if l.about == "ntt" {
		data[len(data)/2][0] ^= 1
	}
	return err
}

func (l *liar) MSMG1(ctx context.Context, bases sdk.Bases, scalars []sdk.Fr) (sdk.G1, error) {
	if l.about == "msm_g1" {
		scalars = append([]sdk.Fr{{1}}, scalars[1:]...)
	}
	return l.Device.MSMG1(ctx, bases, scalars)
}

func (l *liar) MSMG2(ctx context.Context, bases sdk.Bases, scalars []sdk.Fr) (sdk.G2, error) {
	if l.about == "msm_g2" {
		scalars = append([]sdk.Fr{{1}}, scalars[1:]...)
	}
	return l.Device.MSMG2(ctx, bases, scalars)
}

func TestSelfTest(t *testing.T) {
	for _, about := range []string{"nothing", "ntt", "msm_g1", "msm_g2"} {
		t.Run(about, func(t *testing.T) {
			_, conn, _ := serveTest(t, lyingBackend{cpu.New(), about})
			client := configure(t, conn, &enginepb.ConfigureRequest{})
			answer, err := client.SelfTest(t.Context(), &enginepb.SelfTestRequest{})
			if err != nil || len(answer.GetResults()) != 3 {
				t.Fatalf("%v, %v", answer, err)
			}
			for _, r := range answer.GetResults() {
				if (r.GetFailure() != "") != (r.GetName() == about) || strings.Contains(r.GetFailure(), "\n") {
					t.Errorf("%s: %q", r.GetName(), r.GetFailure())
				}
			}
		})
	}
}
