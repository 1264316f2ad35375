"""The lit configuration: suites, substitutions and features.

A test is any .test, .ll, .mlir, .c, .cpp or .f90 file outside Inputs/; its RUN lines use the
substitutions below. Run one with `lit build/test/passes/name.ll` or a folder of
them with `lit build/test/passes`; `--param quick=1` leaves out those that need torch,
`--param long=1` adds those that are slow and find little (`REQUIRES: long`), `--param llvm=NN` has
those of LLVM 22 run with another major.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

# lit hands tests to processes of its own, which find a class only in a module.
sys.path.insert(0, os.path.dirname(__file__))
from shell_test import ShellTest, escaped

config.name = "seamscope"
config.test_format = ShellTest(execute_external=False)
config.suffixes = [".test", ".ll", ".mlir", ".c", ".cpp", ".f90"]
config.excludes = ["Inputs", "drivers", "unit", "benchmark", "fuzz", "demo", "standin"]
config.test_source_root = os.path.dirname(__file__)
config.available_features.add(config.host_processor.lower().replace("amd64", "x86_64"))
if shutil.which("valgrind"):
    config.available_features.add("valgrind")

quick = bool(int(lit_config.params.get("quick", "0")))
long_run = bool(int(lit_config.params.get("long", "0")))
if long_run:
    config.available_features.add("long")
if quick:
    config.available_features.add("quick")
# No test may hang. The limit is far above what any takes on a busy machine.
if not lit_config.maxIndividualTestTime:
    if lit_config.maxIndividualTestTimeIsSupported[0]:
        lit_config.maxIndividualTestTime = 14400 if long_run else 1800
    else:
        lit_config.note("no test has a time limit: lit's Python has no psutil (python3-psutil)")


def find_tool(name, *folders):
    """The tool from the folders, else from PATH, else None."""
    return shutil.which(name, path=os.pathsep.join(folders)) or shutil.which(name)


# The environment of a test holds nothing of the caller's Seamscope, and its spools lie in a
# folder of this run: `seamscope recover` without an argument looks at all of them.
spool_parent = os.path.join(config.test_exec_root, "spool")
os.makedirs(spool_parent, exist_ok=True)
for old in os.listdir(spool_parent):
    # Another run may be going on: a folder in use is younger than a day.
    folder = os.path.join(spool_parent, old)
    if os.path.getmtime(folder) < time.time() - 86400:
        shutil.rmtree(folder, ignore_errors=True)
for name in [key for key in config.environment if key.startswith("SEAMSCOPE")]:
    del config.environment[name]
# A folder of traces recorded elsewhere, with expected.jsonl beside them; not part of the project.
traces = os.environ.get("SEAMSCOPE_TEST_TRACES", "")
if os.path.isfile(os.path.join(traces, "expected.jsonl")):
    config.available_features.add("recorded-traces")
    config.substitutions.append(("%traces", escaped(os.path.abspath(traces))))
elif traces:
    lit_config.warning(f"SEAMSCOPE_TEST_TRACES={traces} holds no expected.jsonl: skipped")
config.environment["SEAMSCOPE_SPOOL_DIR"] = tempfile.mkdtemp(prefix="run-", dir=spool_parent)
config.environment["FILECHECK_OPTS"] = "-enable-var-scope --dump-input=fail"
config.environment["LC_ALL"] = "C.UTF-8"
# Projects that a test configures use the generator that is known to be there.
config.environment["CMAKE_GENERATOR"] = config.cmake_generator
for name in ("HOME", "USER"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# FileCheck, not, count and split-file by their plain names.
if config.llvm_bindir:
    config.environment["PATH"] = os.pathsep.join(
        [config.llvm_bindir, config.environment.get("PATH", os.environ["PATH"])]
    )

# What makes the pages of tests looks for esbuild on PATH.
config.environment["PATH"] = os.pathsep.join(
    [config.environment.get("PATH", os.environ["PATH"]), os.path.dirname(config.esbuild)]
)

# Paths, each of them one word of the shell, or several.
substitutions = {
    "%seamscope": os.path.join(config.binary_dir, "seamscope"),
    "%seamscope-clang": os.path.join(config.binary_dir, "seamscope-clang"),
    "%seamscope-clang++": os.path.join(config.binary_dir, "seamscope-clang++"),
    "%seamscope-flang": os.path.join(config.binary_dir, "seamscope-flang"),
    "%runtime-lib": config.library_dir,
    "%include": os.path.join(config.source_root, "runtime", "include"),
    "%build": config.build_root,
    "%source": config.source_root,
    "%cmake": config.cmake,
    "%ctest": config.ctest,
    "%lit": os.path.abspath(sys.argv[0]),
    "%host-cc": config.host_cc,
    "%host-cxx": config.host_cxx,
    "%ccache": shutil.which("ccache") or "ccache",
    "%version": config.project_version,
}
substitutions_of_words = {
    # Links the runtime and finds it at run time.
    "%link-runtime": "-L{0} -lseamscope -Wl,-rpath,{0}".format(escaped(config.library_dir)),
    # Builds test/faults/Inputs/inject.cpp into the file that follows.
    "%compile-inject": "{} -std=c++20 -O1 {} -ldw -o".format(
        escaped(config.host_cxx), escaped(os.path.join(config.test_source_root, "faults", "Inputs", "inject.cpp"))),
}

for major in config.llvm_majors:
    llvm = "/usr/lib/llvm-{}/bin".format(major)
    plugin = os.path.join(config.library_dir, "SeamscopePass-{}.so".format(major))
    substitutions["%plugin-" + major] = plugin
    substitutions["%major-" + major] = major
    # Stand-ins for a compiler of this major, which the wrapper tells from its name.
    for prefix, tool in (("%fake-clang-", "clang-"), ("%fake-clangxx-", "clang++-")):
        substitutions[prefix + major] = os.path.join(config.test_source_root, "wrapper", "Inputs", "fake", tool + major)
    tools = {
        "%clang-": "clang",
        "%clangxx-": "clang++",
        "%opt-": "opt",
        "%llvm-readelf-": "llvm-readelf",
        "%llvm-nm-": "llvm-nm",
        "%llvm-objdump-": "llvm-objdump",
        "%llvm-dis-": "llvm-dis",
    }
    missing = False
    for prefix, tool in tools.items():
        path = find_tool(tool + "-" + major) or find_tool(tool, llvm)
        missing |= path is None
        substitutions[prefix + major] = path or tool + "-" + major
    if not missing:
        config.available_features.add("llvm-" + major)
    if find_tool("ld.lld-" + major):
        config.available_features.add("lld-" + major)
    # It has had its name since 20.
    flang = find_tool("flang-" + major) or find_tool("flang-new-" + major)
    if flang:
        config.available_features.add("flang-" + major)
        substitutions["%flang-" + major] = flang
    # The newest clang has its own omp.h; an older one gets a copy of that file alone.
    openmp = "-fopenmp"
    if not os.path.exists("/usr/lib/llvm-{0}/lib/clang/{0}/include/omp.h".format(major)):
        openmp += " -I{} -L{}".format(escaped(config.omp_include), escaped(config.omp_libdir))
    substitutions_of_words["%openmp-" + major] = openmp

# `--param llvm=NN`: what tests name -22 is of another major that was built.
other = lit_config.params.get("llvm", "22")
# For tests of what older majors lack, and of two majors, which cannot run with NN in the place of 22.
if "llvm-22" in config.available_features and other == "22":
    config.available_features.add("real-22")
if other != "22":
    for table in (substitutions, substitutions_of_words):
        table.update({key[:-len(other)] + "22": value for key, value in table.items()
                      if key.endswith("-" + other)})
    for feature in [name for name in config.available_features if name.endswith("-22")]:
        config.available_features.remove(feature)
    for feature in [name for name in config.available_features if name.endswith("-" + other)]:
        config.available_features.add(feature[:-len(other)] + "22")

# The passes over MLIR, and the tools of the version that they were built for.
mlir_tools = {tool: os.path.join(config.llvm_bindir, tool)
              for tool in ("mlir-opt", "mlir-translate", "mlir-runner")}
if config.mlir_major and all(os.path.exists(path) for path in mlir_tools.values()):
    config.available_features.add("mlir")
    mlir_plugin = os.path.join(config.library_dir, f"SeamscopeMLIR-{config.mlir_major}.so")
    substitutions["%mlir-plugin"] = mlir_plugin
    substitutions["%mlir-bin"] = config.llvm_bindir
    for tool, path in mlir_tools.items():
        substitutions["%" + tool] = path
elif not config.mlir_major:
    lit_config.note("MLIR is not tested: its passes are not built")

# A CUDA toolkit that CMake found, and its assembler; no GPU is needed for either.
if config.cuda_root:
    config.available_features.add("cuda")
    substitutions["%cuda"] = config.cuda_root
    substitutions["%standin"] = config.standin
    # Compiling for a device and linking takes more than headers.
    parts = ("bin/fatbinary", "bin/nvlink", "bin/ptxas", "nvvm/libdevice/libdevice.10.bc",
             "lib*/libcudart.so*", "lib*/libcudart_static.a")
    if all(glob.glob(os.path.join(glob.escape(config.cuda_root), part)) for part in parts):
        config.available_features.add("cuda-runtime")
    # NVTX of CUDA 12 has no payloads.
    if os.path.exists(os.path.join(config.cuda_root, "include/nvtx3/nvToolsExtPayload.h")):
        config.available_features.add("nvtx-payload")
    cupti = [os.path.join(config.cuda_root, folder, f"libcupti.so.{major}")
             for folder in ("lib64", "lib", "extras/CUPTI/lib64") for major in (13, 12)]
    cupti = [path for path in cupti if os.path.exists(path)]
    if cupti:
        config.available_features.add("cupti")
        substitutions["%cupti"] = cupti[0]
ptxas = None if config.cuda_off else find_tool("ptxas", *(os.path.join(root, "bin") for root in
    (config.cuda_root, os.environ.get("CUDA_HOME", ""), "/usr/local/cuda") if root))
if ptxas:
    config.available_features.add("ptxas")
    substitutions["%ptxas"] = ptxas

# Linux 5.13 and later, unless the system or a sandbox refuses perf_event_open.
paranoid = "/proc/sys/kernel/perf_event_paranoid"
if (tuple(map(int, re.findall(r"\d+", os.uname().release)[:2])) >= (5, 13)
        and os.path.exists(paranoid) and int(open(paranoid).read()) <= 2
        and "Seccomp:\t0" in open("/proc/self/status").read()):
    config.available_features.add("samples")
if len(os.sched_getaffinity(0)) > 1:
    config.available_features.add("several-processors")

if config.omp_include:
    config.available_features.add("openmp")
if shutil.which("mpicc") and shutil.which("mpiexec"):
    config.available_features.add("mpi")
for tool in ("aarch64-linux-gnu-g++", "apt-get", "ccache", "man", "ninja", "pkg-config", "qemu-aarch64",
             "shellcheck"):
    if shutil.which(tool):
        config.available_features.add(tool)

# Code of others, once `./dev test` or `./dev corpus --fetch` has fetched it.
sys.path.insert(0, os.path.join(config.test_source_root, "corpus"))
import builds  # noqa: E402

corpus = [program for package in builds.fetch.manifests().values()
          for program in builds.of_package(package)]
if all(builds.fetch.is_fetched(program.package) for program in corpus if program.quick):
    config.available_features.add("corpus")
if all(builds.fetch.is_fetched(program.package) for program in corpus):
    config.available_features.add("whole-corpus")
config.environment["SEAMSCOPE_CORPUS"] = builds.fetch.cache_folder()


def find_python():
    """A Python with torch and True, else any Python and False.

    SEAMSCOPE_PYTHON names one; else the project's .venv is taken when it has torch.
    """
    venv = os.path.join(config.source_root, ".venv", "bin", "python")
    for python in (os.environ.get("SEAMSCOPE_PYTHON"), venv, shutil.which("python3")):
        if not python or not os.path.exists(python):
            continue
        probe = "import importlib.util as u; raise SystemExit(u.find_spec('torch') is None)"
        if subprocess.run([python, "-c", probe], capture_output=True).returncode == 0:
            return python, True
    return shutil.which("python3") or "python3", False


python, has_torch = find_python()
substitutions["%python"] = python
# Inductor's own command lines are split at blanks: from such a folder, or with its cache in one, it
# compiles nothing at all.
with_blank = [path for path in (os.path.dirname(python), config.build_root) if " " in path]
if has_torch and with_blank:
    lit_config.note("torch is not tested: its compiler does not work in a path with a blank "
                    f"({with_blank[0]})")
    has_torch = False
if has_torch and not quick:
    config.available_features.add("torch")
    # Inductor otherwise compiles a program for each vector unit of the processor, and has a Python load it
    # beside torch, in every process: torch/vector-isa-unchanged.test has it do so.
    config.environment["TORCHINDUCTOR_VEC_ISA_OK"] = "1"
# HolisticTraceAnalysis, which reads what torch.profiler writes, models of others, a test runner, notebooks, and
# NVTX for Python.
for package in ("hta", "transformers", "pytest", "nvtx", "nbclient", "ipykernel", "yaml"):
    probe = f"import importlib.util as u; raise SystemExit(u.find_spec('{package}') is None)"
    if not quick and subprocess.run([python, "-c", probe], capture_output=True).returncode == 0:
        config.available_features.add(package)

# A Triton of its own folder, for the tests that name it: in torch's it would change what torch does.
triton = os.path.join(config.source_root, ".triton")
if os.path.isdir(os.path.join(triton, "triton", "backends", "nvidia")) and not quick:
    probe = "import triton._C.libtriton"
    if subprocess.run([python, "-c", probe], capture_output=True,
                      env=dict(os.environ, PYTHONPATH=triton)).returncode == 0:
        config.available_features.add("triton")
    else:
        lit_config.note(f"Triton is not tested: {triton} does not fit {python} (./dev setup installs it)")
substitutions["%triton"] = triton

# What takes the tables of traces.
tables_python = os.path.join(config.source_root, ".tables", "bin", "python")
substitutions["%tables-python"] = tables_python
if os.path.exists(tables_python) and not quick:
    probe = "import duckdb, pandas, polars, pyarrow"
    if subprocess.run([tables_python, "-c", probe], capture_output=True).returncode == 0:
        config.available_features.add("arrow")
    else:
        lit_config.note("tables are not tested: .tables lacks pyarrow, DuckDB, polars or pandas (./dev setup "
                        "installs them)")
    probe = "import importlib.util as u; raise SystemExit(u.find_spec('mcp') is None)"
    if subprocess.run([tables_python, "-c", probe], capture_output=True).returncode == 0:
        config.available_features.add("mcp")
    probe = "import importlib.util as u; raise SystemExit(not all(map(u.find_spec, ('pyspark', 'scipy', 'ruptures'))))"
    if shutil.which("java") and subprocess.run([tables_python, "-c", probe], capture_output=True).returncode == 0:
        config.available_features.add("spark")
    else:
        lit_config.note("Spark is not tested: there is no java, or .tables lacks pyspark (./dev setup installs them)")

# The page of `report --html` in a browser: Chromium, its driver, and in .browser what speaks to it.
browser_python = os.path.join(config.source_root, ".browser", "bin", "python")
substitutions["%browser-python"] = browser_python
if (all(shutil.which(tool) for tool in ("chromium", "chromedriver")) and os.path.exists(browser_python)
        and os.path.exists("/usr/share/nodejs/d3/dist/d3.min.js") and not quick):
    probe = ("import importlib.util as u;"
             "raise SystemExit(not all(map(u.find_spec, ('selenium', 'axe_playwright_python'))))")
    if subprocess.run([browser_python, "-c", probe], capture_output=True).returncode == 0:
        config.available_features.add("chromium")
    else:
        lit_config.note("the HTML page is not tested: .browser lacks selenium or axe (./dev setup installs them)")

# Workbooks, where the tool was built with what writes them, and what reads them.
tool = substitutions["%seamscope"]
if os.path.exists(tool):
    probe = subprocess.run([tool, "report", "--xlsx", "-o", os.devnull, os.devnull], capture_output=True)
    if b"built without" not in probe.stderr:
        config.available_features.add("xlsx")
    else:
        lit_config.note("workbooks are not tested: the tool was built without libxlsxwriter")
probe = "import importlib.util as u; raise SystemExit(u.find_spec('openpyxl') is None)"
if os.path.exists(browser_python) and subprocess.run([browser_python, "-c", probe],
                                                     capture_output=True).returncode == 0:
    config.available_features.add("openpyxl")

substitutions = {key: escaped(path) for key, path in substitutions.items()}
substitutions.update(substitutions_of_words)

# lit replaces in order, and a name can begin another: longest first, and only whole names.
for key in sorted(substitutions, key=len, reverse=True):
    config.substitutions.append((re.escape(key) + r"(?![-+\w])", substitutions[key]))

# MemorySanitizer is not built for every target; TypeSanitizer came with clang 20.
if "llvm-22" in config.available_features:
    clang = find_tool("clang++-" + other) or find_tool("clang++", f"/usr/lib/llvm-{other}/bin")
    for feature, sanitizer in (("msan", "memory"), ("tysan", "type")):
        probe = [clang, f"-fsanitize={sanitizer}", "-x", "c++", "-", "-o", os.devnull]
        if subprocess.run(probe, input=b"int main() {}", capture_output=True).returncode == 0:
            config.available_features.add(feature)

# Some tests mount a small file system.
if os.geteuid() == 0:
    config.available_features.add("root")
    # Others need programs that are setuid, which a mount and a process can rule out.
    status = open("/proc/self/status").read()
    if not os.statvfs(config.test_exec_root).f_flag & os.ST_NOSUID and \
            "NoNewPrivs:\t1" not in status:
        config.available_features.add("setuid")
