# Installs the library, and builds and runs a program outside of the tree with it.
# Arguments: BUILD, SOURCE, WORK, RANKS, MPIEXEC, NPROC_FLAG, OPTIONS (for the outer configuration).
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
run(${CMAKE_COMMAND} -S ${WORK}/outside -B ${WORK}/build -DCMAKE_PREFIX_PATH=${WORK}/prefix ${OPTIONS})
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${MPIEXEC} ${NPROC_FLAG} ${RANKS} ${WORK}/build/gatherv)
run(${WORK}/prefix/bin/mpiaudit list distributions)
