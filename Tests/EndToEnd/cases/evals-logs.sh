# A log of Inspect opens where it lies, and a failed sample leads to its trace at the call that went wrong; the same for
# files of lm-evaluation-harness, from the panel's command line.
source terminal.sh
cd "$HOME"
logs=$TOP/Tests/EvalLogsTests/Goldens
start 120x40 "$ORRERY_BINARY" "$logs/inspect_zstd.eval"
expect "Runs"
expect "from other tools"
press Enter
expect "Samples"
typed "]r"
press Enter
expect "Context at step"
typed "5"
expect "Samples"
typed ":open $logs/lm-eval"
press Enter
expect "lm-eval"
press q
expect_restored 0

# What is no log says what it is.
if "$ORRERY_BINARY" eval show "$TOP/README.md" 2>problem; then fail "a README is no log"; fi
grep -q "README.md" problem || fail "the sentence does not name the file"
