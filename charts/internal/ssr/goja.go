//go:build !js && !slim

package ssr

import (
	"errors"
	"fmt"
	"math/rand"
	"strconv"
	"time"

	"github.com/dop251/goja"
)

// A chart of 10,000 points takes less than a second and a few dozen nested calls; a
// function given by the user may never end.
const (
	timeout  = 30 * time.Second
	maxCalls = 5000
)

// engine is an interpreter that has loaded the scripts.
type engine struct {
	vm     *goja.Runtime
	static goja.Callable
	wait   time.Duration // for one chart
}

// newEngine loads the scripts. It takes a third of a second.
func newEngine(width func(text, font string) float64, scripts []string) (*engine, error) {
	vm := goja.New()
	vm.SetMaxCallStackSize(maxCalls)
	// nothing waits, and nothing is random
	noTimer := func(goja.FunctionCall) goja.Value { return vm.ToValue(0) }
	for _, name := range []string{"setTimeout", "clearTimeout", "setInterval", "clearInterval"} {
		if err := vm.Set(name, noTimer); err != nil {
			return nil, err
		}
	}
	for i, s := range scripts {
		if _, err := vm.RunScript("script "+strconv.Itoa(i+1), s); err != nil {
			return nil, fmt.Errorf("reading script %d: %w", i+1, err)
		}
	}
	if err := vm.Set("symmomWidth", width); err != nil {
		return nil, err
	}
	if _, err := vm.RunString(setMeasure); err != nil {
		return nil, err
	}
	draw, ok := goja.AssertFunction(vm.Get("symmomStatic"))
	if !ok {
		return nil, errUndefined
	}
	return &engine{vm: vm, static: draw, wait: timeout}, nil
}

// draw draws a chart.
func (e *engine) draw(c Chart) (p Picture, err error) {
	random := rand.New(rand.NewSource(1))
	e.vm.SetRandSource(random.Float64)
	timer := time.AfterFunc(e.wait, func() { e.vm.Interrupt(fmt.Sprintf("not done after %v", e.wait)) })
	defer func() {
		timer.Stop()
		e.vm.ClearInterrupt()
	}()

	functions := make([]any, len(c.Functions))
	for i, src := range c.Functions {
		if functions[i], err = e.vm.RunString("(" + src + "\n)"); err != nil {
			return p, fmt.Errorf("function %d of the options: %w", i+1, short(err))
		}
	}
	v, err := e.static(goja.Undefined(), e.vm.ToValue(map[string]any{
		"options": c.Options, "functions": e.vm.NewArray(functions...), "colors": c.Colors, "dark": c.Dark,
		"font": c.Font, "width": c.Width, "height": c.Height, "id": c.ID, "marks": c.Marks,
	}))
	if err != nil {
		return p, short(err)
	}
	o := v.ToObject(e.vm)
	p = Picture{SVG: o.Get("svg").String(), Height: int(o.Get("height").ToInteger()), Marks: o.Get("marks").String()}
	return p, nil
}

// short removes the position in a minified script from a message.
func short(err error) error {
	if stopped, ok := errors.AsType[*goja.InterruptedError](err); ok {
		return fmt.Errorf("%v", stopped.Value())
	}
	if _, ok := errors.AsType[*goja.StackOverflowError](err); ok {
		return fmt.Errorf("more than %d function calls within each other", maxCalls)
	}
	if ex, ok := errors.AsType[*goja.Exception](err); ok {
		return errors.New(ex.Value().String())
	}
	return err
}
