package circuit

import (
	"encoding/json"

	"github.com/sealwright/sealwright/porep/vanilla"
)

type jPathElem struct {
	Hashes []vanilla.Hash `json:"hashes"`
	Index  uint8          `json:"index"`
}
type jPath struct {
	Path []jPathElem `json:"path"`
}
type jBody struct {
	Root vanilla.Hash `json:"root"`
	Leaf vanilla.Hash `json:"leaf"`
	Path jPath        `json:"path"`
	Base jPath        `json:"base_proof"`
	Sub  jPath        `json:"sub_proof"`
	Top  jPath        `json:"top_proof"`
}
type jProof struct {
	Data map[string]jBody `json:"data"`
}
type jCol struct {
	Column struct {
		Index uint32         `json:"index"`
		Rows  []vanilla.Hash `json:"rows"`
	} `json:"column"`
	Inclusion jProof `json:"inclusion_proof"`
}
type jChallenge struct {
	D  jProof `json:"comm_d_proofs"`
	R  jProof `json:"comm_r_last_proof"`
	RC struct {
		X   jCol   `json:"c_x"`
		Drg []jCol `json:"drg_parents"`
		Exp []jCol `json:"exp_parents"`
	} `json:"replica_column_proofs"`
	L []struct {
		Node uint64 `json:"node"`
	} `json:"labeling_proofs"`
}

func (p jProof) path() (out vanilla.Path) {
	for _, b := range p.Data {
		out.Root, out.Leaf = b.Root, b.Leaf
		for _, q := range []jPath{b.Path, b.Base, b.Sub, b.Top} {
			for _, s := range q.Path {
				out.Steps = append(out.Steps, vanilla.Step{Siblings: s.Hashes, Index: s.Index})
			}
		}
	}
	return
}

func (c jCol) column() vanilla.Column {
	return vanilla.Column{Index: c.Column.Index, Rows: c.Column.Rows, Path: c.Inclusion.path()}
}

func decodeC1(data []byte) (*vanilla.C1, error) {
	var j struct {
		V         map[string][][]jChallenge `json:"vanilla_proofs"`
		CommR     vanilla.Hash              `json:"comm_r"`
		CommD     vanilla.Hash              `json:"comm_d"`
		ReplicaID vanilla.Hash              `json:"replica_id"`
	}
	if err := json.Unmarshal(data, &j); err != nil {
		return nil, err
	}
	c1 := &vanilla.C1{CommR: j.CommR, CommD: j.CommD, ReplicaID: j.ReplicaID}
	for _, parts := range j.V {
		for _, p := range parts {
			var cs []vanilla.Challenge
			for _, c := range p {
				v := vanilla.Challenge{Data: c.D.path(), Replica: c.R.path(), Column: c.RC.X.column()}
				for _, d := range c.RC.Drg {
					v.DRG = append(v.DRG, d.column())
				}
				for _, d := range c.RC.Exp {
					v.Expander = append(v.Expander, d.column())
				}
				for _, l := range c.L {
					v.Labels = append(v.Labels, vanilla.Label{Node: l.Node})
				}
				cs = append(cs, v)
			}
			c1.Partitions = append(c1.Partitions, cs)
		}
	}
	return c1, nil
}

func decodePoSt(data []byte) (sectors []PoStSector, err error) {
	var all struct {
		V []struct {
			Vanilla struct {
				CommR vanilla.Hash `json:"comm_r"`
				Proof struct {
					Sectors []struct {
						CommC vanilla.Hash `json:"comm_c"`
						RLast vanilla.Hash `json:"comm_r_last"`
						Incl  []jProof     `json:"inclusion_proofs"`
					} `json:"sectors"`
				} `json:"vanilla_proof"`
			} `json:"vanilla"`
		} `json:"vanilla_proofs"`
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	for _, v := range all.V {
		for _, s := range v.Vanilla.Proof.Sectors {
			out := PoStSector{CommR: v.Vanilla.CommR, CommC: s.CommC, CommRLast: s.RLast}
			for _, p := range s.Incl {
				out.Openings = append(out.Openings, p.path())
			}
			sectors = append(sectors, out)
		}
	}
	return sectors, nil
}
