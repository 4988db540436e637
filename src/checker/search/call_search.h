// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "calls/generated_call.h"
#include "calls/known_faults.h"
#include "calls/properties.h"
#include "calls/search.h"
#include "mpi/environment.h"
#include "mpi/part_of_launch.h"
#include "options/options.h"
#include "record/audit_record.h"

namespace mpiaudit {

/// A longer generated call hangs, unless --hang-after is given; seconds.
inline constexpr double hang_of_generated_call_s = 30;

/// While this object lives, MPI functions return errors instead of ending the program.
class ReturnedErrors {
  public:
    ReturnedErrors();
    ~ReturnedErrors();
    ReturnedErrors(const ReturnedErrors&) = delete;
    ReturnedErrors& operator=(const ReturnedErrors&) = delete;

  private:
    static std::array<MPI_Comm, 2> comms() { return {audited_ranks(), MPI_COMM_SELF}; }
    std::array<MPI_Errhandler, 2> handlers_{};
};

/// Returns the indices in mpi_operations of the operations with these names, as --collectives takes
/// them; of all operations if there are no names. Throws UsageError for an unknown name.
std::vector<std::uint8_t> operations_of(const std::vector<std::string>& names);

/// Notes the call during which a launch ended, which becomes the suspect. The first launch that the
/// suspect ends alone confirms the fault; the second one confirms the simplest call of the fault,
/// which becomes a finding. Throws std::invalid_argument if the text is no call.
void take_incident(record::GeneratedCalls& state, const record::Incident& incident);

/// Returns the known faults of the library, from the file that rank 0 reads. Collective.
std::vector<calls::KnownFault> known_faults_of_library();

/// The circumstances of a search, alike on every rank.
struct SearchConditions {
    std::vector<std::uint8_t> operations;  ///< indices in mpi_operations
    std::optional<double> hang_limit_s;    ///< of --hang-after
    /// Of this version of the library, alike on every rank.
    std::vector<calls::KnownFault> known_faults;
    bool skips_known = true;  ///< makes no calls that are known to end the launch (--known)
    /// An audit does not look for the simplest call of a crash any longer than this; seconds.
    std::optional<double> limit_of_audit_s;
};

/// Generates calls, checks them, and keeps the simplest call of each fault. Needs ReturnedErrors.
/// Collective over audited_ranks().
class CallSearch {
  public:
    using Save = std::function<void(const record::GeneratedCalls&)>;
    /// \param state of earlier launches, alike on every rank
    /// \param save keeps the state where the next launch finds it; empty on ranks other than 0
    CallSearch(SearchConditions conditions, record::GeneratedCalls state, Save save);

    /// Generates calls until all launches together have spent this time or made so many calls. An
    /// audit also ends when calls have had all pairs. Throws Interrupted.
    /// \param most_calls 0: any number
    void run(double time_s, int most_calls = 0);
    /// Checks a call and adds its fault, if it has one, in its simplest form.
    void examine(const calls::ChosenCall& call, std::uint64_t random);

    const record::GeneratedCalls& state() const { return state_; }
    const calls::Setting& setting() const { return setting_; }

  private:
    struct Known {
        calls::ChosenCall simplest, origin;
    };

    calls::ChosenCall generated(std::uint64_t number);
    bool is_over(double time_s, int most_calls) const;
    void give_up();
    double seconds() const;
    void examine_suspect();
    std::optional<Fault> attempt_alone(const calls::ChosenCall& call);
    void simplify_suspect();
    calls::ChosenCall simplest_of_suspect(std::optional<Fault>& last);
    void add_finding(record::CallFinding finding);
    void count_known(const calls::ChosenCall& call);
    std::optional<calls::ChosenCall> without_known_faults(calls::ChosenCall call,
                                                          std::uint64_t random) const;
    bool is_right_alone(const calls::ChosenCall& call, std::uint64_t random);
    void remark_on(const calls::ChosenCall& call, const Fault& fault);
    const calls::KnownFault* known_fault_of(const calls::ChosenCall& call) const;
    const calls::KnownFault* reason_to_leave_out(const calls::ChosenCall& call) const;
    std::optional<Fault> attempt(const calls::ChosenCall& call, std::uint64_t random);
    double suspicion_s() const;
    void save();

    SearchConditions conditions_;
    calls::Setting setting_;
    calls::PairCoverage coverage_;
    calls::Groups groups_;
    record::GeneratedCalls state_;
    std::vector<Known> known_;  ///< the calls of state_.findings
    std::set<std::string> remarks_;
    Save save_;
    double start_s_;  ///< of all launches together
    double saved_s_ = 0;
};

/// Returns the record of a call with this fault.
record::CallFinding finding_of(const calls::ChosenCall& simplest, const calls::ChosenCall& origin,
                               std::string what);

/// `verify --check-calls` and `verify --call`: checks generated calls, and reports the simplest
/// call of each fault.
int verify_calls(const RunOptions& options, const Environment& environment);

}  // namespace mpiaudit
