# NO_COLOR: no color; ASCII mode: no byte above 0x7F.
source terminal.sh
NO_COLOR=1 start 100x30 env NO_COLOR=1 "$ORRERY_BINARY"
expect "Runs"
press Enter
expect "step 1 of"
typed "]e"
expect "failed"
press q
expect_restored 0
if grep -aqE $'\e\\[([0-9;]*;)?(3[0-8]|4[0-8]|9[0-7]|10[0-7])(;[0-9;]*)?m' "$HOME/raw"; then
    grep -aoE $'\e\\[[0-9;]*m' "$HOME/raw" | sort | uniq -c | cat -v
    fail "with NO_COLOR there are colors"
fi
end_all
forget_all
start 100x30 "$ORRERY_BINARY" --ascii
expect "Runs"
press Enter
expect "step 1 of"
typed "?"
expect "Keys of"
press Escape
expect_gone "Keys of"
typed "]c"
expect "compaction"
press C-p
expect "Actions -"
press Escape
expect_gone "Actions -"
press q
expect_restored 0
if LC_ALL=C grep -aqP '[\x80-\xFF]' "$HOME/raw"; then
    fail "in ASCII mode there are bytes above 0x7F: $(LC_ALL=C grep -aoP '[\x80-\xFF]+' "$HOME/raw" | head -3 | xxd | head -3)"
fi
