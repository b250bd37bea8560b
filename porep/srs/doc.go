// Package srs finds, maps and checks the key files of Filecoin's proofs: the
// proving keys (`.params`) and the verifying keys (`.vk`) that they begin with.
//
// A proving key is mapped read-only and never copied: its sections are handed on
// as sdk.Bases that share the file's pages. The file must not be changed or
// truncated while it is mapped (a truncated one would end the process with
// SIGBUS); every writer of this package writes a temporary file and renames it.
//
// Keys of the trusted setup are known by the digests of the published
// parameters.json, kept here. Keys made from a known trapdoor (DevKey) have a side file
// that says so, and are taken only by who asks for them by their label.
package srs
