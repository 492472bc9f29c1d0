package display

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"reflect"

	"symmom/repl/internal/boxed"
)

// mostPixels is how large a picture is drawn at most, which takes a second. An
// image.Uniform has many more.
const mostPixels = 1 << 24

// picture returns v as an image, or nil if it is none.
func picture(v any) image.Image {
	if o, own := boxed.Of(v); own {
		if x := (ownImage{o}); x.complete() {
			return x
		}
		v = o.Value
	}
	x := reflect.ValueOf(v)
	if x.Kind() == reflect.Pointer && x.IsNil() {
		return nil
	}
	if x.Kind() == reflect.Struct { // its pointer may have the methods
		p := reflect.New(x.Type())
		p.Elem().Set(x)
		v = p.Interface()
	}
	out, _ := v.(image.Image)
	return out
}

// ownImage is a value of a cell's type with the methods of an image.
type ownImage struct{ boxed.BoxedValue }

func (x ownImage) complete() bool {
	_, model := x.Type.Method("ColorModel").(func(any) color.Model)
	_, bounds := x.Type.Method("Bounds").(func(any) image.Rectangle)
	_, at := x.Type.Method("At").(func(any, int, int) color.Color)
	return model && bounds && at
}

func (x ownImage) ColorModel() color.Model {
	return x.Type.Method("ColorModel").(func(any) color.Model)(x.Value)
}

func (x ownImage) Bounds() image.Rectangle {
	return x.Type.Method("Bounds").(func(any) image.Rectangle)(x.Value)
}

func (x ownImage) At(i, j int) color.Color {
	return x.Type.Method("At").(func(any, int, int) color.Color)(x.Value, i, j)
}

// drawn returns a picture as PNG, or nothing if it is empty or too large.
func drawn(p image.Image) []byte {
	b := p.Bounds()
	if w, h := float64(b.Max.X)-float64(b.Min.X), float64(b.Max.Y)-float64(b.Min.Y); w <= 0 || h <= 0 || w*h > mostPixels {
		return nil
	}
	var out bytes.Buffer
	if (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, p) != nil {
		return nil
	}
	return out.Bytes()
}

// PNG returns the picture that v offers, or nothing: that of its method PNG, or v itself
// if it is an image or a display.PNG.
func PNG(v any) (data []byte) {
	defer func() {
		if recover() != nil { // in a method of the image
			data = nil
		}
	}()
	if r, is := v.(Rich); is {
		return r.png
	}
	if data, ok := ask(v, "PNG"); ok {
		return data
	}
	if p := picture(v); p != nil {
		return drawn(p)
	}
	return nil
}
