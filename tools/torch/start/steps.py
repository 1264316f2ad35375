#===- steps.py - marks the calls of compiled functions and their compilation ===#
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""A call of a compiled function becomes a scope `seamscope.compiled NAME` in the trace, and a compilation a scope
`seamscope.compile`. An eager baseline run has the same scopes for the calls, so that both runs can be compared.
Calls are also logged (steplog.py), even in runs that record nothing.

The marks use private attributes of torch. If one is missing, a message says so, and only steps that the program
marks itself (torch.profiler's step()) are found.
"""

import ctypes
import os
import sys
import weakref
import zlib

from _seamscope_waiting import failed, guarded, message

CALL = "seamscope.compiled "
COMPILE = "seamscope.compile"
_HERE = os.path.dirname(os.path.realpath(__file__))
UNMARKED = "calls of compiled functions are not marked from here on"


class _Names:
    """Names of compiled functions. Functions of one code object share a name, as do calls of one module; others
    with the same name get a number."""

    def __init__(self):
        self.known = {}
        self.name_of = sys.modules["_seamscope_waiting"].load(_HERE, "names").name_of

    def of(self, function):
        name = self.name_of(function)
        identity = [getattr(function, "__code__", function)]
        if getattr(function, "__self__", None) is not None:
            identity.append(function.__self__)
        known = self.known.setdefault(name, [])
        for number, other in enumerate(known):
            if len(other) == len(identity) and all(a() is b for a, b in zip(other, identity)):
                break
        else:
            number = len(known)
            known.append([_reference(each) for each in identity])
        return name if number == 0 else f"{name} ({number + 1})"


def _reference(thing):
    """Returns a weak reference if possible, so that the program's objects can be freed."""
    try:
        return weakref.ref(thing)
    except TypeError:
        return lambda: thing


class _SpanSite(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint32)] + [
        (name, ctypes.c_char_p) for name in ("name", "dims", "types", "strides", "values")]


class _Span(ctypes.Structure):
    _fields_ = [("begin", ctypes.c_uint64), ("end", ctypes.c_uint64), ("site", ctypes.c_uint32),
                ("thread", ctypes.c_uint32), ("sequence", ctypes.c_int64),
                ("forward_thread", ctypes.c_uint32), ("framework_thread", ctypes.c_uint32)]


class _Scopes:
    """Writes scopes through seamscope/spans.h, because torch's own scopes cost twenty times as much."""

    ANNOTATION = 5  # SEAMSCOPE_SITE_ANNOTATION

    def __init__(self, path):
        # PyDLL keeps the interpreter's lock: releasing and retaking it would take longer than a call.
        library = self.library = ctypes.PyDLL(path)
        self.now = library.seamscope_now
        self.now.restype = ctypes.c_uint64
        self.thread = library.seamscope_thread
        self.thread.restype = ctypes.c_uint32
        self.find = library.seamscope_span_site
        self.find.restype = ctypes.c_uint32
        self.record = library.seamscope_span
        self.mode = library.seamscope_mode
        # If the bridge to torch is loaded, it must be notified of the begin.
        bridge = getattr(sys.modules.get("_seamscope_bridge"), "loaded", None)
        self.begin = self.now if bridge is None else ctypes.PyDLL(
            None, handle=bridge._handle).seamscope_torch_scope_begins
        self.begin.restype = ctypes.c_uint64

    def site(self, name):
        return self.find(ctypes.byref(_SpanSite(self.ANNOTATION, name.encode())))

    def open(self, site):
        """Begins a scope and returns a function that ends it."""
        if not self.mode():
            return _nothing
        thread = self.thread()
        span = _Span(0, 0, site, thread, -1, 0, 0)
        span.begin = self.begin()

        def close():
            span.end = self.now()
            self.record(ctypes.byref(span))

        return close


def _nothing():
    pass


class _Turns:
    """Chooses one of each N calls of a function with inputs of one kind. Which one is pseudo-random, but the same in
    all runs: their calls are compared, and work that a program does in every N-th call would otherwise fall into
    all chosen calls or into none."""

    MOST_KINDS = 1 << 12

    def __init__(self, every):
        self.every = every
        self.calls = {}

    def next(self, name, kind):
        """The number of the call, from 0, and whether it is chosen."""
        key = (name, kind) if (name, kind) in self.calls or len(self.calls) < self.MOST_KINDS else name
        count = self.calls.get(key, 0)
        self.calls[key] = count + 1
        turn, place = divmod(count, self.every)
        return count, place == zlib.crc32(b"%d %d" % (kind, turn)) % self.every


