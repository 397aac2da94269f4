# A few tasks of a newcomer by keys alone: the failed step in two keys, damage named, nothing lost or stopped out of sight.
set -euo pipefail
python3 "$TOP/Tests/EndToEnd/contact.py" tasks "$HOME/bench"
