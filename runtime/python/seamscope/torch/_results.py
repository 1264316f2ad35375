#===- _results.py - differences between the results of two calls --------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""The size and the place of differences between the results of two calls."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch.utils import _pytree


def kept(result: Any) -> Any:
    """A result with copies of its tensors, since a later call may overwrite their memory."""
    return _pytree.tree_map(
        lambda leaf: leaf.detach().clone() if isinstance(leaf, torch.Tensor) else leaf, result)


def _difference(eager: torch.Tensor, compiled: torch.Tensor) -> tuple[float, float, list[int]]:
    """The largest difference, the largest difference relative to the eager value, and the index of the
    former."""
    wide = torch.complex128 if eager.is_complex() or compiled.is_complex() else torch.float64
    left, right = (each.to_dense() if each.layout != torch.strided else each for each in (eager, compiled))
    left, right = left.to(wide), right.to(wide)
    same = (left == right) | (left.isnan() & right.isnan())
    apart = torch.where(same, 0.0, (left - right).abs())
    apart = torch.where(apart.isnan(), math.inf, apart)  # one of the two is NaN
    relative = torch.where(same, 0.0, apart / left.abs())
    at = int(apart.argmax())
    index = [int(each) for each in torch.unravel_index(torch.tensor(at), apart.shape)]
    return float(apart.flatten()[at]), float(relative.max()), index


def _close(eager: torch.Tensor, compiled: torch.Tensor) -> bool:
    try:
        torch.testing.assert_close(compiled, eager, equal_nan=True)
    except AssertionError:
        return False
    return True


def compare_results(eager: Any, compiled: Any) -> dict[str, Any]:
    """Compares two results. `tensors`: number of compared tensors; `max_abs` and `max_rel`: the largest
    differences; `at`: the place of `max_abs`, or None; `close`: whether all values are within the tolerance of
    torch.testing.assert_close; `unlike`: places with another structure, shape, type or non-tensor value."""
    left, left_spec = _pytree.tree_flatten_with_path(eager)
    right, right_spec = _pytree.tree_flatten_with_path(compiled)
    found: dict[str, Any] = {"tensors": 0, "max_abs": 0.0, "max_rel": 0.0, "at": None, "close": True, "unlike": []}
    if left_spec != right_spec:
        return {**found, "close": False, "unlike": ["the structure of the result"]}
    for (path, one), (_, other) in zip(left, right):
        place = "result" + _pytree.keystr(path)
        tensors = isinstance(one, torch.Tensor), isinstance(other, torch.Tensor)
        if all(tensors) and one.shape == other.shape and one.dtype == other.dtype and one.device == other.device:
            found["tensors"] += 1
            if not one.numel():
                continue
            most, relative, index = _difference(one, other)
            found["max_rel"] = max(found["max_rel"], relative)
            if most > found["max_abs"]:
                found.update(max_abs=most, at=f"{place}{index}" if index else place)
            found["close"] = found["close"] and _close(one, other)
        elif any(tensors) or not _equal(one, other):
            found["unlike"].append(place)
            found["close"] = False
    return found


def _equal(one: Any, other: Any) -> bool:
    """Compares values that are not tensors. Objects without a meaningful == are equal if their types are."""
    if type(one) is not type(other):
        return False
    if not isinstance(one, (bool, int, float, complex, str, bytes, type(None))):
        return True
    return one == other or (one != one and other != other)


def text_of(results: dict[str, Any]) -> str:
    """The comparison as a line of text."""
    count = results["tensors"]
    head = f"results: {count} tensor{'' if count == 1 else 's'} compared: "
    parts = []
    if results["unlike"]:
        parts.append(f"different structure, shape, type or value at {', '.join(results['unlike'][:3])}")
    if results["max_abs"]:
        parts.append(f"largest difference {results['max_abs']:.3g} at {results['at']}, relative to the eager value "
                     f"at most {results['max_rel']:.3g}; "
                     + ("within" if results["close"] else "beyond") + " torch.testing.assert_close's tolerance")
    if not results["repeatable"] and parts:
        parts.append("two eager calls differ, too: the function does not do the same each time")
    return head + ("; ".join(parts) if parts else "equal")