class _RecordEverySecond:
    """In a baseline run, records half of the calls of a function with inputs of one kind, one of each two, and
    discards the records; the other calls, and code between calls, are not recorded. So both can be compared within
    one process."""

    def __init__(self, scopes):
        self.library = scopes.library
        self.bridge = getattr(sys.modules.get("_seamscope_bridge"), "loaded", None)
        self.library.seamscope_set_output(None)
        self.turns = _Turns(2)
        self.recording = True
        self.record(False)

    def record(self, wanted):
        if wanted == self.recording:
            return
        self.recording = wanted
        if self.bridge is not None:
            self.bridge.seamscope_torch_pause(int(not wanted))
        self.library.seamscope_set_mode(2 if wanted else 0)  # SEAMSCOPE_TRACE, SEAMSCOPE_OFF

    def call_begins(self, name, kind):
        _, chosen = self.turns.next(name, kind)
        self.record(chosen)

    def call_ends(self):
        self.record(False)


class _InputSteps:
    """Chooses the steps whose operators are recorded with their inputs: of the calls of a function with inputs of
    one kind the first ones, and one of each N."""

    FIRST = 3

    def __init__(self, every, ask):
        self.turns = _Turns(every)
        self.ask = ask
        self.wanted = True

    def step_begins(self, name, kind):
        count, chosen = self.turns.next(name, kind)
        wanted = chosen or count < self.FIRST
        if wanted != self.wanted:
            self.wanted = wanted
            self.ask(int(wanted))


def _arguments_of_caller():
    """The object and arguments of the call that torch's wrapper, which runs the hooks, is about to make; empty if
    unknown."""
    frame = sys._getframe(2)
    for _ in range(2):
        if frame is not None and frame.f_code.co_name in ("compile_wrapper", "_fn"):
            found = frame.f_locals
            return getattr(found.get("fn"), "__self__", None), found.get("args"), found.get("kwargs")
        frame = frame and frame.f_back
    return ()


def _kind_of(arguments):
    """A number below 2^24 that is the same for calls with inputs of the same shapes and types. Does not access
    attributes of the program's own classes, because that would run its code."""
    import torch

    parts = [torch.is_grad_enabled()]

    def describe(thing, depth):
        kind = type(thing)
        if kind in (torch.Tensor, torch.nn.Parameter):
            parts.append((tuple(thing.shape), str(thing.dtype), thing.requires_grad))
        elif kind in (bool, str, type(None)):
            parts.append(thing)
        elif depth and kind in (tuple, list, dict):
            for each in list(thing.values() if kind is dict else thing)[:64]:
                describe(each, depth - 1)
        elif isinstance(thing, torch.nn.Module):
            parts.append(thing.__dict__.get("training"))
        elif kind.__module__ == "numpy" and kind.__name__ == "ndarray":
            parts.append((thing.shape, str(thing.dtype)))
        else:
            parts.append(kind.__name__)

    describe(arguments, 4)
    return zlib.crc32(repr(parts).encode()) & 0xFFFFFF


class _NoScopes:
    """Stands in for _Scopes in a run that records nothing."""

    def site(self, name):
        return 0

    def open(self, site):
        return _nothing

    def mode(self):
        return 0


