"""check-children.py FOLDER NAME COUNT CHECK...

FOLDER must have NAME.json, COUNT traces NAME.<pid>.json, each of that process and with
the CHECKs of check-trace.py, and nothing else.
"""

import json
import os
import re
import subprocess
import sys

folder, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
files = set(os.listdir(folder)) - {name + ".json"}
children = {f for f in files if re.fullmatch(re.escape(name) + r"\.\d+\.json", f)}
if files != children or len(children) != count:
    sys.exit(f"{count} children's traces expected, these are there: {sorted(files)}")
checker = os.path.join(os.path.dirname(__file__), "check-trace.py")
for child in children:
    path = os.path.join(folder, child)
    with open(path, encoding="utf-8") as file:
        pid = json.load(file)["seamscope"]["pid"]
    if str(pid) != child.split(".")[-2]:
        sys.exit(f"{child} is of process {pid}")
    subprocess.run([sys.executable, checker, path] + sys.argv[4:], check=True)
