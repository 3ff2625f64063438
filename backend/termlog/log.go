package termlog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

const (
	defaultLimit  = 64 << 20
	maxSegment    = 1 << 20
	minSegment    = 4 << 10
	memoryBound   = 8 << 20   // bytes that wait for the disk, or that a log in memory keeps
	memoryReserve = 256 << 10 // bytes that stay in memory for readers after they were written
)

var (
	// ErrAhead is returned for a number that has not been given yet.
	ErrAhead = errors.New("beyond the end of the terminal's log")
	// ErrClosed is returned by Wait when the log was closed and will not grow.
	ErrClosed = errors.New("the terminal's log is closed")
)

// LostError says that the bytes From to To (exclusive) are not kept any more. Reading
// goes on at To.
type LostError struct {
	From, To uint64
	// Unsure: the process that wrote the log died, and at most To-From bytes
	// were lost. Otherwise the count is exact.
	Unsure bool
}

func (e *LostError) Error() string {
	atMost := ""
	if e.Unsure {
		atMost = "up to "
	}
	return fmt.Sprintf("%s%d bytes of the terminal's log are lost (%d to %d)", atMost, e.To-e.From, e.From, e.To)
}

// Options are those of one log. The zero value is good.
type Options struct {
	// Limit is how many bytes are kept on disk (0: 64 MiB; at least two
	// segments), or in memory for a log of NewMemory (0: 8 MiB, never more).
	Limit int64
	// OnError, if set, is told once when writing begins to fail, and again only
	// after it has worked in between. It is called from the log's own goroutine,
	// which Close waits for: it must not call Close or Remove.
	OnError func(error)
	// Pool is shared by many logs; nil: the log has its own.
	Pool *Pool
}

// item is a piece of the newest part of the log, in memory.
type item struct {
	from, to uint64
	at       int64  // unix ms of the first byte
	buf      []byte // headerLen bytes of room, then the bytes; nil for a gap
	kind     byte   // frameData, frameGap or frameUnsure
	sealed   bool   // takes no more bytes: it is being written, or was
}

// segment is a file of the log. size counts the frames that are wholly written.
type segment struct {
	first uint64
	size  int64
}

// Log is the log of one terminal. Its methods may be called by several goroutines;
// bytes get their numbers in the order of the calls of Append.
type Log struct {
	dir     string // "": in memory only
	limit   int64
	segSize int64
	onError func(error)
	pool    *Pool

	kick    chan struct{} // wakes the flusher early
	closing chan struct{}
	flusher sync.WaitGroup

	mu           sync.Mutex
	items        []item // without a hole, up to end
	flushed      int    // items[:flushed] are on disk, too
	busy         bool   // items[flushed] is being written
	pending      int64  // buffer bytes of items[flushed:]
	reserve      int64  // buffer bytes of items[:flushed]
	chunkSize    int    // payload of the next chunk
	end          uint64
	segs         []segment
	doomed       []segment // out of the log, but could not be deleted yet
	marks        []mark
	marksFlushed int
	marksSize    int64 // of the file
	marksLive    int64 // what it would be without the dropped ones
	changed      chan struct{}
	progress     chan struct{} // closed when a pass of the flusher ends
	flushAll     bool          // the next pass takes the last chunk, too
	kicked       bool
	running      bool
	closed       bool
	removed      bool
	closeErr     error
	hints        [8]hint
	nextHint     int

	out writer // the flusher's alone
}

// Open opens the log in dir, which is made if missing, and repairs what a crash left.
// It reads the last segment and the marks, 1 MiB and normally a few KiB. Numbers go on
// where they ended. Files are made with the first byte or mark.
func Open(dir string, o Options) (*Log, error) {
	l := newLog(o)
	l.dir = dir
	if l.limit <= 0 {
		l.limit = defaultLimit
	}
	l.segSize = max(min(l.limit/8, maxSegment), minSegment)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("cannot make the directory of a terminal's log: %w", err)
	}
	if err := l.recover(); err != nil {
		return nil, fmt.Errorf("cannot open the terminal's log in %s: %w", dir, err)
	}
	return l, nil
}

// NewMemory returns a log that writes nothing to disk and keeps the newest bytes in
// memory.
func NewMemory(o Options) *Log {
	l := newLog(o)
	if l.limit <= 0 || l.limit > memoryBound {
		l.limit = memoryBound
	}
	return l
}

func newLog(o Options) *Log {
	l := &Log{
		limit:   o.Limit,
		onError: o.OnError,
		pool:    o.Pool,
		kick:    make(chan struct{}, 1),
		closing: make(chan struct{}),
	}
	if l.pool == nil {
		l.pool = NewPool()
	}
	return l
}

// First returns the number of the oldest byte that is kept; First() == End() means that
// none is. Bytes after it may be lost nevertheless, as ReadAt tells.
func (l *Log) First() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.firstLocked()
}

func (l *Log) firstLocked() uint64 {
	switch {
	case len(l.segs) > 0:
		return l.segs[0].first
	case len(l.items) > 0:
		return l.items[0].from
	}
	return l.end
}

// End returns the number that the next byte will get.
func (l *Log) End() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.end
}

// Stored returns how many bytes the log takes on disk.
func (l *Log) Stored() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.storedLocked() + l.marksSize
}

func (l *Log) storedLocked() int64 {
	var n int64
	for _, s := range l.segs {
		n += s.size
	}
	return n
}

// Close writes what is in memory, waits for the log's goroutine and returns the error
// that kept bytes from being written, if any. What is kept stays readable. It may be
// called twice and then waits and answers the same.
func (l *Log) Close() error {
	l.close(false)
	l.flusher.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closeErr
}

// Remove closes the log without writing, and deletes it with its directory.
func (l *Log) Remove() error {
	l.close(true)
	l.flusher.Wait()
	l.mu.Lock()
	for _, it := range l.items {
		l.pool.put(it.buf)
	}
	l.items, l.flushed, l.pending, l.reserve = nil, 0, 0, 0
	l.segs, l.marks, l.marksFlushed, l.marksSize, l.marksLive = nil, nil, 0, 0, 0
	l.mu.Unlock()
	if l.dir == "" {
		return nil
	}
	if err := os.RemoveAll(l.dir); err != nil {
		return fmt.Errorf("cannot delete a terminal's log: %w", err)
	}
	return nil
}

func (l *Log) close(remove bool) {
	l.mu.Lock()
	l.removed = l.removed || remove
	if l.closed {
		l.mu.Unlock()
		return
	}
	if !l.removed {
		// A gap from recovery may wait for its first byte.
		l.wakeLocked()
	}
	l.closed = true
	close(l.closing)
	ch := l.changedLocked()
	l.mu.Unlock()
	if ch != nil {
		close(ch)
	}
}

func segmentName(dir string, first uint64) string {
	return filepath.Join(dir, fmt.Sprintf("%020d%s", first, segmentSuffix))
}

const segmentSuffix = ".seg"
