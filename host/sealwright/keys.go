package main

import (
	"github.com/urfave/cli/v3"

	"github.com/sealwright/sealwright/porep/srs"
)

// paramsFlag names the folder of keys.
func paramsFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "params", Usage: "folder `DIR` of the keys, under the names that filecoin-proofs gives them",
		Sources: cli.EnvVars(srs.CacheVariable), Value: srs.DefaultDir,
	}
}

// keyFlags say which keys are taken.
func keyFlags() []cli.Flag {
	return []cli.Flag{
		paramsFlag(),
		&cli.StringFlag{Name: "dev-key", Usage: "take the INSECURE development key of this `LABEL`; published keys alone are taken otherwise"},
	}
}

// keySource reads keyFlags and warns of a development key.
func (a *app) keySource(cmd *cli.Command) srs.Source {
	source := srs.Source{Dir: srs.Dir(cmd.String("params")), DevLabel: cmd.String("dev-key")}
	if source.DevLabel != "" {
		a.warn("INSECURE development key %q: anyone can forge proofs under it", source.DevLabel)
	}
	return source
}
