import subprocess
import sys

odd = ["-c", "a b.cpp", "", "-DX=\"1 'two'\"", "-DY=line 1\nline 2", "-DZ=$HOME\\*`x`"]
sys.exit(subprocess.run([sys.argv[1], *odd]).returncode)
