# Builds and installs what users need: the CMake package, seamscope.pc, man pages, documents. The
# build tree has the same layout, so it can serve as an install prefix.
include(CMakePackageConfigHelpers)
include(SeamscopeInstrument)

set(SEAMSCOPE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Seamscope)
set(package_build_dir ${PROJECT_BINARY_DIR}/${SEAMSCOPE_PACKAGE_DIR})
set(SEAMSCOPE_PACKAGE_MAJORS "")
if(SEAMSCOPE_BUILD_PASSES)
  set(SEAMSCOPE_PACKAGE_MAJORS ${SEAMSCOPE_BUILT_LLVM_MAJORS})
endif()

configure_package_config_file(
  cmake/SeamscopeConfig.cmake.in ${package_build_dir}/SeamscopeConfig.cmake
  INSTALL_DESTINATION ${SEAMSCOPE_PACKAGE_DIR} PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${package_build_dir}/SeamscopeConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
foreach(file SeamscopeInstrument.cmake line-tables.cfg)
  configure_file(cmake/${file} ${package_build_dir}/${file} COPYONLY)
endforeach()
# The path from the folder of the .pc file to the prefix.
file(RELATIVE_PATH SEAMSCOPE_PREFIX_FROM_PC /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
set(SEAMSCOPE_PC_PLUGINS "")
foreach(major IN LISTS SEAMSCOPE_PACKAGE_MAJORS)
  string(APPEND SEAMSCOPE_PC_PLUGINS "plugin_${major}=\${libdir}/SeamscopePass-${major}.so\n")
endforeach()
configure_file(cmake/seamscope.pc.in
               ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/seamscope.pc @ONLY)

if(TARGET seamscope)
  set(exported seamscope)
  if(TARGET seamscope-mlir)
    list(APPEND exported seamscope-mlir)
  endif()
  export(TARGETS ${exported} NAMESPACE seamscope::
         FILE ${package_build_dir}/SeamscopeTargets.cmake)
  # For projects that include Seamscope with add_subdirectory.
  if(SEAMSCOPE_PACKAGE_MAJORS)
    add_library(seamscope-instrument INTERFACE)
    add_library(seamscope::instrument ALIAS seamscope-instrument)
    seamscope_add_instrument(seamscope-instrument "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}"
                             "${PROJECT_SOURCE_DIR}/cmake/line-tables.cfg"
                             "${SEAMSCOPE_PACKAGE_MAJORS}")
    # Link the plugin before compiling its users. Ninja makes a compilation wait only for the inputs
    # of a library that it depends on; a custom target makes it wait for the plugin.
    list(TRANSFORM SEAMSCOPE_PACKAGE_MAJORS PREPEND SeamscopePass- OUTPUT_VARIABLE plugins)
    add_custom_target(seamscope-plugins DEPENDS ${plugins})
    add_dependencies(seamscope-instrument seamscope-plugins)
  endif()
endif()

include(SeamscopeMan)

if(NOT SEAMSCOPE_INSTALL)
  return()
endif()
if(TARGET seamscope)
  install(EXPORT SeamscopeTargets NAMESPACE seamscope:: DESTINATION ${SEAMSCOPE_PACKAGE_DIR})
  install(FILES ${package_build_dir}/SeamscopeConfig.cmake
                ${package_build_dir}/SeamscopeConfigVersion.cmake
                ${package_build_dir}/SeamscopeInstrument.cmake
                ${package_build_dir}/line-tables.cfg
          DESTINATION ${SEAMSCOPE_PACKAGE_DIR})
  install(FILES ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/seamscope.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
install(FILES LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/seamscope)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/seamscope FILES_MATCHING
        PATTERN "*.md" PATTERN "*.json")
