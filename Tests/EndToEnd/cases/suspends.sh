# Ctrl-Z gives the command line back, fg the screen.
source terminal.sh
tmux_here new-session -d -x 100 -y 30 "PS1='ready> ' TERM=xterm-256color bash --norc --noprofile -i"
expect "ready>"
typed "stty -g >$HOME/before"
press Enter
typed "$ORRERY_BINARY"
press Enter
expect "Runs"
press C-z
expect "Stopped"
wait_until modes_are "0 0 1 0" || fail "while suspended the modes are $(modes)"
typed "echo still \$((40 + 2))"
press Enter
expect "still 42"
typed "fg"
press Enter
expect "Runs"
expect_gone "Stopped"
press Enter
expect "step 1 of"
press C-z
expect "Stopped"
resize 120x35
typed "fg"
press Enter
expect "Context at step"
press q
expect "ready>"
typed "stty -g >$HOME/after"
press Enter
wait_until test -s "$HOME/after"
cmp "$HOME/before" "$HOME/after"
wait_until modes_are "0 0 1 0" || fail "at the end the modes are $(modes)"
