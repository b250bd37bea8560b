package srs

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"os"

	"github.com/sealwright/sealwright/porep/groth16"
	"golang.org/x/crypto/blake2b"
)

// Progress is told how many bytes of how many are done. It may be nil.
type Progress func(done, total int64)

// FileDigest computes the published list's kind of digest of a file.
func FileDigest(ctx context.Context, path string, progress Progress) (groth16.Digest, error) {
	h, err := blake2b.New512(nil)
	if err != nil {
		return groth16.Digest{}, fmt.Errorf("hash %s: %w", path, err)
	}
	if err := hashFile(ctx, path, h, progress); err != nil {
		return groth16.Digest{}, err
	}
	return groth16.Digest(h.Sum(nil)[:16]), nil
}

// FileSHA256 computes the SHA-256 of a file: how a development key is known.
func FileSHA256(ctx context.Context, path string, progress Progress) ([32]byte, error) {
	h := sha256.New()
	if err := hashFile(ctx, path, h, progress); err != nil {
		return [32]byte{}, err
	}
	return [32]byte(h.Sum(nil)), nil
}

// hashFile reads a file in pieces, so that its pages count as cache and not as
// the process's own.
func hashFile(ctx context.Context, path string, h hash.Hash, progress Progress) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("hash key: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("hash key: %w", err)
	}
	buf := make([]byte, 1<<20)
	for done := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("hash %s: %w", path, err)
		}
		n, err := file.Read(buf)
		h.Write(buf[:n])
		done += int64(n)
		if progress != nil && n > 0 {
			progress(done, info.Size())
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("hash key: %w", err)
		}
	}
}
