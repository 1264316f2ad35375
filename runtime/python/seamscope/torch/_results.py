#===- _results.py - whether a function gives the same compiled and eager ------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""How far the results of two calls are from each other, and where."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch.utils import _pytree


def kept(result: Any) -> Any:
    """A copy of the tensors of a result: a later call may write to the same memory."""
    return _pytree.tree_map(
        lambda leaf: leaf.detach().clone() if isinstance(leaf, torch.Tensor) else leaf, result)


def _difference(eager: torch.Tensor, compiled: torch.Tensor) -> tuple[float, float, list[int]]:
    """The largest difference, the largest relative to the eager value, and where the first is."""
    wide = torch.complex128 if eager.is_complex() or compiled.is_complex() else torch.float64
    left, right = (each.to_dense() if each.layout != torch.strided else each for each in (eager, compiled))
    left, right = left.to(wide), right.to(wide)
    same = (left == right) | (left.isnan() & right.isnan())
    apart = torch.where(same, 0.0, (left - right).abs())
    apart = torch.where(apart.isnan(), math.inf, apart)  # a number next to none
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
    """`tensors`: how many were compared; `max_abs` and `max_rel`, the largest differences, and `at`, the place of
    the first, where there are any; `close`: whether all are within torch.testing.assert_close's tolerance for
    their types; `unlike`: the places of what differs in another way (structure, shape, type or other values)."""
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
    """Compares what is not a tensor; an object that does not compare is taken for equal to one of its type."""
    if type(one) is not type(other):
        return False
    if not isinstance(one, (bool, int, float, complex, str, bytes, type(None))):
        return True
    return one == other or (one != one and other != other)


def text_of(results: dict[str, Any]) -> str:
    """A line for people."""
    count = results["tensors"]
    head = f"results: {count} tensor{'' if count == 1 else 's'} compared: "
    parts = []
    if results["unlike"]:
        parts.append(f"{', '.join(results['unlike'][:3])}: not alike")
    if results["max_abs"]:
        parts.append(f"largest difference {results['max_abs']:.3g} at {results['at']}, relative to the eager value "
                     f"at most {results['max_rel']:.3g}; "
                     + ("within" if results["close"] else "beyond") + " torch.testing.assert_close's tolerance")
    if not results["repeatable"] and parts:
        parts.append("two eager calls differ as well: the function does not do the same each time")
    return head + ("; ".join(parts) if parts else "equal")
