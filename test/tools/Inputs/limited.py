"""limited.py NAME=VALUE... COMMAND...: runs the command for at most a minute with these variables set, and without
any that names a cache."""

import os
import subprocess
import sys

environment = {name: value for name, value in os.environ.items()
               if name not in ("TORCHINDUCTOR_CACHE_DIR", "XDG_CACHE_HOME")}
words = sys.argv[1:]
while "=" in words[0]:
    name, value = words.pop(0).split("=", 1)
    environment[name] = value
sys.exit(subprocess.run(words, env=environment, timeout=60).returncode)
