# Many sizes in a row: it lives, and the last screen is what a fresh start shows at that size.
source terminal.sh
start 120x40 "$ORRERY_BINARY"
expect "Runs"
press Enter
expect "step 1 of"
for size in 80x24 200x60 20x5 10x3 1x1 300x100 40x12 100x8 61x61 130x20 90x33; do resize $size; done
for columns in $(seq 30 7 170); do resize "${columns}x$((10 + columns % 37))"; done
resize 110x34
expect "Context at step"
fresh() { HOME=$HOME "$ORRERY_BINARY" show traces --trace "$run" --size 110x34; }
run=$("$ORRERY_BINARY" trace list --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["traces"][0]["id"])')
fresh | sed 's/ *$//' >"$HOME/fresh"
same() { screen | sed 's/ *$//' | cmp -s - "$HOME/fresh"; }
wait_until same || { screen | sed 's/ *$//' | diff - "$HOME/fresh" || true; fail "the last screen is another"; }
press q
expect_restored 0
