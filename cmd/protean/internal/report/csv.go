package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// writeCSV writes a row a cell with the fields of the JSON, properties a column
// each. What is null there is empty here.
func writeCSV(w io.Writer, r *Report) error {
	c := csv.NewWriter(w)
	if err := c.Write(fieldNames(reflect.TypeFor[record]())); err != nil {
		return err
	}
	for i := range r.Results {
		if err := c.Write(fieldTexts(reflect.ValueOf(newRecord(&r.Results[i])))); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// fieldNames returns the JSON names of a struct's fields, those of a struct within
// it in its place.
func fieldNames(t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		if f := t.Field(i); f.Type.Kind() == reflect.Struct {
			out = append(out, fieldNames(f.Type)...)
		} else {
			out = append(out, columnName(f))
		}
	}
	return out
}

func columnName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

func fieldTexts(v reflect.Value) []string {
	var out []string
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case f.Kind() == reflect.Struct:
			out = append(out, fieldTexts(f)...)
		case f.Kind() == reflect.Pointer && f.IsNil():
			out = append(out, "")
		case f.Kind() == reflect.Pointer:
			out = append(out, fmt.Sprint(f.Elem()))
		default:
			out = append(out, fmt.Sprint(f))
		}
	}
	return out
}
