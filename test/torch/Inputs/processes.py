"""processes.py: multiplies itself, adds in its children: data loader workers of both kinds, a fork that
leaves by itself, a started Python, with RANKS the ranks of a distributed run.

processes.py --count FOLDER: the additions and multiplications of all traces in a folder.
"""

import json
import os
import pathlib
import subprocess
import sys

if "--count" in sys.argv:
    names = [event["name"] for path in pathlib.Path(sys.argv[2]).iterdir()
             for event in json.loads(path.read_text())["traceEvents"] if event["ph"] == "X"]
    print(f"add {names.count('aten::add')}, mul {names.count('aten::mul')}")
    sys.exit()

import torch  # noqa: E402
from torch.utils.data import DataLoader, Dataset  # noqa: E402

ADD = "import torch; torch.ones(3) + 1"


class Numbers(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.full((3,), float(index))


def main():
    if "RANKS" in os.environ:
        ranks = [subprocess.Popen([sys.executable, "-c", ADD], env=dict(os.environ, RANK=str(rank)))
                 for rank in range(int(os.environ["RANKS"]))]
        for rank in ranks:
            assert rank.wait() == 0
        torch.ones(3) * 2
        return
    total = 0
    if os.environ["SEAMSCOPE_TORCH"] != "all":  # workers are ended without a word: nothing to count
        for start in ("fork", "spawn"):
            loader = DataLoader(Numbers(), batch_size=2, num_workers=2,
                                multiprocessing_context=start)
            total += sum(float(batch[:, 0].sum()) + 3.5 for batch in loader)
    child = os.fork()
    if child == 0:
        torch.ones(3) + 1
        sys.exit(3)
    print("child left with", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    subprocess.run([sys.executable, "-c", ADD], check=True)
    torch.ones(3) * 2
    print("sum", int(total))


if __name__ == "__main__":
    main()
