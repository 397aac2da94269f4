# A private tmux server with one window, for the cases: start, press, expect, screen, and an end that cleans up.

set -euo pipefail
export LANG=C.UTF-8
export TERM=${CASE_TERM:-xterm-256color}
unset TMUX TMUX_PANE COLORTERM NO_COLOR || true
server="orrery-$$"

tmux_here() { tmux -L "$server" -f /dev/null "$@"; }

# start COLUMNSxROWS COMMAND...: a shell that runs the command, then says how it ended.
start() {
    local columns=${1%x*} rows=${1#*x}
    shift
    printf -v command '%q ' "$@"
    tmux_here new-session -d -x "$columns" -y "$rows" \
        "stty -g > $HOME/before; $command; echo ended with \$?; stty -g > $HOME/after; exec cat"
    trap 'tmux_here kill-server 2>/dev/null || true' EXIT
}

screen() { tmux_here capture-pane -p -t 0; }
press() { tmux_here send-keys -t 0 "$@"; }
typed() { tmux_here send-keys -t 0 -l "$1"; }

# expect TEXT: waits until the screen shows it, at most ten seconds.
expect() {
    local deadline=$((SECONDS + 10))
    until screen | grep -qF -- "$1"; do
        if [ $SECONDS -ge $deadline ]; then
            echo "the screen never showed: $1"
            screen
            exit 1
        fi
        sleep 0.02
    done
}

# The terminal is as it was found: settings, main screen, cursor, no mouse.
expect_restored() {
    expect "ended with $1"
    cmp "$HOME/before" "$HOME/after"
    local modes
    modes=$(tmux_here display-message -p -t 0 '#{alternate_on} #{mouse_any_flag} #{cursor_flag}')
    [ "$modes" = "0 0 1" ] || { echo "alternate screen, mouse, cursor are $modes, not 0 0 1"; exit 1; }
}