class _Marks:
    def __init__(self, scopes, log):
        self.scopes = scopes
        self.log = log
        self.turns = _RecordEverySecond(scopes) if os.environ.get("SEAMSCOPE_TURNS") and log is not None \
            and not isinstance(scopes, _NoScopes) else None
        bridge = sys.modules.get("_seamscope_bridge")
        asks = None if bridge is None or isinstance(scopes, _NoScopes) else bridge.asks_inputs()
        self.inputs = _InputSteps(*asks) if asks else None
        self.depth = 0
        self.broken = False
        self.compile_site = scopes.site(COMPILE)
        self.compiling = None

    def call_begins(self, name, site, arguments):
        """Returns a function to call at the end. The arguments determine the kind of the call."""
        kind = 0 if self.log is None or self.depth else _kind_of(arguments)
        if self.turns is not None and not self.depth:
            self.turns.call_begins(name, kind)
        if self.inputs is not None and not self.depth:
            self.inputs.step_begins(name, kind)
        self.depth += 1
        begun = self.log.begin(name, kind) if self.log is not None else None
        recorded = self.scopes.mode()
        close = self.scopes.open(site)

        def end():
            try:
                close()
                if self.log is not None:
                    self.log.end(begun, recorded)
                self.depth -= 1
                if self.turns is not None and not self.depth:
                    self.turns.call_ends()
            except Exception as error:  # noqa: BLE001 - not the program's concern
                self.stop_marking(error)

        return end

    def stop_marking(self, error):
        """Stops marking after an internal error: begins and ends may no longer match."""
        self.broken = True
        failed(UNMARKED, error)

    @guarded("compilation is not marked in the trace")
    def compile_begins(self, *_):
        if self.log is not None:
            self.log.compiles = True
        self.compiling = self.scopes.open(self.compile_site)

    @guarded("compilation is not marked in the trace")
    def compile_ends(self, *_):
        if self.compiling is not None:
            self.compiling()
            self.compiling = None

    def watch_compiler(self):
        # torch._dynamo.reset() removes callbacks, so they are registered again at each call.
        from torch._dynamo.callback import callback_handler as handler

        begins, ends = self.compile_begins, self.compile_ends

        def ask():
            if begins not in handler.start_callbacks:
                handler.register_start_callback(begins)
                handler.register_end_callback(ends)

        ask()
        return ask


def _mark_calls(marks, ask):
    from torch._dynamo.eval_frame import OptimizeContext, _TorchDynamoContext

    name_of = guarded("compiled functions lack names in the trace", "?")(_Names().of)
    begin = OptimizeContext.__init__
    wrap = OptimizeContext.__call__

    def __init__(self, *args, **kwargs):
        begin(self, *args, **kwargs)
        self._seamscope_name = None
        site = None

        def enter(arguments=None):
            nonlocal site
            if marks.broken:
                return _nothing
            try:
                name = self._seamscope_name or "?"
                if site is None:
                    site = marks.scopes.site(CALL + name)
                ask()
                return marks.call_begins(
                    name, site, _arguments_of_caller() if arguments is None else arguments)
            except Exception as error:  # noqa: BLE001 - not the program's concern
                marks.stop_marking(error)
                return _nothing

        enter.marks_call = True
        self.enter_exit_hooks.append(enter)

    def __call__(self, function):
        # For a module, torch wraps the module and then the function that its call runs.
        if self._seamscope_name is None:
            self._seamscope_name = name_of(function)
        return wrap(self, function)

    if "enter_exit_hooks" not in _TorchDynamoContext.__call__.__code__.co_names + tuple(
            name for code in _TorchDynamoContext.__call__.__code__.co_consts
            for name in getattr(code, "co_names", ())):
        raise AttributeError("enter_exit_hooks")
    OptimizeContext.__init__ = __init__
    OptimizeContext.__call__ = __call__


def _recorded_here():
    """Whether this process records operators, which the bridge to torch decided when torch was imported."""
    return os.environ.get("SEAMSCOPE_TORCH_OWNER", "").split(":")[0] == str(os.getpid())


def _log():
    """The log of calls; None if only a trace is wanted."""
    path = os.environ.get("SEAMSCOPE_STEPS")
    waiting = sys.modules.get("_seamscope_waiting")
    if not path or waiting is None:
        return None
    return waiting.load(_HERE, "steplog").StepLog(path)


def start(torch):
    """Call once torch._dynamo is imported."""
    if os.environ.get("SEAMSCOPE_BASELINE") == "eager":
        sys.modules["_seamscope_waiting"].load(_HERE, "eager").start(torch)
    if os.environ.get("SEAMSCOPE") == "off":
        _mark(_NoScopes)
    elif _recorded_here():
        _mark()
    else:
        # Recording may begin later, when the process becomes a rank.
        waiting = sys.modules.get("_seamscope_waiting")
        if waiting is not None:
            waiting.on_recording.append(_mark)


def _mark(scopes=lambda: _Scopes(os.environ["SEAMSCOPE_RUNTIME"])):
    import torch

    def mark():
        marks = _Marks(scopes(), _log())
        _mark_calls(marks, marks.watch_compiler())

    guarded(f"calls of compiled functions are not marked in the trace of torch {torch.__version__}")(mark)()
