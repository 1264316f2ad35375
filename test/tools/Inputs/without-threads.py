"""without-threads.py COMMAND...: becomes the command, which cannot start threads: a stack takes more than all the
memory that it may have.
"""

import os
import resource
import sys

limit = 8 << 30
resource.setrlimit(resource.RLIMIT_STACK, (2 * limit, resource.getrlimit(resource.RLIMIT_STACK)[1]))
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
os.execvp(sys.argv[1], sys.argv[1:])
