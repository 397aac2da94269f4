# orrery FILE imports the file and shows its run; with another workspace named, the default one is not made.
source terminal.sh
file=$(ls "$TOP"/sample-data/traces/claude-code/projects/-home-mara-tidebook/*.jsonl)
start 120x40 "$ORRERY_BINARY" -w "$HOME/mine.orrery" "$file"
expect "step 1 of 71"
press q
expect_restored 0
[ ! -e "$HOME/data" ] || [ -z "$(find "$HOME/data" -name '*.orrery')" ] || fail "the default workspace was made"
end_all
start 120x40 "$ORRERY_BINARY" "$HOME/mine.orrery"
expect "step 1 of 71"
press q
expect_restored 0
end_all
printf 'hello\n' >"$HOME/note.txt"
start 120x40 "$ORRERY_BINARY" -w "$HOME/mine.orrery" "$HOME/note.txt"
expect_restored 1
expect "note.txt"
