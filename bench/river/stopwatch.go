package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const tickUs = 10_000

// timed runs, and says how many a second, and the CPU each cost here and in the server.
func timed(run func() (int, error)) (result, error) {
	pid, _ := strconv.Atoi(os.Getenv("BENCH_SERVER_PID"))
	server, isOurs := serverCpuUs(pid)
	own := ownCpuUs()
	begun := time.Now()
	count, err := run()
	if err != nil {
		return nil, err
	}
	seconds := time.Since(begun).Seconds()
	found := result{
		"count":     count,
		"perSecond": math.Round(float64(count) / seconds),
		"cpuUs":     tenth((ownCpuUs() - own) / float64(count)),
	}
	if isOurs {
		now, _ := serverCpuUs(pid)
		found["serverCpuUs"] = tenth((now - server) / float64(count))
	}
	return found, nil
}

func tenth(value float64) float64 { return math.Round(value*10) / 10 }

func ownCpuUs() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1000
}

// serverCpuUs is the CPU of a server so far: the process, its children and those it has buried.
func serverCpuUs(pid int) (float64, bool) {
	top, err := readStat(strconv.Itoa(pid))
	if pid == 0 || err != nil {
		return 0, false
	}
	ticks := top.own + top.buried
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0, false
	}
	for _, entry := range entries {
		if _, err := strconv.Atoi(entry.Name()); err != nil {
			continue
		}
		if child, err := readStat(entry.Name()); err == nil && child.parent == pid {
			ticks += child.own
		}
	}
	return float64(ticks * tickUs), true
}

type stat struct{ parent, own, buried int }

func readStat(pid string) (stat, error) {
	text, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return stat{}, err
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 15 {
		return stat{}, fmt.Errorf("/proc/%s/stat has only %d fields", pid, len(fields))
	}
	at := func(index int) int {
		value, _ := strconv.Atoi(fields[index])
		return value
	}
	return stat{parent: at(1), own: at(11) + at(12), buried: at(13) + at(14)}, nil
}

func rssMb() int {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	pages, _ := strconv.Atoi(fields[1])
	return pages * os.Getpagesize() / 1048576
}
