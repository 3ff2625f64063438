//go:build unix

package shell_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What start-up files do, they do with and without integration alike. Each case
// is run both ways, in the same HOME: what is visible is compared, and what the
// shell says of itself in the end.

// prompt is what all prompts of these cases end in.
const prompt = "@@>"

const bashDump = `{
env | sort; declare -p; declare -F; alias; shopt; set +o; trap; complete -p; bind -v
umask; ulimit -a; echo "$0 $# $-"; history; pwd
} >~/dumped 2>&1
`

const zshDump = `{
env | sort; typeset -p; print -l ${(ok)functions}; alias; setopt; bindkey
umask; ulimit -a; echo "$0 $# $-"; fc -l 1; pwd; print -l $fpath
} >~/dumped 2>&1
`

const fishDump = `begin
env | sort; set -L; functions; alias; abbr; bind
umask; status is-login; and echo login; echo $argv; pwd; history
end >~/dumped 2>&1
`

var dumps = map[string]string{"bash": bashDump, "zsh": zshDump, "fish": fishDump}

// Lines that differ from one run to the next, or that are the integration.
var volatile = regexp.MustCompile(`__drover|DROVER_BLOCK_ID|SECONDS|RANDOM|\bTTY=|SSH_TTY|EPOCH|BASHPID|PPID|PROMPT_COMMAND|fish_pid|last_pid|CMD_DURATION|^PS1=|history_session|` +
	`(typeset|declare) (-\S+ )?(-\S+ )?(\$|_|!|TTYIDLE|psvar|PIPESTATUS|BASH_ARG[CV]|FUNCNAME|sysparams|historywords|history|ZSH_EVAL_CONTEXT|PS0|PS1|PROMPT|prompt|precmd_functions|preexec_functions)\b`)

