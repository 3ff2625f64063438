package termlog

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sort"
	"time"
)

// Kind tells what a mark stands for.
type Kind uint8

// The kinds that the product knows. Those from KindCustom on are the caller's.
const (
	KindSize       Kind = 1 // the payload is a Size; written by Resize
	KindStart      Kind = 2 // an instance starts
	KindExit       Kind = 3 // the instance's program has ended
	KindNote       Kind = 4 // text for the reader
	KindPrompt     Kind = 5 // OSC 133 A
	KindCommand    Kind = 6 // OSC 133 B
	KindOutput     Kind = 7 // OSC 133 C
	KindDone       Kind = 8 // OSC 133 D
	KindCheckpoint Kind = 9 // a screen that is right before the byte at Off
	KindCustom     Kind = 64
)

// sticky kinds stay in force: the last one survives the bytes that it stood before.
func (k Kind) sticky() bool { return k == KindSize || k == KindStart }

// Mark stands before the byte numbered Off.
type Mark struct {
	Kind    Kind
	Off     uint64
	At      time.Time // to the millisecond
	Payload []byte    // must not be changed
}

type mark struct {
	kind    Kind
	off     uint64
	at      int64
	payload []byte
}

func (m mark) size() int64 { return headerLen + int64(len(m.payload)) }

// Size is that of a terminal: cells, and pixels of the whole text area (0: not known).
type Size struct{ Cols, Rows, XPixel, YPixel uint16 }

// Size returns the payload of a mark of KindSize.
func (m Mark) Size() (Size, bool) {
	if m.Kind != KindSize || len(m.Payload) != 8 {
		return Size{}, false
	}
	b := binary.BigEndian
	return Size{b.Uint16(m.Payload), b.Uint16(m.Payload[2:]), b.Uint16(m.Payload[4:]), b.Uint16(m.Payload[6:])}, true
}

// Mark sets a mark at End and returns that number. The payload is copied, and cut after
// 4 KiB. At most 16,384 marks or 2 MiB of them are kept: half of them go, the oldest
// first, but for the last size and start before those that stay. After Close it does
// nothing.
func (l *Log) Mark(kind Kind, payload []byte) (off uint64) {
	payload = append([]byte(nil), payload[:min(len(payload), maxMarkPayload)]...)
	l.mu.Lock()
	off = l.end
	if l.closed || kind == 0 {
		l.mu.Unlock()
		return off
	}
	m := mark{kind: kind, off: off, at: nowMilli(), payload: payload}
	l.marks = append(l.marks, m)
	l.marksLive += m.size()
	l.boundMarksLocked()
	l.wakeLocked()
	ch := l.changedLocked()
	l.mu.Unlock()
	if ch != nil {
		close(ch)
	}
	return off
}

// Resize marks that the bytes from End on are written for a terminal of size s.
func (l *Log) Resize(s Size) (off uint64) {
	p := make([]byte, 0, 8)
	for _, v := range []uint16{s.Cols, s.Rows, s.XPixel, s.YPixel} {
		p = binary.BigEndian.AppendUint16(p, v)
	}
	return l.Mark(KindSize, p)
}

// Marks returns those with from <= Off < to, in the order in which they were set. To
// get those at End as well, pass math.MaxUint64. Before First only the last size and the
// last start are kept.
func (l *Log) Marks(from, to uint64) []Mark {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := sort.Search(len(l.marks), func(i int) bool { return l.marks[i].off >= from })
	j := sort.Search(len(l.marks), func(i int) bool { return l.marks[i].off >= to })
	if i >= j {
		return nil
	}
	out := make([]Mark, 0, j-i)
	for _, m := range l.marks[i:j] {
		out = append(out, m.public())
	}
	return out
}

func (m mark) public() Mark {
	return Mark{Kind: m.kind, Off: m.off, At: time.UnixMilli(m.at), Payload: m.payload}
}

// SizeAt returns the size for which the byte at off was, or will be, written. It is not
// known when none was marked.
func (l *Log) SizeAt(off uint64) (Size, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := sort.Search(len(l.marks), func(i int) bool { return l.marks[i].off > off })
	for i--; i >= 0; i-- {
		if s, ok := l.marks[i].public().Size(); ok {
			return s, true
		}
	}
	return Size{}, false
}

// trimMarksLocked drops the marks before the oldest byte.
func (l *Log) trimMarksLocked() {
	first := l.firstLocked()
	l.dropMarksLocked(sort.Search(len(l.marks), func(i int) bool { return l.marks[i].off >= first }))
}

