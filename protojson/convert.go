package protojson

import "google.golang.org/protobuf/encoding/protojson"

// MarshalOptionsOf returns the options o of the official package as this package's.
func MarshalOptionsOf(o protojson.MarshalOptions) MarshalOptions {
	return MarshalOptions{
		Multiline: o.Multiline, Indent: o.Indent, AllowPartial: o.AllowPartial,
		UseProtoNames: o.UseProtoNames, UseEnumNumbers: o.UseEnumNumbers,
		EmitUnpopulated: o.EmitUnpopulated, EmitDefaultValues: o.EmitDefaultValues, Resolver: o.Resolver,
	}
}

// Official returns o as the official package's options, for functions and fields of other packages that are of that
// type, such as those of grpc-gateway's JSONPb. Whoever gets them writes with the official encoder, which has no
// UseInt64Numbers and Canonical.
func (o MarshalOptions) Official() protojson.MarshalOptions {
	return protojson.MarshalOptions{
		Multiline: o.Multiline, Indent: o.Indent, AllowPartial: o.AllowPartial,
		UseProtoNames: o.UseProtoNames, UseEnumNumbers: o.UseEnumNumbers,
		EmitUnpopulated: o.EmitUnpopulated, EmitDefaultValues: o.EmitDefaultValues, Resolver: o.Resolver,
	}
}

// UnmarshalOptionsOf returns the options o of the official package as this package's.
func UnmarshalOptionsOf(o protojson.UnmarshalOptions) UnmarshalOptions {
	return UnmarshalOptions{
		AllowPartial: o.AllowPartial, DiscardUnknown: o.DiscardUnknown, Resolver: o.Resolver,
		RecursionLimit: o.RecursionLimit,
	}
}

// Official returns o as the official package's options, for functions and fields of other packages that are of that
// type. Whoever gets them reads with the official decoder, which has no Arena.
func (o UnmarshalOptions) Official() protojson.UnmarshalOptions {
	return protojson.UnmarshalOptions{
		AllowPartial: o.AllowPartial, DiscardUnknown: o.DiscardUnknown, Resolver: o.Resolver,
		RecursionLimit: o.RecursionLimit,
	}
}
