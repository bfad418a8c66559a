package job

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	officialjson "google.golang.org/protobuf/encoding/protojson"
	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protojson"
)

// What a job returns is read by both libraries, or compared with what was there before. The order of map entries is
// left open, so bytes are not compared.

func checkWire(s *Subject, b []byte) error {
	m := s.New()
	if err := official.Unmarshal(b, m); err != nil {
		return fmt.Errorf("the official library reads: %w", err)
	}
	if err := checkMessage(s, m); err != nil {
		return fmt.Errorf("the official library reads: %w", err)
	}
	m = s.New()
	if err := proto.Unmarshal(b, m); err != nil {
		return fmt.Errorf("protean reads: %w", err)
	}
	if err := checkMessage(s, m); err != nil {
		return fmt.Errorf("protean reads: %w", err)
	}
	return nil
}

var errOther = errors.New("another message")

func checkMessage(s *Subject, m official.Message) error {
	if !official.Equal(s.Message, m) {
		return errOther
	}
	return nil
}

// checkDynamic has the official library write the message, by reflection.
func checkDynamic(s *Subject, m official.Message) error {
	b, err := official.Marshal(m)
	if err != nil {
		return err
	}
	return checkWire(s, b)
}

func checkText(s *Subject, text []byte) error {
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		return err
	}
	if err := checkTree(s, tree); err != nil {
		return err
	}
	for _, unmarshal := range []func([]byte, official.Message) error{officialjson.Unmarshal, protojson.Unmarshal} {
		m := s.New()
		if err := unmarshal(text, m); err != nil {
			return err
		}
		if err := checkMessage(s, m); err != nil {
			return err
		}
	}
	return nil
}

// checkTree compares trees as JSON has them: other types of numbers are the same where their text is.
func checkTree(s *Subject, tree any) error {
	text, err := json.Marshal(tree)
	if err != nil {
		return err
	}
	var plain any
	if err := json.Unmarshal(text, &plain); err != nil {
		return err
	}
	if !reflect.DeepEqual(plain, s.Tree) {
		return errors.New("another tree")
	}
	return nil
}

func checkValueWire(s *Subject, b []byte) error {
	v := new(structpb.Value)
	if err := official.Unmarshal(b, v); err != nil {
		return err
	}
	return checkValue(s, v)
}

func checkValue(s *Subject, v *structpb.Value) error {
	if !official.Equal(s.Value, v) {
		return errors.New("another value")
	}
	return nil
}
