# SPDX-License-Identifier: BSD-3-Clause
"""Writes C++ with a wrapper for every function of MPI that may move data: the memory of the imitated device
is accessible during the call.

wrappers.py OUTPUT COMPILER OPTION...: asks the compiler, with these options, for the functions in mpi.h.
"""

import re
import subprocess
import sys

INCLUDES = "#include <mpi.h>\n#if defined(OPEN_MPI)\n#include <mpi-ext.h>\n#endif\n"
FUNCTION = re.compile(r"\bint\s+(MPIX?_[A-Z]\w+)\s*\(([^()]*)\)")
# The address, count and datatype of a buffer.
BUFFER = re.compile(r"void\s*\*\s*(\w*buf\w*)\s*,\s*int\s+(\w+)\s*,\s*MPI_Datatype\s+(\w+)\s*(?=,|$)")
# Functions without one of these parameters move no data and wait for nobody.
MOVES_DATA = re.compile(r"buf|MPI_Request|MPI_Comm\b|MPI_Win|MPI_File")
# A function that does not return, and one that imitation.cpp defines.
NOT_WRAPPED = {"MPI_Abort", "MPI_Comm_get_info"}
HEAD = f"""// Written by wrappers.py.
#include <dlfcn.h>
{INCLUDES}
#include "imitation.h"

namespace {{

/// Returns the function of this name in the libraries that were loaded after this one.
template <class F>
F* next(F*, const char* name) {{
    return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}}

class Open {{
  public:
    Open() {{ if (library_has_access()) open_device_memory(); }}
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;
    ~Open() {{ if (library_has_access()) close_device_memory(); }}
}};

}}  // namespace
"""


def name_of(parameter):
    """The name of a parameter of a declaration."""
    return re.findall(r"\w+", re.sub(r"\[.*", "", parameter))[-1]


def wrapper(function, parameters):
    names = "" if parameters.strip() == "void" else ", ".join(map(name_of, parameters.split(",")))
    looks = "".join(f'\n    look_at_buffer("{function}", {", ".join(buffer)});'
                    for buffer in BUFFER.findall(parameters))
    return f"""
extern "C" int {function}({" ".join(parameters.split())}) {{
    static auto* const of_library = next(&{function}, "{function}");{looks}
    const Open open;
    return of_library({names});
}}
"""


def main():
    output, compiler, *options = sys.argv[1:]
    text = subprocess.run([compiler, "-E", "-x", "c", *options, "-"], input=INCLUDES, capture_output=True,
                          text=True, check=True).stdout
    functions = {}
    for function, parameters in FUNCTION.findall(text):
        moves = MOVES_DATA.search(parameters) or function == "MPI_Finalize"
        if moves and "..." not in parameters and function not in NOT_WRAPPED:
            functions[function] = parameters
    with open(output, "w", encoding="utf-8") as file:
        file.write(HEAD)
        for function, parameters in sorted(functions.items()):
            file.write(wrapper(function, parameters))


main()
