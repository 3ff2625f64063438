# Drover's shell integration for fish 3: OSC 7 and OSC 133. Fish 4 marks by
# itself. It is sourced by an --init-command, after all of the user's files, and
# needs nothing in the environment.

if status is-interactive
    and string match -qr '^[23]\.' -- $version
    and functions -q fish_prompt
    and not functions -q __drover_fish_prompt
    and not functions fish_prompt | string match -q '*133;*'

    # The user's prompt goes first: it sees $status and $pipestatus.
    functions --copy fish_prompt __drover_fish_prompt
    function fish_prompt
        __drover_fish_prompt
        printf '\e]133;B\a'
    end

    function __drover_before_prompt --on-event fish_prompt --on-event fish_cancel
        printf '\e]7;file://%s%s\a\e]133;A\a' $hostname (string escape --style=url -- $PWD)
    end

    function __drover_before_command --on-event fish_preexec
        # As it was typed, unless it is long.
        set -l line (string escape --style=url -- "$argv[1]")
        if test -n "$line"; and test (string length -- "$line") -le 4096
            printf '\e]133;C;cmdline_url=%s\a' $line
        else
            printf '\e]133;C\a'
        end
    end

    function __drover_after_command --on-event fish_postexec
        printf '\e]133;D;%s\a' $status
    end
end
