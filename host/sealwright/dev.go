package main

import "github.com/urfave/cli/v3"

func (a *app) devCommand() *cli.Command {
	return &cli.Command{
		Name:  "dev",
		Usage: "make inputs and INSECURE keys for tests; not for production",
		Commands: []*cli.Command{
			a.devSetupCommand(), a.devProveCommand(), a.devC1Command(), a.devWPoStCommand(),
		},
	}
}
