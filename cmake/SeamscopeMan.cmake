# Builds man pages from docs/man/NAME.md, which are also documentation to read directly.
find_package(Python3 QUIET COMPONENTS Interpreter)
if(NOT Python3_Interpreter_FOUND)
  message(STATUS "Python 3 not found: the man pages are not built")
  return()
endif()

set(man_pages "")
file(GLOB pages ${PROJECT_SOURCE_DIR}/docs/man/*.md)
foreach(page IN LISTS pages)
  get_filename_component(name ${page} NAME_WE)
  set(output ${PROJECT_BINARY_DIR}/share/man/man1/${name}.1)
  add_custom_command(
    OUTPUT ${output}
    COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/cmake/markdown-to-man.py
            --version ${PROJECT_VERSION} ${page} ${output}
    DEPENDS ${page} ${PROJECT_SOURCE_DIR}/cmake/markdown-to-man.py
    COMMENT "Man page ${name}(1)" VERBATIM)
  list(APPEND man_pages ${output})
endforeach()
if(man_pages)
  add_custom_target(seamscope-man ALL DEPENDS ${man_pages})
  if(SEAMSCOPE_INSTALL)
    install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  endif()
endif()
