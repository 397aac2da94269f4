# A private tmux server for each case, with functions that read like what a person does and sees:
#
#   start COLUMNSxROWS COMMAND...   runs the command in a fresh terminal, then says how it ended
#   press KEY... / typed TEXT       keys by tmux's names / text as it is
#   expect TEXT / expect_gone TEXT  waits until the screen shows it / no longer does
#   step_to KEY TEXT                presses a key, and again, until the screen shows it
#   expect_answer                   waits until a model of this process has said all that it had to say
#   choose PANEL                    takes a panel from the menu that `o` opens
#   end_all                         closes the terminal, for a case that needs another
#   forget_all                      removes all workspaces, settings and histories
#
# $HOME/raw holds every byte that the program sent to its terminal.

set -euo pipefail
export LANG=C.UTF-8
unset LC_ALL

tmux_here() { tmux -L orrery -f /dev/null "$@"; }
# The server is gone when this returns, and what the program kept stays.
end_all() {
    local server
    server=$(tmux_here display-message -p '#{pid}' 2>/dev/null) || return 0
    tmux_here kill-server 2>/dev/null || true
    while kill -0 "$server" 2>/dev/null; do sleep 0.01; done
}
trap end_all EXIT

forget_all() { rm -rf "$XDG_DATA_HOME" "$XDG_STATE_HOME" "$XDG_CONFIG_HOME"; }

fail() {
    echo "$1"
    screen || true
    exit 1
}

start() {
    local columns=${1%x*} rows=${1#*x} command
    shift
    printf -v command '%q ' "$@"
    : >"$HOME/raw"
    rm -f "$HOME/before" "$HOME/after"
    # It waits for a line, so that not a byte is missed.
    tmux_here new-session -d -x "$columns" -y "$rows" \
        "read -r go; stty -g >'$HOME/before'; TERM=${CASE_TERM:-xterm-256color} $command; code=\$?;
         stty -g >'$HOME/after'; echo ended with \$code; exec cat"
    tmux_here set-option -g remain-on-exit on
    tmux_here pipe-pane -t 0 "cat >>'$HOME/raw'"
    tmux_here send-keys -t 0 Enter
}

# The process of the program.
program() { pgrep -n -P "$(tmux_here display-message -p -t 0 '#{pane_pid}')"; }

screen() { tmux_here capture-pane -p -t 0; }
press() { tmux_here send-keys -t 0 "$@"; }
typed() { tmux_here send-keys -t 0 -l "$1"; }
resize() { tmux_here resize-window -t 0 -x "${1%x*}" -y "${1#*x}"; }

# wait_until COMMAND...: asks again and again until it holds, at most thirty seconds.
wait_until() {
    local deadline=$((SECONDS + 30))
    until "$@"; do
        [ $SECONDS -lt $deadline ] || return 1
        sleep 0.02
    done
}

shows() { screen | grep -qF -- "$1"; }
shows_not() { ! shows "$1"; }
expect() { wait_until shows "$1" || fail "the screen never showed: $1"; }
expect_gone() { wait_until shows_not "$1" || fail "the screen still shows: $1"; }

screen_is_not() { [ "$(screen)" != "$1" ]; }
step_to() {
    local before
    until shows "$2"; do
        before=$(screen)
        press "$1"
        wait_until screen_is_not "$before" || fail "$1 never led to: $2"
        # Something else may have changed, such as a notice that went: the key has time to show what it did.
        for _ in {1..15}; do shows "$2" && return || sleep 0.02; done
    done
}
choose() {
    expect "─ Open "
    step_to Down "│ ▌ $1 "
    press Enter
    expect_gone "─ Open "
}

has_ended() { screen | grep -qE " tokens/s ── (stop|length) "; }
expect_answer() { wait_until has_ended || fail "the answer never ended"; }

modes() { tmux_here display-message -p -t 0 '#{alternate_on} #{mouse_any_flag} #{cursor_flag} #{keypad_flag}'; }
modes_are() { [ "$(modes)" = "$1" ]; }

# The terminal is as it was found: settings, main screen, no mouse, cursor, no bracketed paste.
expect_restored() {
    expect "ended with $1"
    cmp "$HOME/before" "$HOME/after" || fail "stty -g is not what it was"
    wait_until modes_are "0 0 1 0" || fail "alternate screen, mouse, cursor, keypad are $(modes), not 0 0 1 0"
    for mode in 1000 1002 1003 1006 2004; do
        last=$(grep -aoE "\[\?$mode[hl]" "$HOME/raw" | tail -1 || true)
        [ "${last: -1}" != h ] || fail "mode $mode is still on"
    done
}
