# Signals that end the program give the terminal back, and say how it ended.
source terminal.sh
start 100x30 "$ORRERY_BINARY" --no-such-option
expect_restored 64
end_all
for signal in TERM HUP SEGV ILL TRAP ABRT BUS FPE; do
    start 100x30 "$ORRERY_BINARY"
    expect "Runs"
    kill -"$signal" "$(program)"
    expect_restored $((128 + $(kill -l $signal)))
    end_all
done
