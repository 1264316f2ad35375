# Finds the headers of a CUDA toolkit. Only headers are used: at run time Seamscope opens the
# libraries that the program has loaded.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Defines the interface target seamscope_cuda_headers (only include folders) and
#   SEAMSCOPE_CUDA_FOUND    whether there is a toolkit; without one there is no target
#   SEAMSCOPE_CUDA_ROOT     its folder, as clang's --cuda-path wants it
#   SEAMSCOPE_CUDA_VERSION  major.minor, and SEAMSCOPE_CUDA_MAJOR
option(SEAMSCOPE_CUDA "Build the parts that need the headers of a CUDA toolkit, if one is found" ON)
set(SEAMSCOPE_CUDA_PATH "" CACHE PATH
    "A CUDA toolkit; empty: $CUDA_HOME, .cuda in this folder (./dev setup), /usr/local/cuda")

set(SEAMSCOPE_CUDA_FOUND OFF)
set(SEAMSCOPE_CUDA_ROOT "")
set(SEAMSCOPE_CUDA_VERSION "")
set(SEAMSCOPE_CUDA_MAJOR "")

# Sets `missing` to the headers that the toolkit at `root` lacks, and `folders` to the folders of
# the headers that it has.
function(seamscope_look_for_cuda root missing folders)
  set(absent "")
  set(found "")
  foreach(header cuda.h cuda_runtime_api.h cupti.h nvtx3/nvToolsExt.h)
    set(folder "")
    # NVIDIA's own installers use a separate folder for CUPTI.
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
  message(STATUS "CUDA: off (SEAMSCOPE_CUDA); parts that need it are not built")
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
    message(FATAL_ERROR "SEAMSCOPE_CUDA_PATH=${root} lacks ${cuda_missing}; name a CUDA toolkit with "
                        "CUPTI and NVTX 3, or set SEAMSCOPE_CUDA=OFF")
  endif()
  message(STATUS "CUDA: ${root} lacks ${cuda_missing}")
endforeach()
if(NOT SEAMSCOPE_CUDA_ROOT)
  message(STATUS "CUDA: no toolkit found (./dev setup installs one); parts that need it are not built")
  return()
endif()

file(STRINGS ${SEAMSCOPE_CUDA_ROOT}/include/cuda.h cuda_version REGEX "^#define +CUDA_VERSION +[0-9]+")
string(REGEX MATCH "[0-9]+$" cuda_version "${cuda_version}")
if(NOT cuda_version)
  message(STATUS "CUDA: no CUDA_VERSION in ${SEAMSCOPE_CUDA_ROOT}/include/cuda.h; parts that need it "
                 "are not built")
  set(SEAMSCOPE_CUDA_ROOT "")
  return()
endif()
set(SEAMSCOPE_CUDA_FOUND ON)
math(EXPR SEAMSCOPE_CUDA_MAJOR "${cuda_version} / 1000")
math(EXPR cuda_minor "${cuda_version} % 1000 / 10")
set(SEAMSCOPE_CUDA_VERSION ${SEAMSCOPE_CUDA_MAJOR}.${cuda_minor})
add_library(seamscope_cuda_headers INTERFACE)
# SYSTEM suppresses warnings in these headers.
target_include_directories(seamscope_cuda_headers SYSTEM INTERFACE ${cuda_include})
message(STATUS "CUDA: ${SEAMSCOPE_CUDA_VERSION} in ${SEAMSCOPE_CUDA_ROOT}")
