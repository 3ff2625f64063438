package proc

// ParseStat is for the fuzz test: the reading of /proc/PID/stat.
func ParseStat(b []byte) (pid, parent int, name string, start uint64, ok bool) {
	var r raw
	ok = parseStat(b, 4096, &r)
	return r.pid, r.parent, string(r.name), r.start, ok
}
