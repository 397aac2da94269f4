# The first run opens the sample workspace; q leaves the terminal as it was.
source terminal.sh
start 100x30 "$ORRERY_BINARY"
expect "Runs"
expect "duty-engineer"
wait_until modes_are "1 1 0 1" || wait_until modes_are "1 1 0 0" || fail "the modes are $(modes)"
press q
expect_restored 0
