# Drover's shell integration for bash 4.4 and later: OSC 7 and OSC 133.
#
# Bash was started as a login shell in POSIX mode, in which it reads this file
# ($ENV) instead of the login files. So POSIX mode ends here, what it changed is
# put back, and the login files are read as bash itself reads them.
#
# Everything is defined before they run, so that `set -a` in them does not
# export it. The marks are not in PS1 and PS0 themselves: these only name
# variables that child processes do not have.

builtin set +o posix
builtin shopt -u inherit_errexit 2>/dev/null
builtin unset ENV
if [[ -n ${__DROVER_ENV+x} ]]; then
	builtin export ENV="$__DROVER_ENV"
	builtin unset __DROVER_ENV
fi
__drover_version=$((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1]))
[[ ${HISTFILE-} != ~/.sh_history ]] || HISTFILE=~/.bash_history
[[ ${MAILCHECK-} != 600 || ($__drover_version -ge 404 && ${MAILCHECK@a} == *x*) ]] || MAILCHECK=60

# What the prompts name. `\#` counts the commands that PS0 was shown for.
__drover_ps1='\[${__drover_d:+$__drover_d$?$__drover_e}${__drover_a-}\]'
__drover_ps1_end='\[${__drover_b-}\]'
__drover_ps0='${__drover_c-}'
__drover_a='' __drover_b='' __drover_c='' __drover_d='' __drover_e=$'\a'
__drover_n='' __drover_pwd='' __drover_url='' __drover_hook=''
__drover_user=()

# Puts the file URL of the working directory into __drover_url.
__drover_locate() {
	local LC_ALL=C i c out=''
	for ((i = 0; i < ${#PWD}; i++)); do
		c=${PWD:i:1}
		case $c in
		[A-Za-z0-9/._~-]) ;;
		*)
			printf -v c %d "'$c"
			printf -v c '%%%02X' $((c & 255))
			;;
		esac
		out+=$c
	done
	__drover_pwd=$PWD
	__drover_url=file://${HOSTNAME-}$out
}

# Marks the prompts. It is the last that runs before a prompt, prints nothing
# and leaves alone what the prompt sees: bash itself keeps $?, $_ and PIPESTATUS.
__drover_prompt() {
	local -
	set +aeuxv
	local p1=${PS1-} p0=${PS0-} n='\#'
	[[ ${PS1@a}${PS0@a} != *r* ]] || return 0
	p1=${p1//"$__drover_ps1"/}
	p1=${p1//"$__drover_ps1_end"/}
	p0=${p0//"$__drover_ps0"/}
	# Not when another integration marks, or when prompts expand no variables.
	if [[ $p1 != *'133;'* && $p0 != *'133;'* ]] && shopt -q promptvars; then
		p1=$__drover_ps1$p1$__drover_ps1_end
		p0=$p0$__drover_ps0
	fi
	[[ ${PS1-} == "$p1" ]] || PS1=$p1
	[[ ${PS0-} == "$p0" ]] || PS0=$p0
	n=${n@P} __drover_d=''
	[[ -z $__drover_n || $n == "$__drover_n" ]] || __drover_d=$'\e]133;D;'
	__drover_n=$n
	[[ ${PWD-} == "$__drover_pwd" ]] || __drover_locate
	__drover_a=$'\e]7;'$__drover_url$'\a\e]133;A\a'
	__drover_b=$'\e]133;B\a' __drover_c=$'\e]133;C\a'
	return 0
} 2>/dev/null

__drover_status() { return "$1"; }

# Runs the user's PROMPT_COMMAND and then ours. Where there is a DEBUG trap, it
# fires once for this, before the user's: a trap that starts a timer which
# PROMPT_COMMAND stops must not start it again when the prompt is there.
__drover_all() {
	local __drover_s=$? __drover_i
	for __drover_i in "${__drover_user[@]}"; do
		__drover_status "$__drover_s"
		eval "$__drover_i"
	done
	__drover_prompt
}

# Hooks in, after the login files, and returns their $?, which is $1. The
# DEBUG trap that they set is $2.
__drover_install() {
	local status=$1 debug=$2 version=$__drover_version i last=0
	unset -v __drover_version
	unset -f __drover_install
	[[ $- != *e* ]] || status=0
	((version >= 404)) || return "$status"
	local -
	set +aeuxv
	local attr=${PROMPT_COMMAND@a}
	if [[ -n ${bash_preexec_imported-}${__bp_imported-} ]]; then
		precmd_functions+=(__drover_prompt)
	elif [[ $attr == *r* || ($attr == *x* && -n $debug) ]]; then
		: # nothing can be added that keeps the user's working
	elif [[ -n $debug ]]; then
		__drover_user=("${PROMPT_COMMAND[@]}")
		PROMPT_COMMAND=(__drover_all)
	elif [[ $version -ge 501 && $attr != *x* ]]; then
		# Never element 0, so that PROMPT_COMMAND=… leaves ours.
		for i in "${!PROMPT_COMMAND[@]}"; do last=$i; done
		PROMPT_COMMAND[last + 1]='{ __drover_prompt; } 2>/dev/null'
	else
		# Children may get this one; there it does nothing.
		__drover_hook=__drover_prompt
		PROMPT_COMMAND=${PROMPT_COMMAND:+$PROMPT_COMMAND$'\n'}'{ ${__drover_hook-}; } 2>/dev/null'
	fi
	return "$status"
} 2>/dev/null

{
	if [[ -e /etc/profile ]]; then builtin . /etc/profile; fi
	if [[ -e ~/.bash_profile ]]; then
		builtin . ~/.bash_profile
	elif [[ -e ~/.bash_login ]]; then
		builtin . ~/.bash_login
	elif [[ -e ~/.profile ]]; then
		builtin . ~/.profile
	fi
	{ __drover_install $? "$(builtin trap -p DEBUG)"; } 2>/dev/null
}
