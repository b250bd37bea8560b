// Sealwright-engine-cpu is the proving engine of machines without a GPU: the
// reference device behind the plugin protocol. Sealwright starts it.
package main

import (
	"github.com/sealwright/sealwright/plugin"
	"github.com/sealwright/sealwright/sdk/cpu"
)

func main() { plugin.Main(cpu.New()) }
