// bisect.js - places in sorted numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

export function firstAtOrAfter(values, wanted, low, high) {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// The same, starting near the result: the cost grows with the distance, not with the number of
// events.
export function gallop(values, wanted, from) {
  const count = values.length;
  let step = 1, low = from;
  while (low < count && values[low] < wanted) {
    const next = low + step;
    if (next >= count || values[next] >= wanted)
      return firstAtOrAfter(values, wanted, low + 1, Math.min(count, next));
    low = next;
    step *= 2;
  }
  return low;
}
