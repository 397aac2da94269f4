# Figures that are shown at two places are the same: lists and overviews, panels and commands, and work that is under way.
set -euo pipefail
python3 "$TOP/Tests/EndToEnd/contact.py" figures "$HOME/bench"
