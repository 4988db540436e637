# Programs for every library with one binary interface of MPI, on every Linux with glibc from 2.34 on: of
# packaging/binary-archive, which sets these variables.
set(MPIAUDIT_PORTABLE "" CACHE STRING "The names of the MPI libraries that the programs run with: libmpi.so.12;libmpich.so.12")
set(MPIAUDIT_INTERFACE "" CACHE STRING "The name of their binary interface, for 'mpiaudit --version': mpich")
set(MPIAUDIT_MPI_HEADERS "" CACHE PATH "The folder of their mpi.h")
if(NOT MPIAUDIT_PORTABLE)
    return()
endif()

# No MPI library is linked: functions and handles are found when the program starts.
add_library(MPI::MPI_CXX INTERFACE IMPORTED)
target_include_directories(MPI::MPI_CXX INTERFACE ${MPIAUDIT_MPI_HEADERS})
target_compile_definitions(MPI::MPI_CXX INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)

# carry_libraries(TARGET MAP): a shared library that needs no library but MPI and glibc, and exports what the map says.
function(carry_libraries target map)
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/packaging/program/newer_glibc.cpp)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${map})
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc LINKER:--version-script=${map})
endfunction()

# add_portable_program(NAME SOURCE LIBRARY): a library with the whole program, and a program that loads the MPI library
# and this one. A shared library, other than a program, may leave functions to be found.
function(add_portable_program name source library)
    set(folder ${PROJECT_SOURCE_DIR}/packaging/program)
    add_library(${name}_whole SHARED ${source})
    set_target_properties(${name}_whole PROPERTIES OUTPUT_NAME ${name}-program LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
    target_link_libraries(${name}_whole PRIVATE ${library})
    carry_libraries(${name}_whole ${folder}/exports.map)
    list(JOIN MPIAUDIT_PORTABLE "\", \"" names)
    add_executable(${name} ${folder}/start.cpp)
    target_compile_definitions(${name} PRIVATE "MPIAUDIT_LIBRARY_NAMES=\"${names}\"")
    target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc)
    target_link_libraries(${name} PRIVATE mpiaudit_flags ${CMAKE_DL_LIBS})
    add_dependencies(${name} ${name}_whole)
endfunction()
