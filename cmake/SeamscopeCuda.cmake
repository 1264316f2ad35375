# Finds the headers of a CUDA toolkit. Only headers are used: what needs CUDA at run time opens the
# libraries that the program has loaded.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Gives the interface target seamscope_cuda_headers (include folders alone) and
#   SEAMSCOPE_CUDA_FOUND    whether there is a toolkit; without it there is no target
#   SEAMSCOPE_CUDA_ROOT     its folder, as clang's --cuda-path wants it
#   SEAMSCOPE_CUDA_VERSION  major.minor, and SEAMSCOPE_CUDA_MAJOR
option(SEAMSCOPE_CUDA "Build what needs the headers of a CUDA toolkit, where there is one" ON)
set(SEAMSCOPE_CUDA_PATH "" CACHE PATH
    "A CUDA toolkit; empty: $CUDA_HOME, .cuda of this folder (./dev setup), /usr/local/cuda")

set(SEAMSCOPE_CUDA_FOUND OFF)
set(SEAMSCOPE_CUDA_ROOT "")
set(SEAMSCOPE_CUDA_VERSION "")
set(SEAMSCOPE_CUDA_MAJOR "")

# Sets `missing` to the headers that the toolkit at `root` lacks, and `folders` to where the others are.
function(seamscope_look_for_cuda root missing folders)
  set(absent "")
  set(found "")
  foreach(header cuda.h cuda_runtime_api.h cupti.h nvtx3/nvToolsExt.h)
    set(folder "")
    # NVIDIA's own installers put CUPTI into a folder of its own.
    foreach(candidate include extras/CUPTI/include)
      if(NOT folder AND EXISTS ${root}/${candidate}/${header})
        set(folder ${root}/${candidate})
      endif()
    endforeach()
    if(folder)
      list(APPEND found ${folder})
    else()
      list(APPEND absent ${header})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES found)
  set(${missing} "${absent}" PARENT_SCOPE)
  set(${folders} "${found}" PARENT_SCOPE)
endfunction()

if(NOT SEAMSCOPE_CUDA)
  message(STATUS "CUDA: off (SEAMSCOPE_CUDA); what needs it is not built")
  return()
endif()

set(cuda_include "")
foreach(root "${SEAMSCOPE_CUDA_PATH}" "$ENV{CUDA_HOME}" "${PROJECT_SOURCE_DIR}/.cuda" /usr/local/cuda)
  if(NOT IS_DIRECTORY "${root}" AND NOT (root AND root STREQUAL SEAMSCOPE_CUDA_PATH))
    continue()
  endif()
  seamscope_look_for_cuda("${root}" cuda_missing cuda_include)
  if(NOT cuda_missing)
    get_filename_component(SEAMSCOPE_CUDA_ROOT "${root}" ABSOLUTE)
    break()
  endif()
  list(JOIN cuda_missing ", " cuda_missing)
  if(root STREQUAL SEAMSCOPE_CUDA_PATH)
    message(FATAL_ERROR "SEAMSCOPE_CUDA_PATH=${root} has no ${cuda_missing}; name a CUDA toolkit with "
                        "CUPTI and NVTX 3, or set SEAMSCOPE_CUDA=OFF")
  endif()
  message(STATUS "CUDA: ${root} has no ${cuda_missing}")
endforeach()
if(NOT SEAMSCOPE_CUDA_ROOT)
  message(STATUS "CUDA: no toolkit (./dev setup brings one); what needs it is not built")
  return()
endif()

file(STRINGS ${SEAMSCOPE_CUDA_ROOT}/include/cuda.h cuda_version REGEX "^#define +CUDA_VERSION +[0-9]+")
string(REGEX MATCH "[0-9]+$" cuda_version "${cuda_version}")
if(NOT cuda_version)
  message(STATUS "CUDA: ${SEAMSCOPE_CUDA_ROOT}/include/cuda.h does not tell its version; what needs it "
                 "is not built")
  set(SEAMSCOPE_CUDA_ROOT "")
  return()
endif()
set(SEAMSCOPE_CUDA_FOUND ON)
math(EXPR SEAMSCOPE_CUDA_MAJOR "${cuda_version} / 1000")
math(EXPR cuda_minor "${cuda_version} % 1000 / 10")
set(SEAMSCOPE_CUDA_VERSION ${SEAMSCOPE_CUDA_MAJOR}.${cuda_minor})
add_library(seamscope_cuda_headers INTERFACE)
# SYSTEM: the warnings of these headers are not ours.
target_include_directories(seamscope_cuda_headers SYSTEM INTERFACE ${cuda_include})
message(STATUS "CUDA: ${SEAMSCOPE_CUDA_VERSION} in ${SEAMSCOPE_CUDA_ROOT}")
