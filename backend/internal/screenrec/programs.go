package main

// program is what is recorded, and what is done to it.
type program struct {
	name       string
	cols, rows int
	command    []string
	steps      []step
}

// step is a resize, if cols is not 0, and then keys; the program settles after
// them and shows until.
type step struct {
	cols, rows int
	keys       string
	typed      bool // key by key, settling between them
	until      string
}

// end, as what a step waits for, is the end of the program.
const end = "\x00end"

// Keys that have names.
const (
	esc, tab, enter       = "\x1b", "\t", "\r"
	up, down, right, left = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
	pageUp, pageDown      = "\x1b[5~", "\x1b[6~"
	f2, f3, f4, f5        = "\x1bOQ", "\x1bOR", "\x1bOS", "\x1b[15~"
	f6, f7, f9, f10       = "\x1b[17~", "\x1b[18~", "\x1b[20~", "\x1b[21~"
)

func keys(all ...string) []step {
	var out []step
	for _, k := range all {
		out = append(out, step{keys: k})
	}
	return out
}

func typed(text string) []step { return []step{{keys: text, typed: true}} }

func times(n int, key string) []step {
	var out []step
	for range n {
		out = append(out, step{keys: key})
	}
	return out
}

func size(cols, rows int) []step { return []step{{cols: cols, rows: rows}} }

func until(text string) []step { return []step{{until: text}} }

func see(key, text string) []step { return []step{{keys: key, until: text}} }

// quit is the last step.
func quit(key string) []step { return see(key, end) }

