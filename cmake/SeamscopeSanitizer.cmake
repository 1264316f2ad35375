# SEAMSCOPE_SANITIZER builds runtime, tools and unit tests under one sanitizer. The plugins and the
# lit tests are not part of such a build: clang and Python would have to load it.
set(SEAMSCOPE_SANITIZER "" CACHE STRING "address, undefined or thread; empty for none")
set_property(CACHE SEAMSCOPE_SANITIZER PROPERTY STRINGS "" address undefined thread)

# SEAMSCOPE_FUZZ builds the fuzzers of test/fuzz, and all that they link, for libFuzzer.
option(SEAMSCOPE_FUZZ "Build the fuzzers instead of the tests" OFF)
if(SEAMSCOPE_FUZZ)
  if(SEAMSCOPE_SANITIZER)
    message(FATAL_ERROR "SEAMSCOPE_FUZZ has sanitizers of its own: leave SEAMSCOPE_SANITIZER empty")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

if(SEAMSCOPE_SANITIZER)
  if(NOT SEAMSCOPE_SANITIZER MATCHES "^(address|undefined|thread)$")
    message(FATAL_ERROR "SEAMSCOPE_SANITIZER is '${SEAMSCOPE_SANITIZER}': address, undefined or thread")
  endif()
  add_compile_options(-fsanitize=${SEAMSCOPE_SANITIZER} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SEAMSCOPE_SANITIZER})
  if(SEAMSCOPE_SANITIZER STREQUAL "undefined")
    # A finding must fail the test that meets it.
    add_compile_options(-fno-sanitize-recover=all)
  endif()
endif()
