// SPDX-License-Identifier: BSD-3-Clause
#include "operations/functions_by_name.h"

#include <dlfcn.h>

namespace mpiaudit {
namespace {

/// Returns the function with this name as one of type F. The library has the function.
template <class F>
F* function_as(const char* name) {
    return reinterpret_cast<F*>(function_by_name(name));
}

}  // namespace

AnyFunction function_by_name(const std::string& name) {
    // The recorder wraps functions that the library lacks, too.
    static const auto library_has =
        reinterpret_cast<bool (*)(const char*)>(dlsym(RTLD_DEFAULT, "mpiaudit_library_has"));
    if (library_has != nullptr && !library_has(name.c_str())) return nullptr;
    return reinterpret_cast<AnyFunction>(dlsym(RTLD_DEFAULT, name.c_str()));
}

NamedFunction persistent_function(std::string_view blocking) {
    const std::string name = std::string(blocking) + "_init";
    if (const AnyFunction found = function_by_name(name)) return {name, found};
    const std::string of_open_mpi_4 = "MPIX_" + name.substr(std::string_view("MPI_").size());
    if (const AnyFunction found = function_by_name(of_open_mpi_4)) return {of_open_mpi_4, found};
    return {name, nullptr};
}

NamedFunction large_count_function(std::string_view blocking) {
    const std::string name = std::string(blocking) + "_c";
    return {name, function_by_name(name)};
}

bool has_sessions() {
    // Open MPI 5.0 has functions of sessions, and says that it implements MPI 3.1.
    int major = 0, minor = 0;
    MPI_Get_version(&major, &minor);
    return major >= 4 && function_by_name("MPI_Session_init") != nullptr;
}

MpiSession::MpiSession(MPI_Errhandler handler) {
    function_as<int(MPI_Info, MPI_Errhandler, AnyHandle*)>("MPI_Session_init")(MPI_INFO_NULL,
                                                                               handler, &session_);
}

MpiSession::~MpiSession() {
    // State kept with MPI_COMM_WORLD is deleted during MPI_Finalize, when ending is too late.
    int is_too_late = 0;
    MPI_Finalized(&is_too_late);
    if (is_too_late != 0) return;
    function_as<int(AnyHandle*)>("MPI_Session_finalize")(&session_);
}

MPI_Group MpiSession::launched_ranks() const {
    MPI_Group group = MPI_GROUP_NULL;
    function_as<int(AnyHandle, const char*, MPI_Group*)>("MPI_Group_from_session_pset")(
        session_, "mpi://WORLD", &group);
    return group;
}

MPI_Comm comm_from_group(MPI_Group group, MPI_Errhandler handler) {
    MPI_Comm comm = MPI_COMM_NULL;
    function_as<int(MPI_Group, const char*, MPI_Info, MPI_Errhandler, MPI_Comm*)>(
        "MPI_Comm_create_from_group")(group, "mpiaudit", MPI_INFO_NULL, handler, &comm);
    return comm;
}

}  // namespace mpiaudit