func TestStartupFilesDoTheSame(t *testing.T) {
	for _, c := range []struct {
		name, shell string
		files       map[string]string
		env         []string
		lines       []string
		want        []string // in the output of both
		same        bool     // the visible output is compared too
	}{
		{
			"bash: the first of the three login files", "bash",
			map[string]string{
				".bash_profile": "ORDER=bash_profile; . ~/.bashrc; shopt -s autocd histappend; HISTSIZE=77; alias ll='ls -l'; export FROM_RC=1\nfalse\n",
				".bashrc":       "ORDER+=,bashrc; PS1='\\[\\e[32m\\]$?\\[\\e[m\\] @@>'\n",
				".bash_login":   "echo WRONG\n", ".profile": "echo WRONG\n", ".bash_logout": "echo logged out\n",
			},
			nil,
			[]string{"echo $ORDER", "(exit 3)", "true | (exit 4)", "echo ${PIPESTATUS[*]} $_", "shopt login_shell"},
			[]string{"1\x1b[m @@>", "3\x1b[m @@>", "bash_profile,bashrc\r\n", "login_shell    \ton", "logged out"},
			true,
		},
		{
			"bash: .bash_login", "bash",
			map[string]string{".bash_login": "PS1='login@@>'; return 5\n", ".profile": "echo WRONG\n"},
			nil,
			[]string{"echo $HISTFILE"},
			[]string{"login@@>", "/.bash_history\r\n"},
			true,
		},
		{
			"bash: .profile, ENV and HISTFILE", "bash",
			map[string]string{".profile": "PS1='profile@@>'\n", "sh-env": "echo WRONG\n"},
			[]string{"ENV=sh-env", "HISTFILE=/dev/null"},
			[]string{"echo $ENV", "env | grep -c -e ^ENV= -e ^HISTFILE="},
			[]string{"\rsh-env\r\n", "\r2\r\n"},
			true,
		},
		{
			"bash: a prompt made anew each time, strict options", "bash",
			map[string]string{".bash_profile": `
set -u
trap 'echo exit trap' EXIT
PROMPT_COMMAND='s=$?; PS1="$s\n${PWD##*/} @@>"'
PS0='\e[33mgo\e[0m\n'
`},
			nil,
			[]string{"(exit 6)", "echo $s", "bash -c 'env | grep -c __drover'"},
			[]string{"6\r\n", "go\x1b[0m\r\r\n6\r\n", "exit trap"},
			true,
		},
		{
			"bash: PROMPT_COMMAND is a list", "bash",
			map[string]string{".bash_profile": "PROMPT_COMMAND=('a=$?' 'PS1=\"$a.$? @@>\"')\n"},
			nil,
			[]string{"(exit 6)", "PROMPT_COMMAND='a=x'", "(exit 7)"},
			[]string{"6.6 @@>", "x.7 @@>"},
			true,
		},
		{
			"bash: PROMPT_COMMAND is exported", "bash",
			map[string]string{".bash_profile": "export PROMPT_COMMAND='a=$?; history -a' PS1='$a @@>'\n"},
			nil,
			[]string{"(exit 6)", "bash --norc", "(exit 8)", "exit 0"},
			[]string{"6 @@>", "8 @@>"},
			true,
		},
		{
			"bash: a timer in a DEBUG trap", "bash",
			map[string]string{".bash_profile": `
start() { begun=${begun:-yes}; }
stop() { s=$?; was=${begun:-no}; unset begun; }
trap start DEBUG
PROMPT_COMMAND=stop
PS1='$s $was ${begun:-idle} @@>'
`},
			nil,
			[]string{"(exit 6)", "echo $begun"},
			[]string{"6 yes idle @@>", "yes\r\n"},
			true,
		},
		{
			"bash: hooks in the manner of bash-preexec, which hooks in at the first prompt", "bash",
			map[string]string{".bash_profile": `
bash_preexec_imported=defined typing=
hook() { [[ -n $typing ]] || return 0; typing=; echo "before $BASH_COMMAND"; }
before_prompt() { status=$?; local f; for f in "${precmd_functions[@]}"; do same $status; $f; done; same $status; }
same() { return "$1"; }
mine() { PS1="$? @@>"; }
ready() { typing=on; }
precmd_functions=(mine)
install() { trap hook DEBUG; PROMPT_COMMAND=before_prompt; PROMPT_COMMAND+=(ready); before_prompt; ready; }
PROMPT_COMMAND=install
`},
			nil,
			[]string{"(exit 6)", "echo hi", "echo ho"},
			[]string{"6 @@>", "before echo hi\r\nhi", "before echo ho\r\nho"},
			true,
		},
		{
			"bash: all is exported, all is traced", "bash",
			map[string]string{".bash_profile": "PS1='@@>'; set -ax\n"},
			nil,
			[]string{"echo $-", "env >envs; grep -i __drover envs"},
			nil, true,
		},
		{
			"bash: a prompt that must not change", "bash",
			map[string]string{".bash_profile": "PS1='@@>'; readonly PS1 PROMPT_COMMAND=true\n"},
			nil,
			[]string{"echo hi"},
			[]string{"hi\r\n"},
			true,
		},
		{
			"bash: prompts that expand nothing", "bash",
			map[string]string{".bash_profile": "shopt -u promptvars; PS1='$? @@>'\n"},
			nil,
			[]string{"echo hi"},
			[]string{"$? @@>"},
			true,
		},
		{
			"zsh: all four files", "zsh",
			map[string]string{
				".zshenv":   "ORDER=zshenv\n",
				".zprofile": "ORDER+=,zprofile; export FROM_RC=1\n",
				".zshrc":    "ORDER+=,zshrc; PS1='%F{green}%?%f @@>'; setopt autocd no_unset; alias ll='ls -l'; HISTFILE=~/hist; SAVEHIST=9; HISTSIZE=9\nprecmd() { a=$? }\n",
				".zlogin":   "ORDER+=,zlogin\nfalse\n", ".zlogout": "echo logged out\n",
			},
			nil,
			[]string{"echo $ORDER ${ZDOTDIR-none}", "(exit 3)", "echo $a", "true | (exit 4)", "echo $pipestatus $_", "env | grep -ci -e __drover -e zdotdir", "[[ -o login ]] && echo yes"},
			[]string{"zshenv,zprofile,zshrc,zlogin none\r\n", "3\x1b[39m @@>", "\n3\r\n", "logged out"},
			true,
		},
		{
			"zsh: files elsewhere", "zsh",
			map[string]string{
				".zshenv": "echo WRONG\n", ".zshrc": "echo WRONG\n",
				"z/.zshenv": "ZDOTDIR=$HOME/z2\n", "z2/.zprofile": "echo z2\n", "z2/.zshrc": "PS1='@@>'\n",
			},
			[]string{"ZDOTDIR=$HOME/z"},
			[]string{"echo $ZDOTDIR", "env | grep -c ZDOTDIR"},
			[]string{"z2\r\n"},
			true,
		},
		{
			"zsh: hooks, a prompt of several lines, traced and exported", "zsh",
			map[string]string{
				".zshrc": `
setopt prompt_subst warn_create_global
precmd_functions+=(mine)
mine() { local s=$?; PROMPT=$'%~\n'"$s %% @@>" }
preexec() { print before $1 }
TRAPZERR() { print zerr }
setopt all_export
`,
			},
			nil,
			[]string{"(exit 3)", "env | grep -ci __drover", "set -x; echo hi; set +x"},
			[]string{"3 % @@>", "before (exit 3)", "zerr"},
			true,
		},
		{
			"zsh: a prompt without percent signs", "zsh",
			map[string]string{".zshrc": "unsetopt prompt_percent; PS1='%? @@>'\n"},
			nil,
			[]string{"echo hi"},
			[]string{"%? @@>"},
			true,
		},
		{
			"fish: its files and its prompt", "fish",
			map[string]string{
				".config/fish/conf.d/a.fish": "set -g order conf\n",
				".config/fish/config.fish": `
set -g order $order,config
set -g fish_greeting
set -gx FROM_RC 1
function on_prompt --on-event fish_prompt; set -g seen $status; end
function fish_right_prompt; echo right; end
function fish_prompt
    set -l s $status $pipestatus
    set_color green; echo "$s"; echo -n '@@>'
end
`,
			},
			[]string{"XDG_DATA_DIRS=/usr/share"},
			[]string{"echo $order; set -S XDG_DATA_DIRS", "sh -c 'exit 3'", "echo $seen", "true | sh -c 'exit 4'"},
			[]string{"conf,config", "3 3", "4 0 4"},
			false,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.write(c.files)
			r.write(map[string]string{"dump": dumps[c.shell]})
			for _, kv := range c.env {
				r.env = append(r.env, strings.ReplaceAll(kv, "$HOME", r.dir))
			}
			both := func(integration bool, block string) (visible string, dump []string) {
				l := r.live(t, c.shell, block, integration)
				l.after(prompt)
				for _, line := range append(c.lines, ". ~/dump") {
					l.send(line + "\r")
					l.after(prompt)
				}
				out := l.exit()
				text, err := os.ReadFile(filepath.Join(r.dir, "dumped"))
				if err != nil {
					t.Fatal(err)
				}
				for _, line := range strings.Split(string(text), "\n") {
					if !volatile.MatchString(line) {
						dump = append(dump, line)
					}
				}
				history, _ := filepath.Glob(filepath.Join(r.dir, "*hist*"))
				for _, h := range append(history, filepath.Join(r.dir, ".bash_history"), filepath.Join(r.dir, ".sh_history"), filepath.Join(r.dir, "dumped"), filepath.Join(r.dir, ".local/share/fish/fish_history")) {
					if text, err := os.ReadFile(h); err == nil && filepath.Base(h) != "dumped" && c.shell != "fish" {
						dump = append(dump, h+": "+string(text))
					}
					_ = os.Remove(h)
				}
				return osc.ReplaceAllString(out, ""), dump
			}
			plain, plainDump := both(false, "plain")
			with, withDump := both(true, "with")
			for _, want := range c.want {
				if !strings.Contains(plain, want) || !strings.Contains(with, want) {
					t.Errorf("no %q in both", want)
				}
			}
			if strings.Contains(with, "WRONG") || c.same && plain != with || t.Failed() {
				t.Errorf("plain %q\nwith  %q", plain, with)
			}
			for _, line := range withDump {
				if !slices.Contains(plainDump, line) {
					t.Errorf("new: %s", line)
				}
			}
			for _, line := range plainDump {
				if !slices.Contains(withDump, line) {
					t.Errorf("lost: %s", line)
				}
			}
		})
	}
}
