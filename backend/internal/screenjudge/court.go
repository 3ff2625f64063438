package main

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
)

// court is as many judges as there are processors, up to four.
type court struct {
	nodes   []*node
	verbose bool
}

func convene(script, provider string, verbose bool) (*court, error) {
	c := &court{verbose: verbose}
	for range min(runtime.GOMAXPROCS(0), 4) {
		n, err := startNode(script, provider)
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
		c.nodes = append(c.nodes, n)
	}
	return c, nil
}

// Close ends the processes and waits for them.
func (c *court) Close() (err error) {
	for _, n := range c.nodes {
		err = errors.Join(err, n.Close())
	}
	return err
}

// judge gives a verdict on each case, in their order.
func (c *court) judge(cases []testCase) ([]verdict, error) {
	out := make([]verdict, len(cases))
	errs := make([]error, len(c.nodes))
	next := make(chan int, len(cases))
	for i := range cases {
		next <- i
	}
	close(next)
	var all sync.WaitGroup
	for k, n := range c.nodes {
		all.Go(func() {
			for i := range next {
				v, err := judge(n, cases[i])
				if err == nil && c.verbose && v.differs[bytesCells] != "" {
					var first string
					first, err = firstStep(n, cases[i])
					v.differs[bytesCells] += first
				}
				if err != nil {
					errs[k] = fmt.Errorf("%s: %w", cases[i].name, err)
					return
				}
				out[i] = v
			}
		})
	}
	all.Wait()
	return out, errors.Join(errs...)
}
