# By keyboard alone: open the run that failed, jump to its first failed tool call, read what came back.
source terminal.sh
start 120x40 "$ORRERY_BINARY"
expect "Runs"
typed "/name:tide or 7e57"
press Escape
typed "/errors>5"
press Enter
expect "errors>5"
press Enter
expect "step 1 of 71"
typed "]e"
expect "tool Bash"
expect "failed"
typed "v"
expect "JSON"
press q
expect_restored 0
