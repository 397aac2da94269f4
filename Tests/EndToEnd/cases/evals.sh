# Two recorded runs are compared, a broken sample leads to the step at which it went wrong, and that model call becomes a case
# of a task. Then a task is run from the keyboard, and a failed sample leads to its tokens and to what one of them attends to.
source terminal.sh
cd "$HOME"
start 120x40 "$ORRERY_BINARY"
expect "duty-engineer"
typed "5"
expect "desk-mini"

# Both are marked; what broke stands first, with the interval and what these samples could have seen.
expect "2 from other tools"
typed "G"
typed " "
expect "1 marked"
typed "k"
typed " "
expect "2 marked"
typed "d"
expect "broken"
expect "samples can detect differences of"
press Enter
expect "▌   1  model"
press Enter
expect "Context at step 1"
expect "read_section"
typed "T"
expect "Test case"
press C-u
typed "$HOME/cases.jsonl"
press Down
typed "4109"
press Enter
wait_until grep -qs '"target": *"4109"' "$HOME/cases.jsonl" || fail "cases.jsonl does not hold the case"
typed "5"
expect "▌   1  model"
press Escape
expect "samples can detect differences of"
press Escape
expect "Runs of the task"

# A run from the keyboard, on the model that comes with the program.
typed "r"
expect "Run a task"
typed "$TOP/sample-data/evals/reading.toml"
press Enter
expect "Model for reading.toml"
press C-u
typed "orrery-mini"
press Enter
expect "Run reading.toml"
press Enter
expect "reading orrery-mini"
expect "120"
typed "gg"
expect "Overview ── reading"
press Enter
expect "1 failed"
expect "read-030"
typed "]r"
expect "failed  read-"
press Enter
expect "Context at step 1"

# From the call to its tokens.
typed "o"
choose Tokens
expect "─ Token 1 ── "

# The run from the keyboard may still be going: then leaving asks, and one key answers.
press q
leaves() { shows "Leave Orrery?" || shows "ended with"; }
wait_until leaves || fail "q did nothing"
if shows "Leave Orrery?"; then typed "s"; fi
expect_restored 0
