# compile_folders_at_once(target): what one folder of src holds, and the folders in it, becomes one
# translation unit, as do the files beside the folders, which takes less than half of the time that they take one by
# one, most of it templates of libraries.
function(compile_folders_at_once target)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    get_target_property(sources ${target} SOURCES)
    foreach(source IN LISTS sources)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
        cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/src OUTPUT_VARIABLE path)
        set(group program)
        if(path MATCHES "^[^/]+/([^/]+)/")
            set(group ${CMAKE_MATCH_1})
        endif()
        set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${group})
    endforeach()
endfunction()

# read_library_headers_once(target optimisation): what most folders include, precompiled. GCC 16 has options for the
# processor that follow from -O2, and takes no headers that were read with others: so once for each -O.
function(read_library_headers_once target optimisation)
    set(headers mpiaudit_library_headers${optimisation})
    if(NOT TARGET ${headers})
        file(WRITE ${PROJECT_BINARY_DIR}/library_headers${optimisation}.cpp "")
        add_library(${headers} OBJECT ${PROJECT_BINARY_DIR}/library_headers${optimisation}.cpp)
        set_target_properties(${headers} PROPERTIES POSITION_INDEPENDENT_CODE ON)
        target_compile_options(${headers} PRIVATE ${optimisation})
        target_link_libraries(${headers} PRIVATE mpiaudit_flags mpiaudit_sanitizers fmt::fmt)
        target_precompile_headers(${headers} PRIVATE
            <algorithm> <array> <filesystem> <functional> <map> <memory> <numeric> <optional> <set> <span>
            <stdexcept> <string> <string_view> <vector> <fmt/format.h> <fmt/ranges.h>)
    endif()
    # With the macros that they were read with, also where their library is not used.
    target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
    target_precompile_headers(${target} REUSE_FROM ${headers})
endfunction()
