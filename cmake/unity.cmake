# compile_folders_at_once(target): what one folder of src holds, and the folders in it, becomes one
# translation unit, which takes less than half of the time that its files take one by one, most of
# it templates of libraries.
function(compile_folders_at_once target)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    get_target_property(sources ${target} SOURCES)
    foreach(source IN LISTS sources)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
        cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/src OUTPUT_VARIABLE path)
        if(path MATCHES "^([^/]+)/")
            set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${CMAKE_MATCH_1})
        endif()
    endforeach()
endfunction()
