# SEAMSCOPE_SANITIZER builds runtime, tools and unit tests under one or two sanitizers. Such a build
# does not include the plugins and lit tests: clang and Python would have to load the sanitizer's
# runtime.
set(SEAMSCOPE_SANITIZER "" CACHE STRING
    "address, undefined, address,undefined or thread; empty for none")
set_property(CACHE SEAMSCOPE_SANITIZER PROPERTY STRINGS
             "" address undefined address,undefined thread)

# SEAMSCOPE_FUZZ adds the fuzzers of test/fuzz. They need sanitizers to detect errors.
option(SEAMSCOPE_FUZZ "Build the fuzzers too" OFF)
if(SEAMSCOPE_FUZZ AND NOT SEAMSCOPE_SANITIZER STREQUAL "address,undefined")
  message(FATAL_ERROR "SEAMSCOPE_FUZZ needs SEAMSCOPE_SANITIZER=address,undefined")
endif()

if(SEAMSCOPE_SANITIZER)
  if(NOT SEAMSCOPE_SANITIZER MATCHES "^(address|undefined|address,undefined|thread)$")
    message(FATAL_ERROR "SEAMSCOPE_SANITIZER is '${SEAMSCOPE_SANITIZER}', not address, undefined, "
                        "address,undefined or thread")
  endif()
  add_compile_options(-fsanitize=${SEAMSCOPE_SANITIZER} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SEAMSCOPE_SANITIZER})
  if(SEAMSCOPE_SANITIZER MATCHES "undefined")
    # A finding must fail the test.
    add_compile_options(-fno-sanitize-recover=all)
  endif()
endif()

# seamscope_count_coverage(target...): makes libFuzzer measure the coverage of these targets.
function(seamscope_count_coverage)
  if(SEAMSCOPE_FUZZ)
    foreach(target IN LISTS ARGN)
      target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endforeach()
  endif()
endfunction()
