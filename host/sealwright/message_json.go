package main

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// plainMessage returns a message as encoding/json writes it: by its fields' own
// names, zeros included, every number a number. Messages that are absent are left out.
func plainMessage(m proto.Message) map[string]any {
	return plainFields(m.ProtoReflect())
}

func plainFields(m protoreflect.Message) map[string]any {
	plain := make(map[string]any)
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		switch {
		case f.IsList():
			list, items := m.Get(f).List(), []any{}
			for n := range list.Len() {
				items = append(items, plainValue(f, list.Get(n)))
			}
			plain[f.TextName()] = items
		case f.Message() == nil || m.Has(f):
			plain[f.TextName()] = plainValue(f, m.Get(f))
		}
	}
	return plain
}

func plainValue(f protoreflect.FieldDescriptor, v protoreflect.Value) any {
	if f.Message() != nil {
		return plainFields(v.Message())
	}
	return v.Interface()
}
