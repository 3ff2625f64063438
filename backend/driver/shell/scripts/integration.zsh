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
	builtin typeset -g __drover_a=$'%{\e]133;A\a%}' __drover_b=$'%{\e]133;B\a%}' __drover_ran=
	builtin typeset -ga precmd_functions preexec_functions

	# Ends the command, says where we are, and marks the prompt. It stays the
	# last hook, because others set the prompt.
	__drover_precmd() {
		builtin local s=$? percent=$options[promptpercent]
		builtin emulate -L zsh
		builtin setopt no_multibyte extended_glob
		if [[ ${precmd_functions[-1]} != __drover_precmd ]]; then
			precmd_functions=(${precmd_functions:#__drover_precmd} __drover_precmd)
		fi
		[[ ${(t)PS1} != *readonly* ]] || return 0
		__drover_unmark
		if [[ $PS1 != *'133;'* && $percent == on ]]; then
			builtin local url=${PWD//(#m)[^A-Za-z0-9\/._~-]/%${(l:2::0:)$(([##16]#MATCH))}}
			__drover_print ${__drover_ran:+$'\e]133;D;'$s$'\a'}$'\e]7;file://'$HOST$url$'\a'
			PS1=$__drover_a$PS1$__drover_b
		fi
		__drover_ran=
	} 2>/dev/null

	# Takes the marks from the prompt, so that no child gets them.
	__drover_preexec() {
		builtin emulate -L zsh
		[[ $PS1 == *$__drover_a* ]] || return 0
		__drover_ran=1
		__drover_unmark
		__drover_print $'\e]133;C\a'
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
