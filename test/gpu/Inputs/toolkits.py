"""toolkits.py COMPILER SOURCES CUDA FOLDER VERSION...: checks that libseamscope-cuda and the stand-in compile with the
headers of other versions of CUDA, and that CUPTI's records have the same layout as with the toolkit in CUDA. Headers
are downloaded from PyPI to FOLDER."""

import glob
import os
import subprocess
import sys
import zipfile

compiler, sources, cuda, folder, *versions = sys.argv[1:]
PACKAGES = ("cuda-runtime", "cuda-cupti", "cuda-nvcc", "nvtx")
FILES = ("runtime/cuda/*.cpp", "runtime/nvtx/*.cpp", "runtime/mlir/Cuda.cpp", "test/gpu/standin/cu*.cpp",
         "test/gpu/standin/driver.cpp", "test/gpu/standin/machine.cpp")


def run(*command):
    return subprocess.run(command, check=True, timeout=300, stdout=subprocess.PIPE, text=True).stdout


def headers(version):
    where = os.path.join(folder, version)
    os.makedirs(where, exist_ok=True)
    major = version.split(".")[0]
    run(sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps", "-d", where,
        *(f"nvidia-{package}-cu{major}=={version}.*" for package in PACKAGES))
    for wheel in glob.glob(os.path.join(where, "*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(where)
    # The headers include one another by name.
    return ["-isystem" + each for each in sorted(glob.glob(os.path.join(where, "nvidia", "*", "include")))]


def layout(name, options):
    program = os.path.join(folder, name)
    run(compiler, *options, os.path.join(sources, "test/gpu/Inputs/cupti-layout.cpp"), "-o", program)
    return run(program)


ours = layout("ours", ["-isystem" + os.path.join(cuda, "include")])
assert ours.count("\n") > 60, ours
for version in versions:
    options = headers(version)
    files = [each for pattern in FILES for each in sorted(glob.glob(os.path.join(sources, pattern)))]
    for each in files:
        run(compiler, "-std=c++20", "-fsyntax-only", *options, "-I" + os.path.join(sources, "runtime"),
            "-I" + os.path.join(sources, "runtime/include"), '-DSEAMSCOPE_SONAME="libseamscope.so.0"', each)
    theirs = layout("of-" + version, options)
    assert theirs == ours, (version, set(theirs.splitlines()) ^ set(ours.splitlines()))
    print(f"{version}: {len(files)} files compile, {ours.count(chr(10))} fields and numbers as in ours")
