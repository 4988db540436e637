# Runs a verification. Arguments: COMMAND, a list; KNOWN: what is known to be wrong in the library, a
# regular expression of the operation, or empty. Anything else that is wrong is a failure.
execute_process(COMMAND ${COMMAND} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)
set(unknown "${output}")
if(KNOWN)
    string(REGEX REPLACE "WRONG ${KNOWN}\\(m\\) [^\n]*\n" "" unknown "${output}")
    if(code EQUAL 3 AND NOT unknown STREQUAL output)
        set(code 0)
    endif()
endif()
if(NOT code EQUAL 0 OR unknown MATCHES "WRONG" OR NOT output MATCHES " runs verified, ")
    message(FATAL_ERROR "exit code ${code}\n${output}${errors}")
endif()
