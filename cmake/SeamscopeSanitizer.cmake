# SEAMSCOPE_SANITIZER builds runtime, tools and unit tests under one or two sanitizers. The plugins
# and the lit tests are not part of such a build: clang and Python would have to load it.
set(SEAMSCOPE_SANITIZER "" CACHE STRING
    "address, undefined, address,undefined or thread; empty for none")
set_property(CACHE SEAMSCOPE_SANITIZER PROPERTY STRINGS
             "" address undefined address,undefined thread)

# SEAMSCOPE_FUZZ adds the fuzzers of test/fuzz. An input is only as telling as the sanitizers.
option(SEAMSCOPE_FUZZ "Build the fuzzers too" OFF)
if(SEAMSCOPE_FUZZ AND NOT SEAMSCOPE_SANITIZER STREQUAL "address,undefined")
  message(FATAL_ERROR "SEAMSCOPE_FUZZ needs SEAMSCOPE_SANITIZER=address,undefined")
endif()

if(SEAMSCOPE_SANITIZER)
  if(NOT SEAMSCOPE_SANITIZER MATCHES "^(address|undefined|address,undefined|thread)$")
    message(FATAL_ERROR "SEAMSCOPE_SANITIZER is '${SEAMSCOPE_SANITIZER}': address, undefined, "
                        "address,undefined or thread")
  endif()
  add_compile_options(-fsanitize=${SEAMSCOPE_SANITIZER} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SEAMSCOPE_SANITIZER})
  if(SEAMSCOPE_SANITIZER MATCHES "undefined")
    # A finding must fail the test that meets it.
    add_compile_options(-fno-sanitize-recover=all)
  endif()
endif()

# seamscope_count_coverage(target...): libFuzzer is to see where these go.
function(seamscope_count_coverage)
  if(SEAMSCOPE_FUZZ)
    foreach(target IN LISTS ARGN)
      target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endforeach()
  endif()
endfunction()
