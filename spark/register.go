//go:build !slim

package spark

import (
	"symmom/internal/cluster/passes"
	"symmom/internal/cluster/spark"
)

func init() {
	passes.Register(func(url, worker string) (passes.Engine, error) {
		e, err := spark.Open(url, worker)
		if err != nil {
			return nil, err // not an *Engine that is nil
		}
		return e, nil
	})
}
