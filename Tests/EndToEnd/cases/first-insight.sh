# A fresh home: the sample runs say what they are, and two keys show a failed step of the first with its context. Chats come
# in without pushing the agents away, and one key lists them.
source terminal.sh
for size in 80x24 120x40 200x60; do
    start "$size" "$ORRERY_BINARY"
    expect "duty-engineer: why does the dome"
    expect "Sample. An agent delegates to two"
    typed "]"
    typed "e"
    expect "no such column"
    expect "Context at step"
    press q
    expect_restored 0
    end_all
    forget_all
done

"$ORRERY_BINARY" trace list >/dev/null
start 120x40 "$ORRERY_BINARY"
expect "duty-engineer"
press q
expect_restored 0
end_all
"$ORRERY_BINARY" model generate scripted:Yes. --user "Is the dome shut?" >/dev/null
start 120x40 "$ORRERY_BINARY"
expect "agents 5   chats 1   all 6"
expect "duty-engineer"
expect_gone "Is the dome shut?"
typed "O"
expect "Is the dome shut?"
expect_gone "duty-engineer"
typed "O"
expect "duty-engineer"
expect "Is the dome shut?"
typed "O"
expect_gone "Is the dome shut?"
press q
expect_restored 0
