package main

import (
	"context"
	"log/slog"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

const (
	connections   = 20
	shortestPause = time.Millisecond
	usualPause    = 100 * time.Millisecond
)

type benchArgs struct {
	I   int    `json:"i"`
	Pad string `json:"pad"`
}

func (benchArgs) Kind() string { return "bench" }

type benchWorker struct {
	river.WorkerDefaults[benchArgs]
	onTask func(i int)
}

func (w *benchWorker) Work(_ context.Context, job *river.Job[benchArgs]) error {
	w.onTask(job.Args.I)
	return nil
}

type yard struct {
	pool     *pgxpool.Pool
	producer *river.Client[pgx.Tx]
	worker   *river.Client[pgx.Tx]
}

// openYard takes the shortest pause between two wake-ups by inserts: at its usual value River submits most,
// at the least it can be it starts jobs soonest.
func openYard(ctx context.Context, url string, wakePause time.Duration) (*yard, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.MaxConns = connections
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Logger: quiet()})
	if err != nil {
		return nil, err
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return nil, err
	}
	producer, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		FetchCooldown: wakePause,
		Logger:        quiet(),
	})
	if err != nil {
		return nil, err
	}
	return &yard{pool: pool, producer: producer}, nil
}

func (y *yard) submit(ctx context.Context, args benchArgs) error {
	_, err := y.producer.Insert(ctx, args, nil)
	return err
}

// submitMany uses COPY, the fastest way River has.
func (y *yard) submitMany(ctx context.Context, list []river.InsertManyParams) error {
	_, err := y.producer.InsertManyFast(ctx, list)
	return err
}

// work fetches as often as River allows: with its usual pause of 100 ms a drain would measure the pause.
func (y *yard) work(ctx context.Context, concurrency int, onTask func(i int)) error {
	workers := river.NewWorkers()
	river.AddWorker(workers, &benchWorker{onTask: onTask})
	worker, err := river.NewClient(riverpgxv5.New(y.pool), &river.Config{
		FetchCooldown:     shortestPause,
		FetchPollInterval: 100 * time.Millisecond,
		Logger:            quiet(),
		Queues:            map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: concurrency}},
		Workers:           workers,
	})
	if err != nil {
		return err
	}
	y.worker = worker
	return worker.Start(ctx)
}

func (y *yard) drained(ctx context.Context) error {
	for {
		var isDone bool
		err := y.pool.QueryRow(ctx,
			`select not exists (select 1 from river_job where state in ('available', 'running'))`).Scan(&isDone)
		if err != nil || isDone {
			return err
		}
		time.Sleep(2 * time.Millisecond)
	}
}

func (y *yard) counts(ctx context.Context) error {
	rows, err := y.pool.Query(ctx, `select state, count(*) from river_job group by 1`)
	if err != nil {
		return err
	}
	for rows.Next() {
	}
	return rows.Err()
}

func (y *yard) stop(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if y.worker != nil {
		// What it had fetched goes down with the database.
		_ = y.worker.StopAndCancel(ctx)
	}
}

func quiet() *slog.Logger {
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
}
