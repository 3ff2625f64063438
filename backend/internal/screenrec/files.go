package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// writeFiles fills the home of the user whom the programs run for.
func writeFiles(dir string) error {
	files := map[string]string{
		"story.txt":         story(),
		"words/日本語.txt":     strings.Repeat("日本語のテキスト、全角とカナ。\n", 40),
		"words/한국어.txt":     strings.Repeat("한국어 텍스트와 English가 섞인 줄.\n", 40),
		"words/emoji 👍.txt": strings.Repeat("👍 👍🏽 👩‍👩‍👧 🏳️‍🌈 1️⃣ ❤️ ❤ 🇩🇪 end\n", 30),
		"words/plain.txt":   strings.Repeat("nothing but letters\n", 100),
		"src/herd.go":       source(),
		"src/table.csv":     table(),
		"src/notes.md":      "# Notes\n\n- one 一\n- two 二\n- *three* 三\n\n```sh\nls -l | wc\n```\n",
		".vimrc":            "set nocompatible nomodeline noswapfile viminfo= number hlsearch incsearch ruler showcmd wildmenu mouse=a encoding=utf-8\nset termguicolors cursorline list listchars=tab:→·,trail:·\nsyntax on\nfiletype plugin indent on\n",
		".bashrc":           "PS1='\\[\\e[1;32m\\]demo\\[\\e[m\\]:\\[\\e[34m\\]\\W\\[\\e[m\\]\\$ '\nalias ls='ls --color=always'\n",
		".config/mc/ini":    "[Midnight-Commander]\nuse_internal_edit=true\n",
		".zshrc":            "PROMPT='%F{green}demo%f %B%1~%b %# '\nRPROMPT='%F{yellow}[%?] 羊%f'\nautoload -Uz compinit && compinit -u\nzstyle ':completion:*' menu select\nzstyle ':completion:*' list-colors ''\nsetopt noflowcontrol\n",
		".tmux.conf":        "set -g status-right '%H:%M 羊 🐑'\nset -g default-command 'bash -i'\nset -g mouse on\nset -g pane-border-status top\nset -sg escape-time 0\nset -g assume-paste-time 0\nset -g default-terminal tmux-256color\n",
		".config/fish/config.fish": "set -g fish_greeting 'Welcome to fish 🐟, 魚'\nset -g fish_prompt_pwd_dir_length 0\n" +
			"function fish_prompt; set_color cyan; echo -n 'demo '; set_color -o; echo -n (prompt_pwd); set_color normal; echo -n '> '; end\nfunction fish_right_prompt; set_color brblack; echo -n 'right 右'; set_color normal; end\n",
		".config/htop/htoprc": "htop_version=3.2.2\nconfig_reader_min_version=3\nfields=0 48 17 18 38 39 2 46 47 49 1\ndelay=15\ntree_view=0\nheader_layout=two_50_50\ncolumn_meters_0=AllCPUs Memory Swap\ncolumn_meter_modes_0=1 1 1\ncolumn_meters_1=Tasks LoadAverage Uptime\ncolumn_meter_modes_1=2 2 2\n",
	}
	when := time.Date(2024, 5, 17, 9, 30, 0, 0, time.UTC)
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
		if err := os.Chtimes(path, when, when); err != nil {
			return err
		}
	}
	return nil
}

// story has what lines of text can have: wide characters at every column, lines
// longer than a screen, tabs, marks, emoji of several code points.
func story() string {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "%3d %s日本語の羊 the herd moves on.\n", i, strings.Repeat("·", i%7))
		switch i % 6 {
		case 0:
			b.WriteString("\ttabs\tand\ttabs\tÄpfel, naïve cafés, e\u0301tude a\u0308\u0323\n")
		case 1:
			b.WriteString("👍 👍🏽 👩‍👩‍👧 🏳️‍🌈 1️⃣ ❤️ 🇩🇪 🐑🐕\n")
		case 2:
			b.WriteString(strings.Repeat("長い行、とても長い行。", 12) + "\n")
		case 3:
			b.WriteString(strings.Repeat("a long line without an end ", 9) + "\n")
		case 4:
			b.WriteString("Привет, мир! Γειά σου Κόσμε नमस्ते שלום ─│┌┐└┘ → ✓ …\n")
		}
	}
	return b.String()
}

func source() string {
	var b strings.Builder
	b.WriteString("// Package herd counts sheep (羊).\npackage herd\n\nimport \"fmt\"\n")
	for i := range 30 {
		fmt.Fprintf(&b, "\n// Sheep%d says \"めえ\" %d times. TODO: 🐑\nfunc Sheep%d(n int) string {\n\tif n > %d {\n\t\treturn fmt.Sprintf(\"%%d 匹\", n) // wide\n\t}\n\treturn \"baa\"\n}\n", i, i, i, i*10)
	}
	return b.String()
}

func table() string {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "%d,sheep %d,%d.%02d,%s\n", i, i*7%101, i*i%997, i%100, []string{"weiß", "黒", "gris", "🟤"}[i%4])
	}
	return b.String()
}
