# Runs a verification. Arguments: COMMAND, a list; EXCEPT: a regular expression of operations that are
# known to be wrong in the library and are left out, or empty; MPIAUDIT, the program, for their names.
if(EXCEPT)
    execute_process(COMMAND ${MPIAUDIT} list collectives OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "\n  [A-Za-z0-9_]+" operations "\n${listing}")
    list(TRANSFORM operations STRIP)
    list(FILTER operations EXCLUDE REGEX "${EXCEPT}")
    list(JOIN operations "," operations)
    list(APPEND COMMAND --collectives=${operations})
endif()
execute_process(COMMAND ${COMMAND} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)
if(NOT code EQUAL 0 OR output MATCHES "WRONG" OR NOT output MATCHES " runs verified, ")
    message(FATAL_ERROR "exit code ${code}\n${output}${errors}")
endif()
