# Logs of another program, from what broke between two of them to its call, asked again of a model that runs here, to what
# its tokens look at and which features are active in them; the bad call becomes a case of a task, which is then run.
source terminal.sh
cd "$HOME"
logs=$TOP/Tests/EvalLogsTests/Goldens
# Its question is one that the small model here knows something to say about.
asked='Please calculate 5 * 8 with the calculator.'
sed "s/Which wheel is number 0?/$asked/" "$logs/inspect_run.json" >run.json
sed 's/"value": "I"/"value": "C"/' run.json >before.json
sed 's/"value": "C"/"value": "I"/' run.json >after.json
start 120x40 "$ORRERY_BINARY"
expect "duty-engineer"
typed "5"
expect "desk-mini"
typed ":open $HOME/before.json"
press Enter
expect "wheels"
typed ":open $HOME/after.json"
press Enter
expect "4 from other tools"
expect "Overview ── log 4 wheels"
typed "gg"
typed " "
typed " "
expect "2 marked"
typed "d"
expect "log 3 wheels → log 4 wheels"
expect "▌ broken"
press Enter
expect "▌   1  model"
press Enter
expect "answered  mockllm/model"

# The call that went wrong is a case from now on.
typed "T"
expect "Test case"
press C-u
typed "$HOME/cases.jsonl"
press Down
typed "none"
press Enter
wait_until grep -qs '"target": *"none"' cases.jsonl || fail "cases.jsonl does not hold the case"

# Nobody told how likely its tokens were. A model that runs here is asked the same, and tells.
typed "o"
choose Tokens
expect "not reported by mockllm/model"
typed "M"
expect "find a file"
press C-u
typed "orrery-mini"
press Enter
expect "this session now uses"
typed "r"
expect "2 answers"
has_said() { screen | grep -qE " ── (stop|length) "; }
wait_until has_said || fail "the answer never ended"
# One time in two hundred it has nothing to say.
if shows " ── 1 token ── "; then
    typed "r"
    expect "3 answers"
fi
expect_answer
last=$(screen | grep -oE "─ Token [0-9]+ ── ")
typed "h"
expect_gone "$last"
expect "─ Token "
token=$(screen | grep -oE "─ Token [0-9]+ ──" | grep -oE "[0-9]+")
typed "o"
expect "Open token $token of an answer in"
choose Attention
expect "L0H0 attends to"
typed "o"
expect "Open token $token of an answer in"
choose Features
expect "shaded by feature"
expect " ── token "
typed "o"
expect "Open token $token of an answer in"
choose Tokens
expect "─ Token $token ── "
press q
expect_restored 0
end_all

# The case is run with others of its kind.
cat >wheels.toml <<'END'
name = "wheels"
version = "1"
form = "text"
prompt = "{{ prompt }}"
target = "{{ target }}"

[data]
file = "cases.jsonl"

[sampling]
max_tokens = 8

[[scorers]]
kind = "contains"

[[metrics]]
kind = "mean"
END
"$ORRERY_BINARY" eval run wheels.toml --model orrery-mini --name again >metrics 2>problem || fail "$(cat problem)"
start 120x40 "$ORRERY_BINARY"
expect "─ Token $token ── "
typed "5"
expect "again"
typed "gg"
expect "Overview ── again"
press Enter
expect "with the calculator"
expect "none"
press q
expect_restored 0

# A log as its owners published it.
real=$TOP/../shared/data/traces/inspect/popularity_2025-02.eval
[ -r "$real" ] || { echo "no published log here: $real"; exit 0; }
end_all
start 120x40 "$ORRERY_BINARY" "$real"
expect "popularity"
expect "1 from other tools"
press Enter
expect "─ Samples "
typed "]r"
expect "▌ ✗"
press Enter
expect "Context at step 1"
typed "o"
choose Attention
expect "gpt-4o-mini"
expect "L0H0 attends to"
press q
expect_restored 0
