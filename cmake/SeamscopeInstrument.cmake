# The target seamscope::instrument: targets that link it are instrumented.

# seamscope_check_compilers(MAJORS RESULT REASON)
#
# Sets RESULT to whether the project's C or C++ compiler is a clang of one of MAJORS; if not, sets
# REASON to a sentence that says so.
function(seamscope_check_compilers majors result reason)
  set(${result} FALSE PARENT_SCOPE)
  set(found "")
  foreach(language CXX C)
    if(NOT CMAKE_${language}_COMPILER_ID)
      continue()
    endif()
    set(version ${CMAKE_${language}_COMPILER_VERSION})
    string(REGEX MATCH "^[0-9]+" major "${version}")
    if(CMAKE_${language}_COMPILER_ID STREQUAL "Clang" AND major IN_LIST majors)
      set(${result} TRUE PARENT_SCOPE)
      return()
    endif()
    list(APPEND found "${CMAKE_${language}_COMPILER_ID} ${version}")
  endforeach()
  list(REMOVE_DUPLICATES found)
  list(JOIN found " and " found)
  list(JOIN majors " or " wanted)
  set(${reason} "seamscope::instrument needs clang ${wanted}, but this project is compiled by ${found}. "
      PARENT_SCOPE)
endfunction()

# seamscope_add_instrument(TARGET LIBRARY_DIR LINE_TABLES MAJORS)
#
# Adds the options that instrument a target to the interface library TARGET, with the plugins
# SeamscopePass-<major>.so in LIBRARY_DIR. LINE_TABLES is a clang configuration file with
# -gline-tables-only.
function(seamscope_add_instrument target library_dir line_tables majors)

  set(any "")
  foreach(major IN LISTS majors)
    math(EXPR next "${major} + 1")
    set(plugin "${library_dir}/SeamscopePass-${major}.so")
    foreach(language C CXX)
      set(version "$<VERSION_GREATER_EQUAL:$<${language}_COMPILER_VERSION>,${major}>")
      string(APPEND version ",$<VERSION_LESS:$<${language}_COMPILER_VERSION>,${next}>")
      set(compiles "$<AND:$<COMPILE_LANG_AND_ID:${language},Clang>,${version}>")
      target_compile_options(${target} INTERFACE
        "$<${compiles}:-fpass-plugin=${plugin}>" "$<${compiles}:--config=${line_tables}>")
      list(APPEND any "$<AND:$<${language}_COMPILER_ID:Clang>,${version}>")
    endforeach()
  endforeach()

  # If no plugin fits the compiler, the error message is the name of a target that does not exist.
  list(JOIN majors " or " wanted)
  string(JOIN "," any ${any})
  target_link_libraries(${target} INTERFACE seamscope::runtime
    "$<$<NOT:$<OR:${any}>>:seamscope::instrument needs clang ${wanted}>")

  target_link_options(${target} INTERFACE "LINKER:-rpath,${library_dir}")
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  foreach(language CXX C)
    if(NOT language IN_LIST languages)
      continue()
    endif()
    include(CheckLinkerFlag)
    # Drops the table entries of functions that --gc-sections drops.
    check_linker_flag(${language} "LINKER:-z,start-stop-gc" SEAMSCOPE_LINKER_HAS_START_STOP_GC)
    if(SEAMSCOPE_LINKER_HAS_START_STOP_GC)
      target_link_options(${target} INTERFACE "LINKER:-z,start-stop-gc")
    endif()
    # With link-time optimisation lld runs the pass; otherwise the option has no effect.
    string(REGEX MATCH "^[0-9]+" major "${CMAKE_${language}_COMPILER_VERSION}")
    set(plugin "${library_dir}/SeamscopePass-${major}.so")
    if(major IN_LIST majors)
      check_linker_flag(${language} "LINKER:--load-pass-plugin=${plugin}"
                        SEAMSCOPE_LINKER_LOADS_PASS_PLUGIN)
      if(SEAMSCOPE_LINKER_LOADS_PASS_PLUGIN)
        target_link_options(${target} INTERFACE "LINKER:--load-pass-plugin=${plugin}")
      endif()
    endif()
    break()
  endforeach()
endfunction()
