"""rewritten.py FOLDER FILE.llir...: writes Triton's IR as LLVM 22 reads it, in place. FOLDER has triton_literals."""

import sys

sys.path.insert(0, sys.argv[1])
import triton_literals

for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as file:
        text = triton_literals.rewritten(file.read())
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
