package enginepb

// The handshake. A host serves ProtocolVersion and the one before it.
const (
	ProtocolVersion = 1 // major version of this package's protocol
	PluginSet       = "seal-commit"
	CookieKey       = "SEALWRIGHT_ENGINE"
	CookieValue     = "sealwright.engine.v1"
)

// Environment of an engine process, besides go-plugin's own.
const (
	// LifelineEnv names a file descriptor that the host holds the other end of:
	// the engine exits when reading it ends.
	LifelineEnv = "SEALWRIGHT_LIFELINE_FD"
	// LogLevelEnv is the lowest level that is logged: debug, info, warn, error.
	LogLevelEnv = "SEALWRIGHT_LOG_LEVEL"
)

// Sizes.
const (
	MaxMessageBytes = 256 << 20 // of a message, either way
	ChunkBytes      = 1 << 20   // of a Chunk's data
	ProofBytes      = 192       // of a partition's proof
	ScalarBytes     = 32        // of a FixedBlinding's scalars
)

// ProbeCommand is the argument with which an engine binary lists its devices:
// "probe --json" prints a Probe and exits with 0, or with ExitNoDevice.
const ProbeCommand = "probe"

// Exit statuses of an engine.
const (
	ExitUsage      = 2 // run by hand, or wrong arguments
	ExitNoDevice   = 5
	ExitDeviceLost = 6 // the device will not answer again in this process
)

// Probe is what "probe --json" prints.
type Probe struct {
	Backend  string        `json:"backend"`
	Vendor   string        `json:"vendor"`
	Version  string        `json:"version"`
	Features []string      `json:"features"`
	Devices  []ProbeDevice `json:"devices"`
	NoDevice string        `json:"no_device,omitempty"` // why there is none
}

// ProbeDevice is a device of Probe.
type ProbeDevice struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Kind        string `json:"kind"`
	MemoryBytes int64  `json:"memory_bytes"`
	Driver      string `json:"driver,omitempty"`
}
