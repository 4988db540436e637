# Libraries that are loaded before the MPI library and stand between it and an application: their
# wrappers follow from one table of signatures.

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             ${PROJECT_SOURCE_DIR}/src/loop/interposition/signatures.txt)

# Functions with counts of MPI_Count came with MPI-4.
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_CXX)
check_cxx_source_compiles("#include <mpi.h>
    int main() { return &MPI_Gatherv_c == nullptr; }" MPIAUDIT_HAS_LARGE_COUNTS)
unset(CMAKE_REQUIRED_LIBRARIES)

# expand_function(TEMPLATE, FUNCTION, NAME, SHAPE, MODE, PARAMETERS): the template with these in it, appended to
# `wrappers`. ARGUMENTS are the names of the parameters; ASSIGNMENTS put those that Arguments has into `arguments`.
macro(expand_function template function name shape mode parameters)
    set(FUNCTION ${function})
    set(NAME ${name})
    set(SHAPE ${shape})
    set(MODE ${mode})
    set(PARAMETERS "${parameters}")
    string(REGEX REPLACE "[^,]*[ *]([a-z]+)(,|$)" "\\1\\2 " ARGUMENTS "${PARAMETERS}")
    string(STRIP "${ARGUMENTS}" ARGUMENTS)
    string(REGEX MATCHALL "[a-z]+" names "${ARGUMENTS}")
    set(ASSIGNMENTS "")
    foreach(each IN LISTS names)
        if(NOT each MATCHES "^(info|request)$")
            string(APPEND ASSIGNMENTS "    arguments.${each} = ${each};\n")
        endif()
    endforeach()
    string(CONFIGURE "${template}" expanded @ONLY)
    string(APPEND wrappers "${expanded}")
endmacro()

# expand_signatures(TEMPLATE OUTPUT MODES mode...): writes the wrappers of all collectives in these modes.
function(expand_signatures template output)
    cmake_parse_arguments(PARSE_ARGV 2 E "" "" "MODES")
    file(READ ${template} text)
    file(STRINGS ${PROJECT_SOURCE_DIR}/src/loop/interposition/signatures.txt rows REGEX "^[a-z]")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${template})
    set(suffixes "int")
    if(MPIAUDIT_HAS_LARGE_COUNTS)
        list(APPEND suffixes large)
    endif()
    set(wrappers "// From ${template}.\n#include <mpi.h>\n#if defined(OPEN_MPI)\n#include <mpi-ext.h>\n#endif\n")
    foreach(row IN LISTS rows)
        string(REGEX MATCH "^([a-z_]+) +([A-Za-z_]+)\\((.*)\\)$" matched "${row}")
        if(NOT matched)
            message(FATAL_ERROR "signatures.txt: '${row}' is no shape with a signature")
        endif()
        set(shape ${CMAKE_MATCH_1})
        set(name ${CMAKE_MATCH_2})
        set(signature "${CMAKE_MATCH_3}")
        string(SUBSTRING ${name} 0 1 first)
        string(SUBSTRING ${name} 1 -1 others)
        string(TOLOWER ${first} first)
        foreach(size IN LISTS suffixes)
            set(large "")
            set(parameters "${signature}")
            if(size STREQUAL "large")
                if(NOT signature MATCHES "COUNT")
                    continue()
                endif()
                set(large _c)
                string(REPLACE "COUNT" "MPI_Count" parameters "${parameters}")
                string(REPLACE "DISPLACEMENT" "MPI_Aint" parameters "${parameters}")
            endif()
            string(REPLACE "COUNT" "int" parameters "${parameters}")
            string(REPLACE "DISPLACEMENT" "int" parameters "${parameters}")
            if("blocking" IN_LIST E_MODES)
                expand_function("${text}" MPI_${name}${large} ${name} ${shape} blocking "${parameters}")
            endif()
            if("nonblocking" IN_LIST E_MODES)
                expand_function("${text}" MPI_I${first}${others}${large} ${name} ${shape} nonblocking
                                "${parameters}, MPI_Request* request")
            endif()
            if("persistent" IN_LIST E_MODES AND MPIAUDIT_HAS_MPI4_PERSISTENT)
                expand_function("${text}" MPI_${name}_init${large} ${name} ${shape} persistent
                                "${parameters}, MPI_Info info, MPI_Request* request")
            elseif("persistent" IN_LIST E_MODES AND MPIAUDIT_HAS_MPIX_PERSISTENT)
                expand_function("${text}" MPIX_${name}_init ${name} ${shape} persistent
                                "${parameters}, MPI_Info info, MPI_Request* request")
            endif()
        endforeach()
    endforeach()
    file(CONFIGURE OUTPUT ${output} CONTENT "${wrappers}" @ONLY)
endfunction()

# preload_library(NAME FOLDER LINKS room... MODES mode... [SEEN mode...]): libmpiaudit-NAME.so of src/loop/FOLDER with
# wrapper.cpp.in expanded, in the modes behind SEEN with seen_wrapper.cpp.in.
# Only MPI's names are seen from outside, so that nothing of ours takes the place of something of the application's.
function(preload_library name folder)
    cmake_parse_arguments(PARSE_ARGV 2 L "" "" "LINKS;MODES;SEEN")
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/loop/${folder}/*.cpp
         ${PROJECT_SOURCE_DIR}/src/loop/interposition/*.cpp)
    set(expanded ${PROJECT_BINARY_DIR}/interposition/${folder}_wrappers.cpp)
    expand_signatures(${PROJECT_SOURCE_DIR}/src/loop/${folder}/wrapper.cpp.in ${expanded} MODES ${L_MODES})
    if(L_SEEN)
        list(APPEND expanded ${PROJECT_BINARY_DIR}/interposition/${folder}_seen_wrappers.cpp)
        expand_signatures(${PROJECT_SOURCE_DIR}/src/loop/${folder}/seen_wrapper.cpp.in
                          ${PROJECT_BINARY_DIR}/interposition/${folder}_seen_wrappers.cpp MODES ${L_SEEN})
    endif()
    add_library(mpiaudit_preload_${name} SHARED ${sources} ${expanded})
    set_target_properties(mpiaudit_preload_${name} PROPERTIES OUTPUT_NAME mpiaudit-${name}
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
        # At once, so that what each call passes through is inlined: 30 ns of 90.
        UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0
        LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/interposition.map)
    foreach(room IN ITEMS ${folder} interposition)
        target_include_directories(mpiaudit_preload_${name} PRIVATE ${PROJECT_BINARY_DIR}/rooms/${room})
        file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/rooms/${room})
        file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/loop/${room} ${PROJECT_BINARY_DIR}/rooms/${room}/${room} SYMBOLIC)
    endforeach()
    list(TRANSFORM L_LINKS PREPEND mpiaudit_ OUTPUT_VARIABLE rooms)
    target_link_libraries(mpiaudit_preload_${name} PRIVATE mpiaudit_flags mpiaudit_sanitizers ${rooms} MPI::MPI_CXX ${CMAKE_DL_LIBS})
    # Between the clock and the application nothing is debugged: optimised in every build but those with sanitizers.
    if(NOT MPIAUDIT_CHECKED)
        target_compile_options(mpiaudit_preload_${name} PRIVATE -O2)
    endif()
    target_link_options(mpiaudit_preload_${name} PRIVATE
        LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/interposition.map)
endfunction()
