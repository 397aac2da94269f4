# The first run opens the sample workspace; q leaves the terminal as it was.
source terminal.sh
start 100x30 "$ORRERY_BINARY"
expect "Runs"
expect "duty-engineer"
press q
expect_restored 0
