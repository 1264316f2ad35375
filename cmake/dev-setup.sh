# Functions that install what ./dev needs: apt packages, and with pip torch, CUDA's toolkit, Triton and a
# browser driver. ./dev sources this file and defines the lists and versions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash

as_root() {
  if [[ $(id -u) -eq 0 ]]; then
    "$@"
  else
    command -v sudo >/dev/null || die "not root, and there is no sudo; run as root: $*"
    sudo "$@"
  fi
}

# Prints the packages PACKAGE... that are not installed.
missing_packages() {
  local installed
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null |
    sed -n 's/ installed$//p' || true)
  printf '%s\n' "$@" | grep -vxF "${installed:-none}" || true
}

# Prints the package of this major's libomp if that of another major is installed: the two exclude
# each other, and the tests work with any.
other_openmp() {
  if dpkg-query -W -f '${db:Status-Status}\n' 'libomp-*-dev' 2>/dev/null | grep -qx installed; then
    echo "libomp-$1-dev"
  else
    echo none
  fi
}

# Prints the packages PACKAGE... that apt does not have.
absent_packages() {
  local package
  for package in "$@"; do
    apt-cache show "$package" >/dev/null 2>&1 || echo "$package"
  done
}

install_packages() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    -o Dpkg::Use-Pty=0 "$@" >/dev/null || die "apt-get install failed"
}

