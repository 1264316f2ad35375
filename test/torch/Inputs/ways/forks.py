"""A child that is forked after torch compiled something calls it too. It must compile nothing anew, since
torch's own threads for that do not live on in it; OMP_NUM_THREADS=1 sees to that, because libomp forgets
in the child what torch.set_num_threads said, and torch compiles again for another number."""
import os
import sys

from compiled_thing import call

call(3)
sys.stdout.flush()
child = os.fork()
if not child:
    call(4)
    sys.exit(7)
print("child left with", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
