# compile(target optimisation): `optimisation` in place of what the preset has, where nothing is checked;
# where that is asked for, folder by folder with the headers of libraries precompiled.
function(compile target optimisation)
    if(MPIAUDIT_CHECKED)
        set(optimisation "")
    endif()
    if(optimisation STREQUAL -Og)
        # With it GCC takes members of an empty std::optional for used ones.
        target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    endif()
    target_compile_options(${target} PRIVATE ${optimisation})
    # Some are also part of what applications load before the MPI library; one kind of code for all shares the
    # precompiled headers.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    if(MPIAUDIT_UNITY)
        compile_folders_at_once(${target})
        if(NOT optimisation STREQUAL -O1) # of which there is one, that needs no headers of its own
            read_library_headers_once(${target} "${optimisation}")
        endif()
    endif()
endfunction()

# Every folder of src is a room: a static library that sees the headers of the rooms that it links
# and no others, so that an include that points upwards does not compile. The headers of a room are
# found in a folder of the build that holds nothing but a link to it.

# What the sources of all rooms include, for targets that are made of these sources: the large units of the program and
# the simulation. MPI and hwloc are missing, because the simulator has an MPI of its own and needs no hwloc.
add_library(mpiaudit_all_rooms INTERFACE)
target_link_libraries(mpiaudit_all_rooms INTERFACE mpiaudit_flags)

# room(DISTRICT/NAME LINKS room... LIBRARIES library... UNTIMED): the library mpiaudit_NAME of src/DISTRICT/NAME.
#   LINKS      rooms whose headers it may include, of its own district or of the auditor
#   LIBRARIES  other libraries, for this room and for those that link it
#   PRIVATE    other libraries that only its own sources include
#   UNTIMED    nothing in it is ever timed: compiled with less optimisation, which is faster
#   OPTIMISED_BRIEFLY  timed, but nothing more than calls of what is: with -O1, which takes half of the time
function(room path)
    cmake_parse_arguments(PARSE_ARGV 1 R "UNTIMED;OPTIMISED_BRIEFLY" "" "LINKS;LIBRARIES;PRIVATE")
    cmake_path(GET path FILENAME name)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${path}/*.cpp)
    list(FILTER sources EXCLUDE REGEX "_smpi\\.cpp$")
    set(target mpiaudit_${name})
    add_library(${target} STATIC ${sources})
    # An audit needs no other product, and none of these another one.
    cmake_path(GET path PARENT_PATH district)
    set_property(TARGET ${target} PROPERTY DISTRICT ${district})
    foreach(link IN LISTS R_LINKS)
        get_target_property(other mpiaudit_${link} DISTRICT)
        if(NOT other STREQUAL district AND NOT other STREQUAL "auditor")
            message(FATAL_ERROR "${path} may not link ${other}/${link}: products link the auditor alone")
        endif()
    endforeach()
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/rooms/${name})
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${path} ${PROJECT_BINARY_DIR}/rooms/${name}/${name} SYMBOLIC)
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/rooms/${name}>)
    list(TRANSFORM R_LINKS PREPEND mpiaudit_ OUTPUT_VARIABLE rooms)
    target_link_libraries(${target} PUBLIC ${rooms} ${R_LIBRARIES}
                          PRIVATE $<BUILD_INTERFACE:mpiaudit_flags> $<BUILD_INTERFACE:mpiaudit_sanitizers>
                          ${R_PRIVATE})
    # For the simulator, and for large units of the program, all sources are compiled once more.
    set(libraries ${R_LIBRARIES} ${R_PRIVATE})
    list(REMOVE_ITEM libraries MPI::MPI_CXX mpiaudit_hwloc)
    target_include_directories(mpiaudit_all_rooms INTERFACE ${PROJECT_SOURCE_DIR}/src/${district})
    target_link_libraries(mpiaudit_all_rooms INTERFACE ${libraries})
    set_property(GLOBAL APPEND PROPERTY MPIAUDIT_SOURCES ${sources})
    set_property(GLOBAL PROPERTY MPIAUDIT_SOURCES_${name} ${sources})
    set(optimisation "")
    if(R_UNTIMED)
        set(optimisation -Og)
    elseif(R_OPTIMISED_BRIEFLY)
        set(optimisation -O1)
    endif()
    compile(${target} "${optimisation}")
endfunction()
