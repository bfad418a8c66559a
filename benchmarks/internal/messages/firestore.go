package messages

import (
	"fmt"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/genproto/googleapis/type/latlng"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/protean-pb/protean/benchmarks/internal/fake"
)

// firestoreDocument is an order with four lines.
func firestoreDocument() proto.Message { return orderDocument(fake.New(6), 4) }

// firestoreDocuments is a page of n orders.
func firestoreDocuments(n int) func() proto.Message {
	return func() proto.Message {
		r := fake.New(6)
		page := &firestorepb.ListDocumentsResponse{NextPageToken: r.Hex(60)}
		for range n {
			page.Documents = append(page.Documents, orderDocument(r, r.Between(1, 12)))
		}
		return page
	}
}

const firestoreRoot = "projects/acme/databases/(default)/documents"

func orderDocument(r *fake.Source, lines int) *firestorepb.Document {
	d := &firestorepb.Document{
		Name:       firestoreRoot + "/orders/" + r.Hex(20),
		CreateTime: r.Time(),
		UpdateTime: r.Time(),
		Fields: map[string]*firestorepb.Value{
			"customer": mapValue(map[string]*firestorepb.Value{
				"name":  stringValue(r.Text(2, 3)),
				"email": stringValue(r.Email()),
				"ref":   referenceValue(firestoreRoot + "/users/" + r.Hex(20)),
				"address": mapValue(map[string]*firestorepb.Value{
					"street": stringValue(r.Text(2, 4)),
					"zip":    stringValue(fmt.Sprint(r.IntN(99999))),
					"where":  geoPointValue(47.3, 8.5),
				}),
			}),
			"total":  doubleValue(r.Float64() * 1000),
			"paid":   {ValueType: &firestorepb.Value_BooleanValue{BooleanValue: true}},
			"coupon": {ValueType: &firestorepb.Value_NullValue{}},
			"placed": timestampValue(r.Time()),
			"tags":   arrayValue(stringValue(r.Word()), stringValue(r.Word()), stringValue(r.Word())),
			"status": stringValue(r.Pick("open", "shipped", "returned")),
		},
	}
	var all []*firestorepb.Value
	for range lines {
		all = append(all, mapValue(map[string]*firestorepb.Value{
			"sku":      stringValue(r.Hex(12)),
			"title":    stringValue(r.Text(3, 8)),
			"quantity": integerValue(int64(r.Between(1, 5))),
			"price":    doubleValue(float64(r.IntN(100000)) / 100),
		}))
	}
	d.Fields["lines"] = arrayValue(all...)
	return d
}

func stringValue(s string) *firestorepb.Value {
	return &firestorepb.Value{ValueType: &firestorepb.Value_StringValue{StringValue: s}}
}

func referenceValue(name string) *firestorepb.Value {
	return &firestorepb.Value{ValueType: &firestorepb.Value_ReferenceValue{ReferenceValue: name}}
}

func integerValue(i int64) *firestorepb.Value {
	return &firestorepb.Value{ValueType: &firestorepb.Value_IntegerValue{IntegerValue: i}}
}

func doubleValue(f float64) *firestorepb.Value {
	return &firestorepb.Value{ValueType: &firestorepb.Value_DoubleValue{DoubleValue: f}}
}

func timestampValue(t *timestamppb.Timestamp) *firestorepb.Value {
	return &firestorepb.Value{ValueType: &firestorepb.Value_TimestampValue{TimestampValue: t}}
}

func geoPointValue(latitude, longitude float64) *firestorepb.Value {
	point := &latlng.LatLng{Latitude: latitude, Longitude: longitude}
	return &firestorepb.Value{ValueType: &firestorepb.Value_GeoPointValue{GeoPointValue: point}}
}

func mapValue(fields map[string]*firestorepb.Value) *firestorepb.Value {
	m := &firestorepb.MapValue{Fields: fields}
	return &firestorepb.Value{ValueType: &firestorepb.Value_MapValue{MapValue: m}}
}

func arrayValue(values ...*firestorepb.Value) *firestorepb.Value {
	a := &firestorepb.ArrayValue{Values: values}
	return &firestorepb.Value{ValueType: &firestorepb.Value_ArrayValue{ArrayValue: a}}
}
