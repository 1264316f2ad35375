"""hooks.py LIBRARY_FOLDER WHAT...: parts of triton_stages.py, as Triton calls them."""

import importlib.util
import os
import sys
import types

folder, what, *rest = sys.argv[1:]


def load(stem):
    name = f"_seamscope_{stem}"
    spec = importlib.util.spec_from_file_location(name, os.path.join(folder, "seamscope", "python", stem + ".py"))
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


waiting = load("waiting")
stages = load("triton_stages")

if what == "old-cache":
    import triton

    stages.keys_ask_the_hook = lambda: False
    # The second time it is that of the process that started this one.
    for _ in range(2):
        stages.separate_cache(triton.knobs, stages.instrumenter_here().stamp)
        print(triton.knobs.cache.dir)
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = "/tmp/inductor/"
    for _ in range(2):
        stages.separate_inductor()
        print(os.environ["TORCHINDUCTOR_CACHE_DIR"])

if what == "no-hook":
    for triton in (types.SimpleNamespace(__version__="3.3.1"),
                   types.SimpleNamespace(__version__="3.4.0",
                                         knobs=types.SimpleNamespace(runtime=object()))):
        print(stages.install(triton))

if what == "chain":
    import triton

    seen = []

    def before(backend=None, stages=None, options=None, language=None, capability=None):
        if stages is None:
            return "-theirs", "7"
        old = stages["ttir"]
        stages["ttir"] = lambda source, metadata: seen.append("ttir") or old(source, metadata)
        return "-theirs", "7"

    triton.knobs.runtime.add_stages_inspection_hook = before
    assert stages.install(triton)
    assert stages.install(triton)
    key, own_hash = triton.knobs.runtime.add_stages_inspection_hook()
    assert eval(f'("custom_pipeline", {own_hash})') == ("custom_pipeline", 7, key.split("-")[-1])
    import kernels

    ptx = kernels.compiled("add").asm["ptx"]
    print(key.split("-")[1:3], seen, "__seamscope_gpu_control_v1" in ptx)

if what == "load":
    # rest: a kernel's folder of Triton's cache, or what a kernel without stamps has; the library
    timed, plain, stages.GPU_LIBRARY = rest
    for name, cubin in (("add", timed), ("add", timed), ("sub", timed), ("plain", plain),
                        ("plain", plain)):
        stages.loaded(0x123456789A, 1, name, {f"{name}.ptx": "none", f"{name}.cubin": cubin}, "hash")
