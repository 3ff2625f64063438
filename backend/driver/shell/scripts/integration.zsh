# Drover's shell integration for zsh 5.1 and later: OSC 7 and OSC 133.
#
# Zsh was started with ZDOTDIR naming the folder of this file, which it reads as
# .zshenv. The user's ZDOTDIR is put back at once, the user's .zshenv is read
# from here, and zsh finds all further files by itself.

if [[ -n ${__DROVER_ZDOTDIR+x} ]]; then
	builtin export ZDOTDIR=$__DROVER_ZDOTDIR
	builtin unset __DROVER_ZDOTDIR
else
	builtin unset ZDOTDIR
fi

if [[ -o interactive ]]; then
	# %{%} tells these from the marks that a prompt of the user's may have.
	__drover_a=$'%{%}%{\e]133;A\a%}' __drover_b=$'%{%}%{\e]133;B\a%}' __drover_on=

	# Ends the command, says where we are, and marks the prompt. It stays the
	# last hook, because others set the prompt; when it finds that it was not,
	# which is before the first prompt, it marks only the beginning.
	__drover_precmd() {
		builtin local s=$?
		builtin setopt local_options no_xtrace
		builtin local percent=
		[[ ! -o promptpercent ]] || percent=1
		builtin emulate -L zsh
		builtin setopt no_multibyte extended_glob
		[[ ${(t)PS1} != *readonly* ]] || return 0
		builtin local MATCH MBEGIN MEND out= ran=${__drover_on:#prompt}
		__drover_on=
		__drover_unmark
		if [[ $PS1 != *'133;'* && -n $percent ]]; then
			out=${ran:+$'\e]133;D;'$s$'\a'}
			out+=$'\e]7;file://'$HOST${PWD//(#m)[^A-Za-z0-9\/._~-]/%${(l:2::0:)$(([##16]#MATCH))}}$'\a'
			if [[ ${precmd_functions[-1]} == __drover_precmd ]]; then
				PS1=$__drover_a$PS1$__drover_b
			else
				precmd_functions=(${precmd_functions:#__drover_precmd} __drover_precmd)
				out+=$'\e]133;A\a'
			fi
			__drover_print $out
			__drover_on=prompt
		fi
	} 2>/dev/null

	# Takes the marks from the prompt, so that no child gets them. The command is
	# said as it was typed, unless it is long.
	__drover_preexec() {
		builtin setopt local_options no_xtrace
		builtin emulate -L zsh
		[[ -n $__drover_on ]] || return 0
		builtin setopt no_multibyte extended_glob
		builtin local MATCH MBEGIN MEND __drover_line=
		((${#1} > 4096)) || __drover_line=${1//(#m)[^A-Za-z0-9\/._~-]/%${(l:2::0:)$(([##16]#MATCH))}}
		((${#__drover_line} <= 4096)) || __drover_line=
		__drover_on=command
		__drover_unmark
		__drover_print $'\e]133;C'${__drover_line:+";cmdline_url=$__drover_line"}$'\a'
	} 2>/dev/null

	__drover_unmark() {
		PS1=${PS1//$__drover_a}
		PS1=${PS1//$__drover_b}
	}

	# To the terminal, wherever the shell's own output goes.
	__drover_print() { builtin print -rn -- $1 >|$TTY }

	precmd_functions+=(__drover_precmd)
	preexec_functions+=(__drover_preexec)
fi

if [[ -r ${ZDOTDIR-$HOME}/.zshenv ]]; then
	builtin source ${ZDOTDIR-$HOME}/.zshenv
fi
