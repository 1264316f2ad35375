#===- sitecustomize.py - what `seamscope run` adds to a Python program ---===#
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Python imports this at its start. It changes one variable of torch, if and
# when the program imports it, and then makes room for the sitecustomize that
# the program would have had.
#
#===----------------------------------------------------------------------===#
"""Has torch write down the nodes of backward kernels too."""


def _install():
    import importlib.util
    import os
    import sys

    module = "torch._inductor.debug"

    class Finder:
        """Finds one module by asking all other finders, and acts once it was executed."""

        def find_spec(self, name, path=None, target=None):
            if name != module:
                return None
            sys.meta_path.remove(self)
            spec = importlib.util.find_spec(name)
            if spec is not None and hasattr(spec.loader, "exec_module"):
                execute = spec.loader.exec_module

                def exec_module(loaded):
                    execute(loaded)
                    # torch keeps the map from kernels to nodes only where it knows of a graph from
                    # before autograd. A backward graph is compiled later, outside of the place that
                    # knows it: torch then asks this variable, and any number but None will do.
                    if getattr(loaded, "_pre_grad_graph_id", 0) is None:
                        loaded._pre_grad_graph_id = -1

                spec.loader.exec_module = exec_module
            return spec

    sys.meta_path.insert(0, Finder())

    # The program's own sitecustomize, if there is one behind this folder.
    here = os.path.dirname(os.path.abspath(__file__))
    others = [place for place in sys.path if os.path.abspath(place or ".") != here]
    from importlib.machinery import PathFinder

    spec = PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        other = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = other
        spec.loader.exec_module(other)


_install()
del _install
