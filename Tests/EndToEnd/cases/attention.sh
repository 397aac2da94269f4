# The text that is proposed is read by the small model, tokens come and are taken back, a head is turned off beside the
# untouched text, the charts are written, and the cited passage of an answer leads to the attention that it gets.
source terminal.sh
cd "$HOME"
start 120x40 "$ORRERY_BINARY"
expect "duty-engineer"
typed "ga"
expect "1 cell ="
expect "what token"

# One token comes, is taken back, and comes again.
typed ",."
expect "alternatives"
typed "."
typed ","
expect "paused"

# The sum of the weights is checked on the screen, and each reading is shown.
typed "="
expect "✓"
typed "[["
expect "Logit lens"
press Tab
press Tab
press Tab
typed "e"
press C-u
typed "$HOME/lens.csv"
press Enter
expect "written to"
[ "$(head -c 11 "$HOME/lens.csv")" = "layer,token" ] || fail "lens.csv does not begin with its columns"

# A head is turned off: the changed text stands beside the other.
press Tab
press Tab
typed "f"
expect "L0H5 off"
expect "KL(A"
expect "paused"
typed "u"
expect_gone "L0H5 off"
press q
expect_restored 0
end_all

# The text comes back, and is read again.
start 120x40 "$ORRERY_BINARY"
expect "final_post"

# The passage that an answer cites is looked at in the prompt that was answered.
typed "3"
expect "northfold"
expect "a sample question"
typed "/how is the encoder tape cleaned?"
press Enter
expect "fused"
typed "s"
typed "fusion.keep = 1"
press Enter
expect "hybrid, changed"
typed "a"
expect "Answer with"
press C-u
typed "scripted:With a lint-free cloth [1]."
press Enter
expect "Answer  scripted"
press Tab
typed "o"
expect "in the answer"
press Enter
expect "attention to tokens"
press q
expect_restored 0