func script(parts ...[]step) []step {
	var out []step
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

func programs() []program {
	return []program{
		{"bash", 80, 24, []string{"bash", "-i"}, bash()},
		{"zsh", 100, 30, []string{"zsh", "-i"}, zsh()},
		{"fish", 80, 24, []string{"fish", "-i"}, fish()},
		{"less", 80, 24, []string{"less", "-R", "-N", "story.txt", "src/herd.go"}, less()},
		{"vim-80", 80, 24, []string{"vim", "src/herd.go"}, vim(60, 18)},
		{"vim-100", 100, 30, []string{"vim", "story.txt"}, vim(70, 36)},
		{"htop-80", 80, 24, []string{"bash", "-c", processes}, htop(64, 20)},
		{"htop-130", 130, 36, []string{"bash", "-c", processes}, htop(100, 44)},
		{"tmux-80", 80, 24, []string{"tmux", "new", "-s", "demo"}, tmux(100, 30)},
		{"tmux-132", 132, 43, []string{"tmux", "-2u", "new", "-s", "羊"}, tmux(90, 24)},
		{"mc-80", 80, 24, []string{"mc", "--nosubshell", "words", "src"}, mc(60, 20)},
		{"mc-100", 100, 28, []string{"mc", "--nosubshell", "words", "src"}, mc(110, 30)},
	}
}

func bash() []step {
	return script(
		until("demo"), keys("ls -la . words\r", "cat words/emoji*\r", "cat story.txt\r"),
		keys(`for i in {0..255}; do printf '\e[48;5;%dm%4d\e[m' $i $i; done; echo`+enter),
		typed("echo a line of words that is longer than the terminal is wide, 日本語 and 👍 in it, so that readline wraps it"),
		times(8, left), typed("羊x"), keys("\x01", "\x1bf", "\x0b", "\x19", "\x05"),
		size(50, 20), keys("\x01", "\x05", enter), keys("cat wor\t\t", "日\t", enter),
		keys("\x12", "colour", "\x07", "\x12"), keys("printf", "\x03"),
		keys("seq -f 'line %g of many 行' 400\r"), size(90, 30), keys(up, up, down, "\x15"),
		keys("printf '\\e[2J\\e[5;10Hplaced \\e[7mand inverse\\e[m\\e[?25l'; read -n1; printf '\\e[?25h'\r", "x", "clear\r"),
		keys("select x in one two 三; do break; done\r", "3\r"), quit("exit\r"),
	)
}

func zsh() []step {
	return script(
		until("demo"), typed("ls -l wo"), keys(tab, enter),
		keys("print -P '%F{red}red%f %S日本語%s'\r", "cat w", tab, tab, tab, right, down, "\x03"),
		keys("ls --", tab), keys("y"), keys(tab, tab, down, down, pageDown, right), size(70, 24), keys(tab, "\x03"),
		typed("echo 'several"), keys(enter), typed("lines 日本語 👩‍👩‍👧"), keys(enter), typed("end'"), size(110, 34), keys(enter),
		keys("for i in {1..300}; do print -n \"$i 羊 \"; done\r", "cat src/herd.go\r", "\x12", "several", enter),
		keys("cd src", enter, "ls ", tab, tab, enter, "true && false\r", "bindkey -v\r", "echo vi mode words", esc, "b", "b", "cw", "日本", esc, "0", "D"),
		keys("dd", "i"), typed("cat ../story.txt | head -40 # comment"), keys(enter, "ls -la --color=always / | head -12\r"), typed("vared PROMPT"), keys(enter, "\x03"),
		typed("echo $(( 6 * 7 )) ~/wor"), keys(tab, tab, "\x03", "setopt prompt_subst; RPROMPT=; print -n 'no newline 羊'\r", "cat ../src/table.csv\r"), quit("exit\r"),
	)
}

func fish() []step {
	return script(
		until("demo"), typed("ls -l words/"), keys(enter), typed("cat story.txt | head -"), keys("20\r"),
		typed("ls -"), keys(tab, tab, down, right, right, esc), keys("\x03"),
		typed("ec"), keys(right, "\x03"), typed("echo 'unclosed 日本語"), keys(esc, "\x03"),
		typed("for i in (seq 200); echo -n \"$i 魚 🐟 \"; end"), keys(enter), size(60, 20),
		typed("ls"), keys(up, up, down, enter), keys("cd wo", tab, enter, "ls ", tab, tab, tab, enter, "\x03"), size(100, 28),
		typed("set_color -o red; echo rot; set_color normal; printf '%s\\n' a\\tb 日\\t本"), keys(enter),
		keys("history\r", "cat ../src/table.csv\r"), typed("echo a very long command line that is wrapped by fish at the edge of the screen, and 日本語 after it, and more"),
		keys("\x01", "\x05", "\x17", "\x17", enter), quit("exit\r"),
	)
}

func less() []step {
	return script(
		until("story.txt"), times(6, " "), times(10, "j"), times(8, "k"), keys("b", "b", "G", "g", "/羊", enter, "n", "n", "N"),
		keys("-S", enter, right, right, left), times(5, "d"), size(60, 18), times(4, "u"), keys("-S", enter, " ", " "),
		keys(":n", " ", " ", " ", "/TODO", enter, "n", "&func", enter, " ", "&", enter), size(100, 40), keys("-N", enter, "g", " ", " ", " ", "50%", "h", "q"),
		keys(":p", "?emoji", enter, "\x03", "="), quit("q"),
	)
}

func vim(cols, rows int) []step {
	return script(
		until("Top"), keys("\x06", "\x06", "\x02", "G", "gg", "10\x05", "5\x19", "zt", "zb"),
		keys("o"), typed("// 日本語 in a comment 👍👍🏽 and e\u0301"), keys(esc, "yy", "5p", "u", "\x12"),
		keys("/sheep\\|herd"+enter, "n", "N", "*", ":noh\r"), keys("v", "5j", "$", "d", "u", "V", "3j", ">", "u", "\x16", "4j", "4l", "r#", "u"),
		keys(":split words/日本語.txt\r", ":vsplit words/emoji*\r", "\x17l", "\x17=", "\x06"), size(cols, rows),
		keys("\x17j", "\x04", "\x15", ":set nowrap nonumber\r", "20zl", "20zh", ":set wrap\r"), keys("\x17o", "zfap", "zo"),
		keys(":%s/the/THE 羊/g\r", "u", ":set list!\r", ":help\r"), times(5, "\x06"), keys(":q\r", ":colorscheme desert\r", ":e src/table.csv\r", "G", "\x02", "100G", "zz"),
		keys("i"), typed("typed in\nseveral\tlines 羊"), keys("\x0e", "\x0e", "\x10", esc), keys("qa", "dd", "jq", "10@a", "u", ":registers\r", enter, ":messages\r", enter),
		size(80, 24), keys("ggVG=", "gg", ":syntax off\r", ":!ls\r", enter, "\x0c"), quit(":qa!\r"),
	)
}

// processes is a machine with something on it.
const processes = `for n in shepherd "dog 犬" lamb-with-a-very-long-name-that-no-column-has-room-for; do
	(exec -a "$n" sleep 1000) & (exec -a "child of $n" sleep 1001) &
done
(exec -a "busy 羊" sh -c 'while :; do read -t 1 x < /dev/zero || :; done' 2>/dev/null) & p=$!
htop -d 10 -u demo; kill $(jobs -p); exit`

func htop(cols, rows int) []step {
	return script(
		until("shepherd"), times(4, down), times(2, up), keys(f5, down, down, f5), keys(f6), times(3, down), keys(enter),
		keys(f3, "lamb", f3, esc), keys(f4, "dog", enter, f4, "\x7f\x7f\x7f", esc), size(cols, rows), times(4, right), times(4, left),
		keys(f2), times(4, down), keys(right, down, down, " ", right, down, enter, tab), keys(esc), keys("e", esc, "h", "x", "t", "H", "K", "p", "c", " ", "U"),
		keys(f9, down, down, esc), size(80, 24), keys("I", "M", "T", "P"), times(4, "\x0c"), quit("q"),
	)
}

func tmux(cols, rows int) []step {
	const c = "\x02" // Ctrl-B
	return script(
		until("demo"), keys("cat words/emoji*\r", c+"%"), until("demo"), keys("ls --color=always -la\r", c+"\"", "seq 500\r", c+"o", "cat story.txt\r"),
		keys(c+"[", pageUp, pageUp, up, up, " ", down, down, right, right), keys(enter, c+"]", "\x03"),
		keys(c+"c"), keys("vim story.txt\r", "\x06", "\x06", "i日本語👍", esc), size(cols, rows), keys("\x06", c+"n"),
		keys(c+" ", c+" ", c+"z", c+"z", c+"{"), keys(c+":", "rename-window 羊の群れ", enter, c+"w", down, down, enter, c+"?", pageDown, "q"),
		keys(c+"q", c+"t", "q", "less story.txt\r", " ", " ", "/羊\r"), size(80, 24), keys("q", "printf '\\e]2;title\\a\\e[3;4:3;58;5;9mstyles\\e[m\\e[9mstrike\\e[m\\n'\r"),
		keys(c+"i", "\x1b[<0;5;5M\x1b[<0;5;5m", c+"x", "n", c+":", "kill-session"), quit(enter),
	)
}

func mc(cols, rows int) []step {
	const escape = esc + esc
	return script(
		until("Hint"), keys(tab, down), see(f3, "Sheep"), times(4, pageDown), times(5, down), keys(f2, pageDown, f2, f4, pageDown, f4), see(f7, "Enter search"), see("sheep"+enter, "Sheep"), keys("n", "n"), see(f10, "Hint"),
		keys(f9), see(enter, "File listing"), keys(right, down, down, right, right, left, escape), keys(tab, down), see(f5, "Copy file"), keys(tab, tab, escape),
		size(cols, rows), see(f4, "👍"), keys(pageDown, pageUp, down, down), typed("typed 日本語 é 👍 "), keys(f3, down, down, f3, f5, f3), keys(f9, enter, right, right, right, escape), see(f7, "Search"), keys("end"+enter), keys(pageDown, pageDown), see(f10, "modified"), see("n", "Hint"),
		keys("\x1bt", "\x1bt", "\x1b,", "\x1b,", "\x15", "\x15"), see("cd ..\r", ".vimrc"), keys("\x1b[F"), see(f3, "羊"), times(6, pageDown), times(6, down), times(3, up), keys(f2, pageUp, pageUp, f2, right, right, f4, pageDown), size(80, 24), keys(pageDown, f4, f10),
		see(f4, "the herd"), times(4, pageDown), times(8, down), keys("\x1b[F", "x", "\x1bn", "\x1b[H", "\x19", "\x19"), see(f10, "modified"), see("n", "Hint"), see(f7, "directory name"), keys("\x15", "新しい", enter), see("\x1b?", "Start at"), see(escape, "Hint"), keys(f9), see(enter, "File listing"), keys(left, down, down, down, enter, escape),
		size(cols, rows), keys("\x14", "\x14", "*", "+", enter, "\x1bi", "\x0f", "\x0f"), quit(f10),
	)
}