# Prints all packages; with a major, those to build and test with that LLVM alone.
packages() {
  if [[ $# -eq 0 ]]; then
    printf '%s\n' "${packages[@]}"
    return
  fi
  printf '%s\n' "${packages[@]}" | grep -vE -- '-(19|22)(-|$)|csmith|uftrace|valgrind|shellcheck|chromium|openjdk'
  printf "%s\n" "clang-$1" "llvm-$1-dev" "llvm-$1-tools" "lld-$1" "libomp-$1-dev" "libclang-rt-$1-dev"
}

# setup_packages [PACKAGE...]: installs the given packages, or all.
setup_packages() {
  local wanted=("$@")
  [[ $# -gt 0 ]] || wanted=("${packages[@]}")
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    # Not a Debian system: continue if its own packages are there.
    local tool absent=() tools=(cmake ninja g++ clang++-22 llvm-config-22 python3)
    [[ $# -gt 0 ]] || tools+=(lit clang++-19 llvm-config-19)
    for tool in "${tools[@]}"; do
      command -v "$tool" >/dev/null || [[ -x /usr/lib/llvm-22/bin/$tool ]] || absent+=("$tool")
    done
    [[ ${#absent[@]} -eq 0 ]] && return
    die "no apt here, and missing: ${absent[*]}. Install the contents of these Debian packages:" \
      "${wanted[*]}"
  fi
  local missing
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  [[ ${#missing[@]} -eq 0 ]] && return
  say "installing ${#missing[@]} packages with apt: ${missing[*]}"
  as_root apt-get update -qq || say "apt-get update failed; trying with the available lists"
  local absent
  mapfile -t absent < <(absent_packages "${missing[@]}")
  [[ ${#absent[@]} -eq 0 ]] ||
    die "this system's apt has no ${absent[*]}. Debian 12 with its security updates has them all;" \
      "for other systems see https://apt.llvm.org. Install them and run ./dev setup again."
  install_packages "${missing[@]}"
}

has_torch() {
  "$1" -c 'import importlib.util as u; raise SystemExit(u.find_spec("torch") is None)' 2>/dev/null
}

# Prints the Python that has torch; fails if there is none.
torch_python() {
  local python
  for python in "${SEAMSCOPE_PYTHON:-}" "$root/.venv/bin/python"; do
    if [[ -x $python ]] && has_torch "$python"; then
      echo "$python"
      return
    fi
  done
  return 1
}

# Whether a server answers within seconds.
reaches() {
  timeout 10 python3 -c 'import sys, urllib.request as u; u.urlopen(sys.argv[1], timeout=5)' "$1/" 2>/dev/null
}

# pip_into_venv LOG WORD...
pip_into_venv() {
  .venv/bin/pip install --disable-pip-version-check --quiet "${@:2}" >"$1" 2>&1
}

# Installs torch's CPU build; fails if it is not wanted or not available.
setup_torch_for_cpu() {
  [[ -z ${SEAMSCOPE_TORCH_PIP_ARGS:-} && $(uname -sm) == "Linux x86_64" ]] || return
  # The variable holds several words.
  # shellcheck disable=SC2086
  reaches "$torch_cpu_index" &&
    pip_into_venv "$1" --index-url "$torch_cpu_index" $torch_pip_args && return
  say "torch's index of CPU builds cannot be used: using PyPI's, which may be several GB"
  return 1
}

# Everything else works without torch. Only ./dev setup repeats a failed attempt.
setup_torch() {
  torch_python >/dev/null && return
  local failed=.venv/torch-failed log=.venv/pip.log
  if [[ ${1:-} != again && -e $failed && $(<"$failed") == "$torch_pip_args" ]]; then
    say "no torch: pip could not install it before (see $log; ./dev setup tries again);" \
      "the torch tests and the torch part of the demo are skipped"
    return
  fi
  say "installing with pip into .venv: $torch_pip_args"
  [[ -x .venv/bin/pip ]] || python3 -m venv .venv
  # shellcheck disable=SC2086
  if setup_torch_for_cpu "$log" || pip_into_venv "$log" $torch_pip_args; then
    rm -f "$failed"
  else
    echo "$torch_pip_args" >"$failed"
    say "pip failed: $(grep -m1 '^ERROR' "$log" || tail -n1 "$log")"
    say "no torch: the torch tests and the torch part of the demo are skipped"
  fi
}

# Installs Python packages that the demo and some tests use; both skip what needs them if they are
# missing.
setup_extras() {
  [[ -x .venv/bin/pip && $(torch_python || true) == "$root/.venv/bin/python" ]] || return 0
  .venv/bin/python -c 'import transformers, pytest, nvtx, jsonschema, nbclient, ipykernel' 2>/dev/null && return
  say "installing with pip into .venv: transformers pytest nvtx jsonschema nbclient ipykernel"
  pip_into_venv .venv/pip.log transformers pytest nvtx jsonschema nbclient ipykernel ||
    say "pip failed: $(grep -m1 '^ERROR' .venv/pip.log || tail -n1 .venv/pip.log)"
}

# Whether the folder holds a toolkit with all that cmake/SeamscopeCuda.cmake needs.
is_cuda() {
  [[ -f $1/include/cuda.h && -f $1/include/cuda_runtime_api.h &&
    -f $1/include/nvtx3/nvToolsExt.h ]] &&
    [[ -f $1/include/cupti.h || -f $1/extras/CUPTI/include/cupti.h ]]
}

# Uses an existing toolkit, or installs one from PyPI in .cuda. Only ./dev setup repeats a failed
# attempt.
setup_cuda() {
  local without="what needs it is not built, and its tests are skipped"
  if [[ ${SEAMSCOPE_CUDA:-} == off ]]; then
    say "no CUDA toolkit (SEAMSCOPE_CUDA=off): $without"
    return
  fi
  if [[ -n ${CUDA_HOME:-} ]]; then
    is_cuda "$CUDA_HOME" && return
    say "CUDA_HOME=$CUDA_HOME is not a CUDA toolkit with CUPTI and NVTX 3: looking elsewhere"
  fi
  # CMake prefers .cuda, so one with other versions is replaced even if another toolkit exists.
  is_cuda .cuda && [[ $(cat .cuda/packages 2>/dev/null) == "${cuda_packages[*]}" ]] && return
  [[ ! -e .cuda ]] && is_cuda /usr/local/cuda && return
  local new=.cuda-new failed=.cuda-new/failed log=.cuda-new/pip.log
  if [[ ${1:-} != again && -e $failed && $(<"$failed") == "${cuda_packages[*]}" ]]; then
    say "no CUDA toolkit: pip could not install it before (see $log; ./dev setup tries again): $without"
    return
  fi
  say "installing with pip into .cuda: ${cuda_packages[*]}"
  rm -rf "$new"
  mkdir "$new"
  # Merges all wheels into one tree and renames it when it is complete. clang includes a header of
  # cuRAND that CUDA code without random numbers does not need: an empty file saves 77 MB.
  if python3 -m venv "$new/venv" >"$log" 2>&1 &&
    "$new/venv/bin/pip" install --disable-pip-version-check --quiet --no-deps \
      --target "$new/wheels" "${cuda_packages[@]}" >>"$log" 2>&1 &&
    is_cuda "$new/wheels/nvidia/cu13"; then
    : >"$new/wheels/nvidia/cu13/include/curand_mtgp32_kernel.h"
    echo "${cuda_packages[*]}" >"$new/wheels/nvidia/cu13/packages"
    rm -rf .cuda
    mv "$new/wheels/nvidia/cu13" .cuda
    rm -rf "$new"
  else
    rm -rf "$new/venv" "$new/wheels"
    echo "${cuda_packages[*]}" >"$failed"
    say "pip failed: $(grep -m1 '^ERROR' "$log" || tail -n1 "$log")"
    say "no CUDA toolkit: $without"
  fi
}

# Installs Triton, whose compiler needs no GPU, for the Python that runs the tests. The folder is on
# no Python's path: torch.compile would find Triton in .venv and behave differently.
setup_triton() {
  local python version=3.9.0
  python=$(torch_python || command -v python3)
  [[ -d .triton/triton-$version.dist-info && $(cat .triton/python 2>/dev/null) == "$python" ]] && return
  if [[ ${1:-} != again && -e .triton/failed && $(<.triton/failed) == "$version $python" ]]; then
    say "no Triton: pip could not install it before (see .triton/pip.log; ./dev setup tries again); its" \
      "tests are skipped"
    return
  fi
  say "installing with pip into .triton: triton==$version (1 GB)"
  rm -rf .triton
  mkdir .triton
  if "$python" -m pip install --disable-pip-version-check --quiet --no-deps --target .triton \
    "triton==$version" >.triton/pip.log 2>&1; then
    echo "$python" >.triton/python
  else
    echo "$version $python" >.triton/failed
    say "pip failed: $(grep -m1 '^ERROR' .triton/pip.log || tail -n1 .triton/pip.log)"
    say "no Triton: its tests are skipped"
  fi
}

# setup_venv FOLDER PACKAGES LACKS TESTS AGAIN INSTALL...: makes a virtual environment in FOLDER, in which the function
# INSTALL installs PACKAGES with the pip that it gets. Without them, LACKS is missing, and TESTS are skipped. Only
# ./dev setup (AGAIN is "again") repeats a failed attempt.
setup_venv() {
  local folder=$1 wanted=$2 lacks=$3 tests=$4 again=$5
  shift 5
  local failed=$folder/failed log=$folder/pip.log
  [[ $(cat "$folder/packages" 2>/dev/null) == "$wanted" ]] && return
  if [[ $again != again && -e $failed && $(<"$failed") == "$wanted" ]]; then
    say "no $lacks: pip could not install it before (see $log; ./dev setup tries again); $tests are skipped"
    return
  fi
  say "installing with pip into $folder: $wanted"
  rm -rf "$folder"
  mkdir "$folder"
  if python3 -m venv "$folder" >"$log" 2>&1 &&
    "$@" "$folder/bin/pip" install --disable-pip-version-check --quiet >>"$log" 2>&1; then
    echo "$wanted" >"$folder/packages"
  else
    echo "$wanted" >"$failed"
    say "pip failed: $(grep -m1 '^ERROR' "$log" || tail -n1 "$log")"
    say "no $lacks: $tests are skipped"
  fi
}

# Installs a browser driver, a reader of workbooks, and axe, of whose wheel only the script is used,
# without dependencies. pip finds the newest selenium whose dependencies are available.
setup_browser() {
  local axe=axe-playwright-python==0.1.8
  install_browser() {
    "$@" 'selenium>=4.30,<5' 'openpyxl>=3,<4' && "$@" --no-deps "$axe"
  }
  setup_venv .browser "selenium openpyxl $axe" selenium "the tests of the HTML page" "${1:-}" install_browser
}

# Installs what takes the tables of traces: the packages of pyproject.toml's extras, and others that programs use
# with them.
setup_tables() {
  local wanted
  wanted=$(sed -nE 's/^(sql|mcp|fleet) = \[(.*)\]$/\2/p' pyproject.toml | tr -d '",' | tr ' ' '\n' | sort -u | tr '\n' ' ')
  wanted+="pandas==3.1.1 polars==2.1.0"
  install_tables() {
    # shellcheck disable=SC2086
    "$@" $wanted
  }
  setup_venv .tables "$wanted" pyarrow "the tests of tables" "${1:-}" install_tables
}

# Adds LLVM's own archive of Debian packages for a major and this release of the system.
add_llvm_archive() {
  local archive=https://apt.llvm.org keyring=/etc/apt/keyrings/llvm.asc codename key
  codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
  say "adding $archive to apt's sources, for LLVM $1"
  key=$(python3 -c 'import sys, urllib.request as u; print(u.urlopen(sys.argv[1], timeout=60).read().decode())' \
    "$archive/llvm-snapshot.gpg.key") || die "$archive was not reached"
  as_root mkdir -p "${keyring%/*}"
  as_root tee "$keyring" >/dev/null <<<"$key"
  as_root tee "/etc/apt/sources.list.d/llvm-$1.list" >/dev/null \
    <<<"deb [signed-by=$keyring] $archive/$codename/ llvm-toolchain-$codename-$1 main"
  as_root apt-get update -qq || die "apt-get update failed"
}
