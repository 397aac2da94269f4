# From a run that became worse to its cause: a broken sample, its trace, the tokens of its call, the one that should not have
# come, what a head of it looks at, and back; then where the time of such an answer goes, down to a kernel under the roof.
source terminal.sh
cd "$HOME"
start 120x40 "$ORRERY_BINARY"
expect "duty-engineer"
press q
expect_restored 0
end_all

# The worse one draws its tokens almost blindly, from weights of fewer bits.
"$ORRERY_BINARY" model quantize orrery-mini "$HOME/small.gguf" --type q8_0 >/dev/null
"$ORRERY_BINARY" model add "$HOME/small.gguf" >/dev/null
task=$TOP/sample-data/evals/reading.toml
"$ORRERY_BINARY" eval run "$task" --model orrery-mini --name careful >/dev/null 2>&1
"$ORRERY_BINARY" eval run "$task" --model small --name hasty --param temperature=1.5 --seed 3 >/dev/null 2>&1
"$ORRERY_BINARY" kernel ceilings --quick >/dev/null

start 120x40 "$ORRERY_BINARY"
expect "duty-engineer"
typed "5"
expect "desk-mini"
expect "hasty"
typed "gg"
step_to j "Overview ── careful"
typed " "
expect "1 marked"
step_to k "Overview ── hasty"
typed " "
expect "2 marked"
typed "d"
expect "careful → hasty"
expect "▌ broken"
press Enter
expect "▌   1  model"
press Enter
expect "Context at step 1"
expect "answered  small"

# The call token by token; the first that was not the likeliest is the one to ask about.
typed "o"
choose Tokens
expect "─ Token 1 ── "
typed "]"
expect_gone "─ Token 1 ── "
expect "─ Token "
token=$(screen | grep -oE "─ Token [0-9]+ ──" | grep -oE "[0-9]+")
typed "o"
expect "Open token $token of an answer in"
choose Attention
expect "L0H0 attends to"
press BTab BTab
typed "j"
expect "L1H0 attends to"
typed "l"
expect "L1H1 attends to"
typed "o"
expect "Open token $token of an answer in"
choose Tokens
expect "─ Token $token ── "

# Back the way one came: the head as it was left, the token, the step, the samples that broke.
press Escape
press Escape
expect "L1H1 attends to"
press Escape
expect "─ Token $token ── "
press Escape
press Escape
expect "Context at step 1"
step_to Escape "careful → hasty"
expect "▌ broken"

# Asked again, it says where the time of a token goes, and the largest operation leads to its kernel under the roof.
press Enter
expect "▌   1  model"
press Enter
expect "Context at step 1"
typed "o"
choose Tokens
expect "─ Token 1 ── "
typed "r"
expect "2 answers"
expect_answer
press BTab BTab
typed "gg"
step_to j "▌ ffn down"
press Enter
expect "matvec-q8_0 ── m=1"
typed "r"
expect_gone "not measured yet"
expect "a decoded"
expect "every rung agrees"
press Escape
step_to Escape "▌ ffn down"
press q
expect_restored 0
