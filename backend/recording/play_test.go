package recording_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"drover/backend/recording"
)

const story = `{"version":2,"width":80,"height":24}
[1,"o","a"]
[2,"r","100x30"]
[3,"o","b"]
[103,"o","c"]
`

func TestPlay(t *testing.T) {
	type key struct {
		after time.Duration
		key   byte
	}
	for _, row := range []struct {
		name   string
		player recording.Player
		keys   []key
		want   string
		took   time.Duration
	}{
		{"as it was", recording.Player{}, nil, "abc", 103 * time.Second},
		{"faster", recording.Player{Speed: 2}, nil, "abc", 51500 * time.Millisecond},
		{"short pauses", recording.Player{Idle: 2 * time.Second}, nil, "abc", 5 * time.Second},
		{"paused", recording.Player{}, []key{{2500 * time.Millisecond, ' '}, {time.Minute, ' '}}, "abc", 163 * time.Second},
		{"step by step", recording.Player{}, []key{{500 * time.Millisecond, ' '}, {0, '.'}, {0, '.'}, {0, '.'}, {0, '.'}}, "abc", 500 * time.Millisecond},
		{"faster by keys", recording.Player{}, []key{{53 * time.Second, '+'}}, "abc", 78 * time.Second},
		{"slower by keys", recording.Player{}, []key{{53 * time.Second, '-'}}, "abc", 153 * time.Second},
		{"ended by a key", recording.Player{}, []key{{4 * time.Second, 'q'}}, "ab", 4 * time.Second},
		{"ended by Ctrl+C", recording.Player{}, []key{{4 * time.Second, 3}}, "ab", 4 * time.Second},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				keys := make(chan byte)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				go func() {
					for _, k := range row.keys {
						time.Sleep(k.after)
						select {
						case keys <- k.key:
						case <-ctx.Done():
							return
						}
					}
				}()
				r, err := recording.NewReader(strings.NewReader(story))
				if err != nil {
					t.Fatal(err)
				}
				var out bytes.Buffer
				row.player.Out, row.player.Keys = &out, keys
				began := time.Now()
				if err := row.player.Play(ctx, r); err != nil {
					t.Fatal(err)
				}
				if got, _, _ := strings.Cut(out.String(), "\x1b"); got != row.want {
					t.Errorf("shows %q, want %q", got, row.want)
				}
				if !strings.HasSuffix(out.String(), "\r\n") {
					t.Error("the terminal was not put back")
				}
				if took := time.Since(began); took != row.took {
					t.Errorf("took %v, want %v", took, row.took)
				}
			})
		})
	}
}