func (l *Log) boundMarksLocked() {
	for len(l.marks) > maxMarks || l.marksLive > maxMarkBytes {
		l.dropMarksLocked(len(l.marks) / 2)
	}
}

// dropMarksLocked drops the first n marks but for the last of each sticky kind.
func (l *Log) dropMarksLocked(n int) {
	keep := make([]int, 0, 2)
	var seen [256]bool
	for i := n - 1; i >= 0; i-- {
		if k := l.marks[i].kind; k.sticky() && !seen[k] {
			seen[k] = true
			keep = append(keep, i)
		}
	}
	if len(keep) == n {
		return
	}
	sort.Ints(keep)
	left := make([]mark, 0, len(keep)+len(l.marks)-n)
	flushed := max(l.marksFlushed-n, 0)
	for _, i := range keep {
		left = append(left, l.marks[i])
		if i < l.marksFlushed {
			flushed++
		}
	}
	l.marks, l.marksFlushed = append(left, l.marks[n:]...), flushed
	l.marksLive = headerLen
	for _, m := range l.marks {
		l.marksLive += m.size()
	}
}

func (l *Log) marksName() string { return filepath.Join(l.dir, "marks") }

// writeMarks writes those that are in memory only, or all of them anew when most of the file
// is dead. The flusher calls it.
func (l *Log) writeMarks() (wrote bool, err error) {
	l.mu.Lock()
	todo := append([]mark(nil), l.marks[l.marksFlushed:]...)
	pos := l.marksSize
	anew := pos == 0 || (pos > 64<<10 && pos > 2*l.marksLive)
	if anew && (len(todo) > 0 || pos > 0) {
		todo = append([]mark(nil), l.marks...)
	}
	l.mu.Unlock()
	if len(todo) == 0 {
		return false, nil
	}
	name := l.marksName()
	flags := os.O_RDWR
	if anew {
		name += ".new"
		flags |= os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(name, flags, 0o600)
	if err != nil {
		return true, err
	}
	defer f.Close()
	var b []byte
	var salt uint32
	if anew {
		pos = 0
		b, salt = newHeader(marksMagic, 0)
	} else if _, salt, err = readHeader(f, marksMagic); err != nil {
		return true, err
	}
	for _, m := range todo {
		at := len(b)
		b = append(append(b, make([]byte, headerLen)...), m.payload...)
		putFrame(b[at:], salt, byte(m.kind), m.off, m.at)
	}
	if _, err := f.WriteAt(b, pos); err != nil {
		return true, err
	}
	if anew {
		if err := errors.Join(f.Close(), os.Rename(name, l.marksName())); err != nil {
			return true, err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.marksSize = pos + int64(len(b))
	l.marksFlushedLocked(todo[len(todo)-1])
	return true, nil
}

// marksFlushedLocked notes that all marks up to last are on disk; some may have been dropped
// since.
func (l *Log) marksFlushedLocked(last mark) {
	for i := len(l.marks) - 1; i >= l.marksFlushed; i-- {
		m := l.marks[i]
		if m.off == last.off && m.at == last.at && m.kind == last.kind {
			l.marksFlushed = i + 1
			return
		}
	}
}

// recoverMarks reads the side index, and cuts it where it is torn.
func (l *Log) recoverMarks() error {
	f, err := os.OpenFile(l.marksName(), os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	_, salt, err := readHeader(f, marksMagic)
	if errors.Is(err, errHeader) {
		return nil // written anew with the next mark
	}
	if err != nil {
		return err
	}
	buf := l.pool.chunk()
	defer l.pool.put(buf)
	w := walker{r: f, size: info.Size(), salt: salt, marks: true, pos: headerLen, max: maxOffset, buf: buf}
	var last uint64
	for {
		fr, err := w.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		last = fr.off
		l.marks = append(l.marks, mark{Kind(fr.kind), fr.off, fr.at, append([]byte(nil), fr.payload...)})
	}
	if w.pos < info.Size() {
		if err := f.Truncate(w.pos); err != nil {
			return err
		}
	}
	l.marksSize, l.marksFlushed = w.pos, len(l.marks)
	if last > l.end {
		// The marks outlived their bytes; the numbers up to them are taken.
		readable := l.end
		if len(l.items) > 0 {
			readable = l.items[0].from
		}
		l.end = last
		l.skipFrom(readable)
	}
	l.marksLive = l.marksSize
	l.trimMarksLocked()
	l.boundMarksLocked()
	return nil
}
