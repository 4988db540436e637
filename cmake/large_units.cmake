# The program of a build without tests comes from a few large translation units instead of one for each room, because
# rooms share headers and templates of libraries: the units take three fifths of the processor time of the rooms. The
# units of auditor and checker alone make a program that audits, target audit-program. Tests, installed libraries and what
# applications load link rooms.

# unit(NAME OPTIMISATION room...): the object library mpiaudit_unit_NAME, one translation unit of the sources of the
# rooms.
function(unit name optimisation)
    set(target mpiaudit_unit_${name})
    set(includes "")
    set(own_units "")
    foreach(room IN LISTS ARGN)
        get_property(sources GLOBAL PROPERTY MPIAUDIT_SOURCES_${room})
        foreach(source IN LISTS sources)
            get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
            if(definitions)
                list(APPEND own_units ${source})
            else()
                string(APPEND includes "#include \"${source}\"\n")
            endif()
        endforeach()
    endforeach()
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/units/${name}.cpp CONTENT "${includes}")
    add_library(${target} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/units/${name}.cpp ${own_units})
    target_link_libraries(${target} PRIVATE mpiaudit_all_rooms MPI::MPI_CXX mpiaudit_hwloc)
    target_compile_options(${target} PRIVATE ${optimisation})
    # Names of one room may shadow names of another room here. Builds with tests, room by room, have warnings.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON MPIAUDIT_UNWARNED ON)
    if(NOT optimisation STREQUAL -O1) # as in compile()
        read_library_headers_once(${target} "${optimisation}")
    endif()
endfunction()

# program_of_units(TARGET UNITS unit... DEFINITIONS definition...): the executable TARGET with its own commands.
function(program_of_units target)
    cmake_parse_arguments(PARSE_ARGV 1 P "" "" "UNITS;DEFINITIONS")
    add_executable(${target} src/main.cpp src/commands.cpp src/printed.cpp)
    foreach(name IN LISTS P_UNITS)
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:mpiaudit_unit_${name}>)
    endforeach()
    target_compile_definitions(${target} PRIVATE ${P_DEFINITIONS})
    target_link_libraries(${target} PRIVATE mpiaudit_all_rooms MPI::MPI_CXX mpiaudit_hwloc)
    target_compile_options(${target} PRIVATE -Og)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD ON)
endfunction()

# A unit has less than 2 GB of memory of the compiler. The longest units come first, because Ninja starts units in this
# order and the last ones decide when the program is there.
set(checker "")
set(joined_to_first "")
if(MPIAUDIT_CHECKER)
    set(checker calls c_program search)
    set(joined_to_first MPIAUDIT_CHECKER)
endif()
unit(measurement "" random judge trace memory device types simulation problem timing comparison cost measure)
unit(settings -Og text files guard causes known_faults operations settings mpi application guidelines machine options)
unit(report -Og record repeat code report answer screens)
unit(audit -Og plan audit ${checker})
unit(catalogue -O1 catalogue)
unit(messages "" messages collectives algorithms)
set(units measurement settings report audit catalogue messages)
program_of_units(audit-program UNITS ${units} DEFINITIONS ${joined_to_first})
set_target_properties(audit-program PROPERTIES OUTPUT_NAME mpiaudit EXCLUDE_FROM_ALL ON
                      RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/audit-program)
if(MPIAUDIT_LOOP)
    unit(loop -Og recording proof repair commands)
    list(APPEND units loop)
endif()
if(MPIAUDIT_PAPERS)
    unit(papers_untimed -Og network schedule)
    unit(papers "" grid zero_copy optimal_trees tables)
    list(APPEND units papers_untimed papers)
endif()
program_of_units(mpiaudit UNITS ${units} DEFINITIONS ${PRODUCTS})
