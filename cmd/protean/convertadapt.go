package main

import (
	"errors"
	"fmt"
	"os"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
	"github.com/protean-pb/protean/infer/adapt"
	"github.com/protean-pb/protean/infer/lock"
	"github.com/protean-pb/protean/infer/schema"
	"github.com/protean-pb/protean/records"
)

// adapt has documents adapted to the message as the flags say.
func (f *convertFlags) adapt(o *records.ConvertOptions) error {
	var file *schema.File
	var err error
	switch {
	case f.lock != "" && f.rest != "":
		return errors.New("--lock knows the field of --rest; give one of them")
	case f.lock != "":
		file, err = lockedSchema(f.lock, o.Message)
	case f.rest != "":
		file, err = restSchema(f.rest, o.Message)
	default:
		return nil
	}
	if err == nil {
		o.Adapter = adapt.New(file, o.Message)
	}
	return err
}

// restSchema is a schema of which nothing is known but the field for the rest.
func restSchema(rest string, md protoreflect.MessageDescriptor) (*schema.File, error) {
	fd := md.Fields().ByName(protoreflect.Name(rest))
	if fd == nil || fd.Message() == nil || fd.IsList() || fd.Message().FullName() != schema.Struct {
		return nil, fmt.Errorf("--rest %s: %s has no such field of type google.protobuf.Struct", rest, md.FullName())
	}
	return &schema.File{Rest: fd.JSONName()}, nil
}

// lockedSchema is what a lockfile says of the schema of a message.
func lockedSchema(path string, md protoreflect.MessageDescriptor) (*schema.File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, usererr.FileError(path, err)
	}
	l, err := lock.Unmarshal(text)
	if err != nil {
		return nil, &usererr.InputError{File: path, Message: err.Error()}
	}
	if pkg := string(md.ParentFile().Package()); l.Package != pkg || md.Parent() != md.ParentFile() {
		return nil, &usererr.InputError{File: path,
			Message: fmt.Sprintf("it is of package %s, and the message is %s", l.Package, md.FullName())}
	}
	for _, f := range l.Messages[0].Fields {
		if fd := md.Fields().ByNumber(protoreflect.FieldNumber(f.Number)); fd == nil || fd.JSONName() != f.Key {
			return nil, &usererr.InputError{File: path,
				Message: fmt.Sprintf("%s has no field %d for key %q, which the lockfile has", md.FullName(), f.Number, f.Key)}
		}
	}
	l.Rename(md)
	return l.Schema(l.Package), nil
}
