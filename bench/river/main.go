// River, measured as measure.mjs measures the others: river PLACE WORKLOAD, both JSON. Prints one JSON line.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
)

type place struct {
	URL string `json:"url"`
}

type workload struct {
	Kind        string  `json:"kind"`
	Count       int     `json:"count"`
	Width       int     `json:"width"`
	Concurrency int     `json:"concurrency"`
	Waiting     int     `json:"waiting"`
	BulkSize    int     `json:"bulkSize"`
	CapMs       float64 `json:"capMs"`
}

type result map[string]any

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("give a place and a workload as JSON"))
	}
	var where place
	var what workload
	if err := json.Unmarshal([]byte(os.Args[1]), &where); err != nil {
		fail(fmt.Errorf("place: %w", err))
	}
	if err := json.Unmarshal([]byte(os.Args[2]), &what); err != nil {
		fail(fmt.Errorf("workload: %w", err))
	}
	ctx := context.Background()
	run, known := kinds[what.Kind]
	if !known {
		fail(fmt.Errorf("there is no workload of kind %q", what.Kind))
	}
	pause := usualPause
	if what.Kind == "latency" {
		pause = shortestPause
	}
	yard, err := openYard(ctx, where.URL, pause)
	if err != nil {
		fail(err)
	}
	found, err := run(ctx, yard, what)
	if err != nil {
		fail(err)
	}
	found["rssMb"] = rssMb()
	line, err := json.Marshal(found)
	if err != nil {
		fail(err)
	}
	fmt.Println(string(line))
	yard.stop(ctx)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "error:", err)
	os.Exit(1)
}
