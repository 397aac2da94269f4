# A task asks the papers of the observatory, and a question whose document was not found leads to what was found for it in
# the retrieval panel, and to why the document was not.
source terminal.sh
cd "$HOME"
start 120x40 "$ORRERY_BINARY"
expect "duty-engineer"
press q
expect_restored 0
end_all
"$ORRERY_BINARY" eval run "$TOP/sample-data/evals/retrieval.toml" --name papers >metrics 2>/dev/null
grep -q nDCG@10 metrics || fail "the run printed no figure"
start 120x40 "$ORRERY_BINARY"
expect "duty-engineer"
typed "5"
expect "papers"
typed "gg"
expect "Overview ── papers"
press Enter
expect "Samples"
typed "]r"
expect "nDCG@10"
expect "how fast does the telescope slew?"
typed "]r"
expect "not found: manuals/PW-1.md"
press Enter
expect "no model call leads to this step"
typed "o"
choose Retrieval
expect "as recorded"
expect "hybrid: how long does the battery last?"

# The document that the sample asked for is the one that is proposed; the search is made again, says which stage let it go,
# and with the change that is proposed it comes in.
typed "w"
expect "Why was it not found?"
press Enter
expect "is not in the context"
expect "includes the chunk"
press Enter
expect "is in the context"
press q
expect_restored 0
