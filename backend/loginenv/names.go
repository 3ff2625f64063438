package loginenv

import (
	"slices"
	"strings"
)

// inherited returns what of the app's environment is the user's: without what the
// app, or what started it, has for itself. A variable that the user's own rc files
// set is not concerned: it comes from the shell.
func inherited(vars map[string]string) map[string]string {
	out := map[string]string{}
	for name, value := range vars {
		if !ours(name) && !shellMade(name) && !hosts(name) {
			out[name] = value
		}
	}
	return out
}

func ours(name string) bool { return matches(name, "DROVER_*") }

// shellMade are the variables that every terminal or shell makes anew.
func shellMade(name string) bool {
	return matches(name,
		"SHLVL", "PWD", "OLDPWD", "_", "TERM", "COLORTERM", "TERM_PROGRAM*", "VTE_VERSION", "WINDOWID", "COLUMNS", "LINES",
		"BASH_EXECUTION_STRING", "BASHOPTS", "SHELLOPTS", "PS1", "PS2", "PROMPT")
}

// hosts are the variables of what may have started the app: a build tool, an
// editor, an agent, a terminal, a service manager, and what the app sets for its
// own window.
func hosts(name string) bool {
	return matches(name,
		// The window.
		"GDK_BACKEND", "WEBKIT_*", "JSC_*",
		// Build tools.
		"npm_*", "INIT_CWD",
		// Editors and agents.
		"CLAUDECODE", "CLAUDE_CODE_*", "CODEX_*", "GEMINI_CLI", "GEMINI_CLI_*", "OPENCODE", "OPENCODE_*", "CURSOR_*", "VSCODE_*",
		"ELECTRON_*", "AI_AGENT", "INSIDE_EMACS", "EMACS", "TERMINAL_EMULATOR", "NVIM", "VIMRUNTIME", "ZED_TERM", "GIT_ASKPASS", "GIT_EDITOR",
		// Terminals and multiplexers.
		"TMUX", "TMUX_PANE", "STY", "ZELLIJ*", "KITTY_*", "WEZTERM_*", "ALACRITTY_*", "GHOSTTY_*", "ITERM_*", "LC_TERMINAL*", "KONSOLE_*",
		"GNOME_TERMINAL_*", "TILIX_ID", "TERMINATOR_*", "WT_SESSION", "WT_PROFILE_ID", "TERM_SESSION_ID",
		// The desktop's and the service manager's word to this one process.
		"DESKTOP_STARTUP_ID", "XDG_ACTIVATION_TOKEN", "GIO_LAUNCHED_DESKTOP_FILE*", "BAMF_DESKTOP_FILE_HINT", "INVOCATION_ID", "JOURNAL_STREAM",
		"NOTIFY_SOCKET", "LISTEN_*", "WATCHDOG_*", "MANAGERPID", "SYSTEMD_EXEC_PID", "APPIMAGE", "APPDIR", "ARGV0", "OWD", "XPC_*", "__CFBundleIdentifier")
}

// matches compares a name with names, or with prefixes that end in "*".
func matches(name string, patterns ...string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		if prefix, ok := strings.CutSuffix(p, "*"); ok {
			return strings.HasPrefix(name, prefix)
		}
		return name == p
	})
}
