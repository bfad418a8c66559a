package report

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// requiredColumns are those without which a row says nothing.
var requiredColumns = []string{"suite", "payload", "variant", "op", "status"}

// readCSV reads what [Write] wrote as [CSV]: the results, without the run that they
// are from. Columns are known by their names; others are passed over.
func readCSV(text []byte) (*Report, error) {
	c := csv.NewReader(bytes.NewReader(text))
	head, err := c.Read()
	if err != nil {
		return nil, csvError(err)
	}
	for _, name := range requiredColumns {
		if !slices.Contains(head, name) {
			return nil, &ReadError{Message: fmt.Sprintf("no column %q", name)}
		}
	}
	out := &Report{}
	for {
		fields, err := c.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, csvError(err)
		}
		row := map[string]string{}
		for i, name := range head {
			row[name] = fields[i]
		}
		cell, err := rowResult(row)
		if err != nil {
			line, _ := c.FieldPos(0)
			return nil, &ReadError{line, err.Error()}
		}
		out.Results = append(out.Results, *cell)
	}
}

// csvError says in which line an error is.
func csvError(err error) error {
	var row *csv.ParseError
	if errors.As(err, &row) {
		return &ReadError{row.Line, row.Err.Error()}
	}
	return &ReadError{Message: err.Error()}
}

func rowResult(row map[string]string) (*result.Result, error) {
	var r record
	if err := setFields(reflect.ValueOf(&r).Elem(), row); err != nil {
		return nil, err
	}
	if err := r.Status.Check(); err != nil {
		return nil, err
	}
	out := r.result()
	return &out, nil
}

// setFields is the inverse of fieldTexts.
func setFields(v reflect.Value, row map[string]string) error {
	for i := range v.NumField() {
		f, name := v.Field(i), columnName(v.Type().Field(i))
		if f.Kind() == reflect.Struct {
			if err := setFields(f, row); err != nil {
				return err
			}
			continue
		}
		if f.Kind() == reflect.Pointer && row[name] != "" {
			f.Set(reflect.New(f.Type().Elem()))
			f = f.Elem()
		}
		if err := setField(f, row[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func setField(f reflect.Value, text string) (err error) {
	if text == "" { // null, or a column that is not there
		if f.Kind() == reflect.Float64 {
			f.SetFloat(float64(none))
		}
		return nil
	}
	switch f.Kind() {
	case reflect.String:
		f.SetString(text)
	case reflect.Float64:
		var x float64
		x, err = strconv.ParseFloat(text, 64)
		f.SetFloat(x)
	case reflect.Int:
		var n int
		n, err = strconv.Atoi(text)
		f.SetInt(int64(n))
	case reflect.Bool:
		var b bool
		b, err = strconv.ParseBool(text)
		f.SetBool(b)
	case reflect.Slice:
		err = f.Addr().Interface().(*result.Components).Parse(text)
	}
	if err != nil {
		return fmt.Errorf("cannot read %q", text)
	}
	return nil
}
