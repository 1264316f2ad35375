"""Batches from worker processes, which are forked and started anew, go through a compiled function."""
import torch
from compiled_thing import work
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.full((256, 64), float(index))


if __name__ == "__main__":
    total = 0
    for start in ("fork", "spawn"):
        for batch in DataLoader(Numbers(), batch_size=None, num_workers=2,
                                multiprocessing_context=start):
            total += int(work(batch)[0, 0])
    print("total", total)
