#===- eager.py - makes compiled functions run their eager originals ----------===#
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""In an eager baseline run nothing is compiled, and a call of a compiled function must cost what a call of the
plain function costs. torch's stance "force_eager" alone is not enough: it still goes through the wrapper of the
compiled function, which takes microseconds per call.
"""

import functools
import types

from _seamscope_waiting import guarded, message


def start(torch):
    _take_stance(torch)
    guarded("the eager run includes the time of torch.compile's wrapper")(_unwrap)()


def _take_stance(torch):
    """Handles code compiled without a wrapper, such as with torch._dynamo.optimize() as a context."""
    try:
        torch.compiler.set_stance("force_eager")
    except (AttributeError, RuntimeError) as error:
        # Dynamo reads this variable at each frame that it has not compiled.
        import torch._dynamo.config as config

        config.disable = True
        message(f"torch {torch.__version__} cannot run compiled functions eagerly ({error}); "
                "its compiler is switched off instead")


def _unwrap():
    from torch._dynamo.eval_frame import OptimizeContext, innermost_fn

    wrap = OptimizeContext.__call__

    def __call__(self, function):
        wrapper = wrap(self, function)
        # For a module or class, torch wraps the methods by calling this function again.
        if not isinstance(wrapper, types.FunctionType) or \
                not hasattr(wrapper, "_torchdynamo_orig_callable"):
            return wrapper
        return _plain(wrapper, innermost_fn(function), self.enter_exit_hooks)

    OptimizeContext.__call__ = __call__


def _plain(wrapper, function, hooks):
    """Returns a function that looks like torch's wrapper, also to torch, but only calls `function` between marks."""
    begins = [hook for hook in hooks if getattr(hook, "marks_call", False)]
    # As in a compiled call, because the kinds of calls of both runs are compared.
    owner = getattr(wrapper._torchdynamo_orig_callable, "__self__", None)

    @functools.wraps(wrapper)
    def plain(*args, **kwargs):
        ends = [begin((owner, args, kwargs)) for begin in begins]
        try:
            return function(*args, **kwargs)
        finally:
            for end in ends:
                end()

    plain.__wrapped__ = getattr(wrapper, "__wrapped__", function)
    plain._torchdynamo_wrapper_id = id(plain)
    return plain
