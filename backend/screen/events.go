package screen

// EventKind says what happened.
type EventKind uint8

// The events. Those marked "last" come once in an Output, with the last value.
const (
	Bell           EventKind = iota + 1 // last; Count is how often
	TitleChanged                        // last; Text
	Notification                        // Title (may be empty) and Text
	Progress                            // last; Count is the state of OSC 9;4, Percent its value
	ClipboardWrite                      // Text is to be put there; Title names the clipboard ("c", "p", …)
	ClipboardRead                       // the program asks what is there: somebody must decide
	PromptMark                          // Mark; Text is what Screen.Directory was at it
)

// Event is something that happened in a Write.
type Event struct {
	Kind        EventKind
	Text, Title string // without control characters, but for the text of a ClipboardWrite
	Count       int
	Percent     int
	Mark        Mark
}

const (
	maxEvents  = 256
	maxAnswers = 256 << 10 // bytes
)

// Output is what came of the Writes since the last Take.
type Output struct {
	// Answers go to the program, as they are and in this order.
	Answers []byte
	Events  []Event
}

type output struct{ Output }

// Take hands out what has come of the Writes since the last one. What is not taken
// is bounded: 256 events, and 256 KiB of answers. What comes beyond that is dropped:
// a program that asks or rings so often before anybody looks is a hostile one.
func (s *Screen) Take() Output {
	o := s.out.Output
	s.out.Output = Output{}
	return o
}

func (s *Screen) answer(text string) {
	if len(s.out.Answers)+len(text) <= maxAnswers {
		s.out.Answers = append(s.out.Answers, text...)
	}
}

func (s *Screen) emit(e Event) {
	switch e.Kind {
	case Bell, TitleChanged, Progress:
		for i := range s.out.Events {
			if old := &s.out.Events[i]; old.Kind == e.Kind {
				if e.Kind == Bell {
					e.Count = old.Count
				}
				*old = e
				if e.Kind == Bell {
					old.Count++
				}
				return
			}
		}
		if e.Kind == Bell {
			e.Count = 1
		}
	default:
	}
	if len(s.out.Events) < maxEvents {
		s.out.Events = append(s.out.Events, e)
	}
}
