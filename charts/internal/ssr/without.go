//go:build slim && !js

package ssr

import "errors"

// engine is none: pages have scripts that draw.
type engine struct{}

func newEngine(func(text, font string) float64, []string) (*engine, error) {
	return nil, errors.New("this build draws no pictures without a browser; build symmom without the tag slim")
}

func (*engine) draw(Chart) (p Picture, err error) { return p, nil }
