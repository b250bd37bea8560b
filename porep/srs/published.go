package srs

import (
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/sealwright/sealwright/porep/groth16"
)

// parametersJSON is the published list of the trusted setup's files
// (rust-fil-proofs, parameters.json).
//
//go:embed parameters.json
var parametersJSON []byte

// PublishedFile is what the published list says of one file.
type PublishedFile struct {
	Digest     groth16.Digest // first 16 bytes of the file's BLAKE2b-512
	CID        string         // where the network's gateways have it
	SectorSize uint64
}

// Published returns the published record of a key file, by its name
// ("v28-….params" or "v28-….vk").
func Published(name string) (PublishedFile, bool) {
	files, err := publishedFiles()
	if err != nil {
		return PublishedFile{}, false
	}
	f, ok := files[name]
	return f, ok
}

// publishedFiles parses the list once; it never changes.
var publishedFiles = sync.OnceValues(func() (map[string]PublishedFile, error) {
	var list map[string]struct {
		CID        string `json:"cid"`
		Digest     string `json:"digest"`
		SectorSize uint64 `json:"sector_size"`
	}
	if err := json.Unmarshal(parametersJSON, &list); err != nil {
		return nil, fmt.Errorf("parse parameters.json: %w", err)
	}
	files := make(map[string]PublishedFile, len(list))
	for name, f := range list {
		digest, err := hex.DecodeString(f.Digest)
		if err != nil || len(digest) != len(groth16.Digest{}) {
			return nil, fmt.Errorf("parse parameters.json: digest of %s: expected 16 bytes of hex, found %q", name, f.Digest)
		}
		files[name] = PublishedFile{Digest: groth16.Digest(digest), CID: f.CID, SectorSize: f.SectorSize}
	}
	return files, nil
})
