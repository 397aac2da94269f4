# A question is asked by typing, its columns are read, a document that was not found is asked about and brought in, two
# pipelines are compared over the questions, and the files of a folder are added.
source terminal.sh
cd "$HOME"
start 120x40 "$ORRERY_BINARY"
expect "duty-engineer"
typed "3"
expect "a sample question"

# The results follow the typing, before the line is accepted.
typed "/how is the encoder tape cleaned?"
expect "TM-2.md #"
press Enter
expect "lexical"
expect "fused"
expect "the score of lexical"

typed "s"
typed "fusion.keep = 2"
press Enter
expect "hybrid, changed"
expect "k = 2"
typed "w"
typed "code/clock.py"
press Enter
expect "Why ── code/clock.py"
expect "is not in the context"
typed "X"
expect "is in the context"

typed "b"
expect "Compare with a pipeline"
press Enter
expect "nDCG@10"
expect "B  context"
press Escape
press Escape
expect_gone "B  context"

mkdir papers
echo "The zeppelin is moored at the east gate." >papers/telegram.txt
typed "i"
typed "$HOME/papers"
press Enter
expect "Add papers to"
press Enter
expect "analyzer"
press Enter
expect "1 added"
typed "/"
press C-u
typed "zeppelin"
press Enter
expect "telegram.txt"

# What another system recorded opens as the same columns, and Esc leads back.
typed "1"
expect "reindexer: asks"
press Down
typed "o"
expect "Open reindexer"
press Enter
expect "recorded by another system"
expect "runbook retriever"
press Escape
expect "Runs"

press q
expect_restored 0
