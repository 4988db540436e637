# The same sources a third time, for the simulator SimGrid: smpirun loads the module and runs all
# ranks in one process. No FindMPI: it knows one library per build, and smpicxx would force macros
# for exit, malloc and sleep on every header.
find_program(SMPIRUN smpirun)
find_path(SMPI_INCLUDE_DIR smpi/mpi.h)
find_library(SIMGRID_LIBRARY simgrid)
if(NOT (SMPIRUN AND SMPI_INCLUDE_DIR AND SIMGRID_LIBRARY))
    message(STATUS "No simulated clusters: SimGrid is not installed (Debian: libsimgrid-dev)")
    return()
endif()

# What differs under the simulator stands beside the file that it replaces, as NAME_smpi.cpp.
get_property(SMPI_SOURCES GLOBAL PROPERTY MPIAUDIT_SOURCES)
file(GLOB_RECURSE REPLACEMENTS CONFIGURE_DEPENDS src/*_smpi.cpp)
list(TRANSFORM REPLACEMENTS REPLACE "_smpi\\.cpp$" ".cpp" OUTPUT_VARIABLE REPLACED)
list(REMOVE_ITEM SMPI_SOURCES ${REPLACED})
list(APPEND SMPI_SOURCES ${REPLACEMENTS} src/commands.cpp src/main.cpp src/printed.cpp)
add_library(mpiaudit-smpi MODULE EXCLUDE_FROM_ALL ${SMPI_SOURCES})
set_target_properties(mpiaudit-smpi PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
# Nothing here is timed by a real clock, so it is compiled as fast as may be.
compile_folders_at_once(mpiaudit-smpi)
target_include_directories(mpiaudit-smpi BEFORE PRIVATE ${SMPI_INCLUDE_DIR}/smpi)
target_compile_options(mpiaudit-smpi PRIVATE -Og)
target_compile_definitions(mpiaudit-smpi PRIVATE ${PRODUCTS})
read_library_headers_once(mpiaudit-smpi -Og)
target_link_libraries(mpiaudit-smpi PRIVATE mpiaudit_all_rooms ${SIMGRID_LIBRARY})
target_link_options(mpiaudit-smpi PRIVATE -Wl,-z,defs)

add_library(cluster-platform MODULE EXCLUDE_FROM_ALL jobs/platforms/cluster.cpp)
set_target_properties(cluster-platform PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_link_libraries(cluster-platform PRIVATE mpiaudit_flags ${SIMGRID_LIBRARY})
