#===- names.py - names of compiled functions --------------------------------===#
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Gives a compiled function the same name at the marks of its calls and in torch's log."""

import functools


def name_of(function):
    import torch

    while isinstance(function, functools.partial):
        function = function.func
    if isinstance(function, torch.nn.Module):
        return type(function).__qualname__
    return str(getattr(function, "__qualname__", type(function).__qualname__))


def code_of(function):
    """The code that a call runs; None if it is not Python code."""
    import torch

    while isinstance(function, functools.partial):
        function = function.func
    if isinstance(function, torch.nn.Module):
        function = function.forward
    elif not hasattr(function, "__code__") and not hasattr(function, "__self__"):
        function = getattr(type(function), "__call__", None)
    return getattr(function, "__code__", None)
