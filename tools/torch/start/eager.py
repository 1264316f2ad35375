#===- eager.py - has compiled functions run what was given to torch.compile ---===#
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""In the eager run of a program that is compared with itself nothing is compiled, and a call of a compiled
function costs what a call of the plain function costs. torch's stance "force_eager" alone goes through the
wrapper of the compiled function, which takes microseconds a call that no eager program takes.
"""

import functools
import types

from _seamscope_waiting import guarded, message


def start(torch):
    _take_stance(torch)
    guarded("the eager run includes the time of torch.compile's wrapper")(_unwrap)()


def _take_stance(torch):
    """For what is compiled without a wrapper, such as with torch._dynamo.optimize() as a context."""
    try:
        torch.compiler.set_stance("force_eager")
    except (AttributeError, RuntimeError) as error:
        # Dynamo looks at the variable whenever it meets a frame that it has not compiled.
        import torch._dynamo.config as config

        config.disable = True
        message(f"torch {torch.__version__} cannot be told to run compiled functions without compiling "
            f"({error}); its compiler is switched off instead")


def _unwrap():
    from torch._dynamo.eval_frame import OptimizeContext, innermost_fn

    wrap = OptimizeContext.__call__

    def __call__(self, function):
        wrapper = wrap(self, function)
        # Of a module or class torch wraps the methods, by calls of this function.
        if not isinstance(wrapper, types.FunctionType) or \
                not hasattr(wrapper, "_torchdynamo_orig_callable"):
            return wrapper
        return _plain(wrapper, innermost_fn(function), self.enter_exit_hooks)

    OptimizeContext.__call__ = __call__


def _plain(wrapper, function, hooks):
    """Looks like torch's wrapper, also to torch, and calls the function between our marks alone."""
    begins = [hook for hook in hooks if getattr(hook, "marks_call", False)]
    # As a compiled call has it: the kinds of calls of both runs are compared.
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
