# The : line: a command that asks for another line gets it, Tab completes, Up brings back, Esc leaves, a wrong one says so.
source terminal.sh
start 120x40 "$ORRERY_BINARY"
expect "Runs"
typed ":ren"
press Tab
expect ":rename"
press Enter
expect "Rename the run"
press C-u
typed "the night tide"
press Enter
expect "renamed (u undoes it)"
expect "the night tide"
typed "u"
expect_gone "the night tide"
typed ":frobnicate"
press Enter
expect 'Unknown command "frobnicate"'
typed ":"
press Up Up
expect ":rename"
press Escape
expect_gone ":rename"
typed ":theme light"
press Enter
expect "Runs"
typed "/kind:to"
press Tab
expect "/kind:tool"
press Escape
expect_gone "/kind:tool"
press C-p
expect "Actions ─"
typed "one step forward"
expect "open a run first"
press Escape
expect_gone "Actions ─"
typed ":quit"
press Enter
expect_restored 0
