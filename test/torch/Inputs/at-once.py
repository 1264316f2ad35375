"""at-once.py COMMAND...: runs the command twice at once, {} in a word being 1 and 2; fails if one does."""
import subprocess
import sys

both = [subprocess.Popen([word.replace("{}", number) for word in sys.argv[1:]])
        for number in ("1", "2")]
sys.exit(max(each.wait() for each in both))
