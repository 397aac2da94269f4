# Every cell that a terminal receives is the cell that was drawn: on every page, and where many colors are equal.
source terminal.sh
python3 "$TOP/Tests/EndToEnd/cells.py" "$HOME" || fail "terminal and surface differ"
