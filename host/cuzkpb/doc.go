// Package cuzkpb is the wire between a miner and Sealwright: cuzk.v1, generated
// from proving.proto. Beside gRPC it gives a proving request its form as a file,
// protobuf JSON of SubmitProofRequest.
package cuzkpb
