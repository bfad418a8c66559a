package inspect

import (
	"cmp"
	"fmt"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// A Result is what there is to say of the messages of one payload.
type Result struct {
	// Title names the payload, Type the messages' type; empty for one that is unknown.
	Title, Type string
	// Messages is how many there are.
	Messages int
	// Shown are those that were asked for.
	Shown []Shown
	// Sum adds up the Counted messages that are well-formed. A form that one of them
	// lacks is not in InAll, and its sum is of no use.
	Sum     [numForms]Counts
	InAll   [numForms]bool
	Counted int
	// Notes say which messages lack a form, a sentence each.
	Notes []string
	// Problems are of the messages that are not well-formed, shown or not.
	Problems []*usererr.InputError
}

// A Shown is one message with its listing.
type Shown struct {
	Source string
	// Form and Bytes are what Listing is of: Protobuf, or for a JSON document without
	// a schema the Struct or else the Value that it is.
	Form    Form
	Bytes   []byte
	Listing *Listing
	Forms   *Forms // nil if the message is not well-formed
}

// Inspect looks at all messages of in and shows those that show accepts, by their
// number from 1. A JSON document that cannot be a Value is an error, of type
// *[usererr.InputError].
func Inspect(title string, in *suite.Records, show func(int) bool) (*Result, error) {
	r := &Result{Title: title, Messages: len(in.Records), InAll: [numForms]bool{true, true, true, true}}
	if in.Message != nil {
		r.Type = string(in.Message.FullName())
	}
	for i := range in.Records {
		m := &message{in: in, Record: &in.Records[i]}
		if err := m.read(); err != nil {
			return nil, err
		}
		r.add(m)
		if show(i + 1) {
			r.Shown = append(r.Shown, m.shown())
		}
	}
	return r, nil
}

// A message is a record while it is looked at.
type message struct {
	*suite.Record
	in      *suite.Records
	forms   *Forms // nil with a problem
	problem *usererr.InputError
}

// isDocument reports whether the message is JSON and nothing else.
func (m *message) isDocument() bool { return m.in.Schema == nil && m.JSON != nil }

func (m *message) types() Resolver {
	if m.in.Schema == nil {
		return nil
	}
	return m.in.Schema.Types()
}

func (m *message) read() error {
	var err error
	if m.isDocument() {
		if m.forms, err = FormsOfJSON(m.JSON); err != nil {
			return &usererr.InputError{File: m.Source, Message: err.Error()}
		}
		return nil
	}
	var p *Problem
	if m.forms, p = FormsOf(m.Wire, m.in.Message, m.in.Rows, m.types()); p != nil {
		m.problem = m.wrong(List(m.Wire, m.in.Message, m.types()).Problem) // which has a path
	}
	if m.Problem != nil {
		m.forms, m.problem = nil, m.Problem
	}
	return nil
}

// wrong says where in the file a message is wrong.
func (m *message) wrong(p *Problem) *usererr.InputError {
	text := fmt.Sprintf("at byte %d: ", p.Offset)
	if m.Offset > 0 {
		text = fmt.Sprintf("at byte %d, %d of the file: ", p.Offset, m.Offset+p.Offset)
	}
	if p.Path != "" {
		text += "field " + p.Path + ": "
	}
	return &usererr.InputError{File: m.Source, Message: text + p.Message}
}

func (r *Result) add(m *message) {
	if m.forms == nil {
		r.Problems = append(r.Problems, m.problem)
		return
	}
	r.Counted++
	for x := range m.forms.Counts {
		r.Sum[x] = r.Sum[x].Plus(m.forms.Counts[x])
		r.InAll[x] = r.InAll[x] && m.forms.Has(Form(x))
	}
	if m.forms.Why != nil && len(r.Notes) == 0 { // one will do
		r.Notes = append(r.Notes, fmt.Sprintf("%s has no other form: %s", m.Source, m.forms.Why))
	}
}

func (m *message) shown() Shown {
	s := Shown{Source: m.Source, Bytes: m.Wire, Forms: m.forms}
	if m.isDocument() {
		s.Form = Value
		if m.forms.Has(Struct) {
			s.Form = Struct
		}
		s.Bytes = m.forms.Wire[s.Form]
	}
	s.Listing = List(s.Bytes, cmp.Or(s.Form.Type(), m.in.Message), m.types())
	return s
}
