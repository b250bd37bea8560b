package host

import (
	"fmt"
	"path/filepath"
	"sync"

	"github.com/sealwright/sealwright/porep/groth16"
	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/porep/srs"
	"github.com/sealwright/sealwright/sdk/enginepb"
)

// verifyingKeys are the keys that the host holds proofs against. The host loads
// and checks them itself: an engine's word counts for nothing here.
type verifyingKeys struct {
	source srs.Source

	mu    *sync.Mutex
	known map[string]*verifyingKey // by circuit id
}

// verifyingKey is a key made ready, with what an engine needs to find its
// proving key.
type verifyingKey struct {
	prepared *groth16.PreparedKey
	bytes    []byte // the whole .vk file
	params   string // path of the proving key
}

func newVerifyingKeys(dir, label string) verifyingKeys {
	return verifyingKeys{
		source: srs.Source{Dir: srs.Dir(dir), DevLabel: label}, mu: new(sync.Mutex), known: make(map[string]*verifyingKey),
	}
}

// get returns the key of a shape, published or of the development label. Errors
// wrap ErrKey; they are not remembered.
func (k verifyingKeys) get(shape registry.Shape) (*verifyingKey, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if key, ok := k.known[shape.CircuitID]; ok {
		return key, nil
	}
	vk, err := k.source.VK(shape)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKey, err)
	}
	prepared, err := vk.Prepare()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKey, err)
	}
	params, err := filepath.Abs(filepath.Join(k.source.Dir, shape.KeyName+srs.ParamsSuffix))
	if err != nil {
		return nil, fmt.Errorf("%w: find key of %s: %w", ErrKey, shape.CircuitID, err)
	}
	key := &verifyingKey{prepared: prepared, bytes: vk.Bytes(), params: params}
	k.known[shape.CircuitID] = key
	return key, nil
}

// loadRequest asks an engine for the proving key that goes with k.
func (k *verifyingKey) loadRequest(circuitID, label string) *enginepb.LoadSRSRequest {
	return &enginepb.LoadSRSRequest{CircuitId: circuitID, Path: k.params, Vk: k.bytes, DevLabel: label}
}
