package srs_test

import (
	"testing"

	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/porep/srs"
)

func TestPublishedHasEveryKey(t *testing.T) {
	n := 0
	for _, shape := range registry.Shapes() {
		if !shape.Production() {
			continue
		}
		n++
		for _, suffix := range []string{srs.ParamsSuffix, srs.VKSuffix} {
			f, ok := srs.Published(shape.KeyName + suffix)
			if !ok || f.SectorSize != shape.SectorSize || f.CID == "" {
				t.Errorf("%s%s: %+v, %t", shape.KeyName, suffix, f, ok)
			}
		}
	}
	if n != 6 {
		t.Errorf("%d shapes with a key, want 6", n)
	}
}

func TestPublishedDigests(t *testing.T) {
	shape, _ := registry.ShapeOf("porep-32g")
	f, ok := srs.Published(shape.KeyName + srs.VKSuffix)
	if !ok || f.Digest.String() != "0c7b4aac1c40fdb7eb82bc355b41addf" {
		t.Errorf("32 GiB verifying key: %s, %t", f.Digest, ok)
	}
	if _, ok := srs.Published("v27-none.params"); ok {
		t.Error("an unknown name is published")
	}
}
