# Installs the library, and builds and runs a program outside of the tree with it.
# Arguments: BUILD, SOURCE, WORK, RANKS, MPIEXEC, NPROC_FLAG, OPTIONS and GENERATOR (for the outer configuration).
function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT code EQUAL 0)
        message(FATAL_ERROR "${ARGN}\nfailed (${code}):\n${output}")
    endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/outside)
file(COPY ${SOURCE}/gatherv.cpp DESTINATION ${WORK}/outside)
configure_file(${SOURCE}/project.cmake.in ${WORK}/outside/CMakeLists.txt COPYONLY)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${WORK}/outside -B ${WORK}/build -DCMAKE_PREFIX_PATH=${WORK}/prefix ${OPTIONS})
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${MPIEXEC} ${NPROC_FLAG} ${RANKS} ${WORK}/build/gatherv)
run(${WORK}/prefix/bin/mpiaudit list distributions)
# The analysis and the jobs find each other there, from any folder.
run(${CMAKE_COMMAND} -E chdir ${WORK}/outside ${WORK}/prefix/bin/mpiaudit-report --version)
run(${CMAKE_COMMAND} -E chdir ${WORK}/outside ${WORK}/prefix/bin/mpiaudit-report table
    ${SOURCE}/../../results/reference/simulated-table-1)
run(${CMAKE_COMMAND} -E chdir ${WORK}/outside ${WORK}/prefix/bin/mpiaudit-slurm submit --name night
    --nodes 1,2 --ppn 2 --dry-run)
execute_process(COMMAND ${WORK}/prefix/bin/mpiaudit-slurm status WORKING_DIRECTORY ${WORK}/outside
                RESULT_VARIABLE code ERROR_VARIABLE output)
if(NOT code EQUAL 2 OR NOT output MATCHES "mpiaudit-slurm: .*outside/results: no audits there")
    message(FATAL_ERROR "mpiaudit-slurm status: ${output}")
endif()
foreach(file IN ITEMS man/man1/mpiaudit.1 bash-completion/completions/mpiaudit)
    file(STRINGS ${WORK}/prefix/share/${file} found REGEX "budget" LIMIT_COUNT 1)
    if(NOT found)
        message(FATAL_ERROR "${file} does not know the options")
    endif()
endforeach()
if(NOT EXISTS ${WORK}/prefix/share/doc/mpiaudit/docs/README.md)
    message(FATAL_ERROR "the documents are not installed")
endif()
