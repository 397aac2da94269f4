# Signals that end the program give the terminal back, and a restart shows the same run again.
source terminal.sh
start 120x40 "$ORRERY_BINARY" --trace-nothing
expect "ended with 64"
tmux_here kill-server
for signal in TERM HUP SEGV ILL; do
    server="orrery-$$-$signal"
    start 100x30 "$ORRERY_BINARY"
    expect "Runs"
    kill -"$signal" "$(tmux_here display-message -p -t 0 '#{pane_pid}' | xargs pgrep -P)"
    expect "ended with"
    cmp "$HOME/before" "$HOME/after"
    [ "$(tmux_here display-message -p -t 0 '#{alternate_on} #{mouse_any_flag} #{cursor_flag}')" = "0 0 1" ]
    tmux_here kill-server
done
