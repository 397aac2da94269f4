# By keyboard alone: open the run that failed, go to its first failed tool call, read what the model saw then; the next
# start shows the same.
source terminal.sh
start 120x40 "$ORRERY_BINARY"
expect "Runs"
typed "/errors>5"
press Enter
expect "errors>5"
press Enter
expect "step 1 of 71"
typed "]e"
expect "step 3 of 71"
expect "tool Bash"
expect "failed"
expect "FAILURES"
typed "]e"
expect_gone "step 3 of 71"
typed "[e"
expect "step 3 of 71"
typed "[m"
expect "step 1 of 71"
expect "answered"
typed ".."
expect "step 3 of 71"
typed "v"
expect "JSON"
typed "v"
expect "raw record"
typed "v"
expect_gone "raw record"
typed "/kind:tool status:error"
press Enter
expect "found 8"
press Escape
expect_gone "found 8"
press q
expect_restored 0
end_all
start 120x40 "$ORRERY_BINARY"
expect "step 3 of 71"
expect "errors>5"
press q
expect_restored 0
