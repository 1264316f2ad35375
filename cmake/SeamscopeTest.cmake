# seamscope_add_unit_test(NAME [THREADS] SOURCES file... [LIBRARIES lib...] [TIMEOUT seconds])
#
# Adds a GoogleTest program with the main of gtest_main. Each case is a separate ctest test,
# "NAME.Suite.Case", so that it can run alone and a crash costs one result. THREADS: the code under
# test uses several threads; the target `threaded-tests` builds only these programs and `ctest -L
# threads` runs them. The target `unit-tests` builds all of them, without the tool and the wrappers,
# which lit tests run.
find_package(GTest QUIET)
if(NOT GTest_FOUND)
  message(WARNING "GoogleTest not found: the unit tests are not built. Install libgtest-dev to build them")
endif()
include(GoogleTest)

function(seamscope_add_unit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "THREADS" "TIMEOUT" "SOURCES;LIBRARIES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "seamscope_add_unit_test(${name}): SOURCES missing, or unknown arguments: "
                        "${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT GTest_FOUND)
    return()
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gtest GTest::gtest_main)
  # Compile fast: tests are compiled more often than run.
  target_compile_options(${name} PRIVATE -Wall -Wextra -O0 -g1)
  target_precompile_headers(${name} PRIVATE <gtest/gtest.h>)
  # Not in bin/, which mirrors the installed files.
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  if(NOT TARGET unit-tests)
    add_custom_target(unit-tests)
  endif()
  add_dependencies(unit-tests ${name})
  set(labels "")
  if(arg_THREADS)
    set(labels LABELS threads)
    if(NOT TARGET threaded-tests)
      add_custom_target(threaded-tests)
    endif()
    add_dependencies(threaded-tests ${name})
  endif()
  gtest_discover_tests(${name} TEST_PREFIX ${name}. DISCOVERY_MODE PRE_TEST
                       DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT ${arg_TIMEOUT} ${labels})
  set_property(GLOBAL APPEND PROPERTY SEAMSCOPE_UNIT_TESTS ${name})
endfunction()
