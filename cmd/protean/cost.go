package main

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
)

// costFlags are the flags of the cost section as given.
type costFlags struct{ rate, corePrice, tbPrice string }

func (f *costFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.rate, "rate", "", "`RATE` of messages to reckon costs for: 20000/s, 500k/h, 2M/d")
	fs.StringVar(&f.corePrice, "core-price", "", "`PRICE` of a core for a month, in any currency, for costs in money")
	fs.StringVar(&f.tbPrice, "tb-price", "", "`PRICE` of a terabyte on the wire, in the same currency")
}

// load is zero without a rate.
func (f *costFlags) load() (l report.Load, err error) {
	if f.rate == "" {
		if f.corePrice != "" || f.tbPrice != "" {
			return l, errors.New("prices need a rate: give --rate, such as --rate 20000/s")
		}
		return l, nil
	}
	if l.Rate, err = report.ParseRate(f.rate); err != nil {
		return l, fmt.Errorf("--rate %w", err)
	}
	if (f.corePrice == "") != (f.tbPrice == "") {
		return l, errors.New("give --core-price and --tb-price, or neither")
	}
	if f.corePrice == "" {
		return l, nil
	}
	if l.CorePrice, err = report.ParseAmount(f.corePrice); err != nil {
		return l, fmt.Errorf("--core-price %w", err)
	}
	if l.TBPrice, err = report.ParseAmount(f.tbPrice); err != nil {
		return l, fmt.Errorf("--tb-price %w", err)
	}
	return l, nil
}
