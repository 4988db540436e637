// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "application/recording.h"
#include "judge/verdict.h"

/// Judges whether an application is faster with settings of the library than without, from runs in
/// pairs.
namespace mpiaudit::proof {

/// The two times of a run.
struct Run {
    double collective_s = 0;  ///< in blocking collectives, mean over ranks
    double wall_s = 0;        ///< from MPI_Init to MPI_Finalize, on the slowest rank
};

/// Returns the times of a recorded run. Calls that the recording had no room for count as blocking.
Run run_of(const application::Recording& recording);

/// Judges one of the two times of a run: was it shorter with the settings?
class Question {
  public:
    Question(std::string_view what, double Run::*time, const judge::Rule& rule, std::uint64_t seed);

    void add(const Run& base, const Run& repaired);

    std::string_view what() const { return what_; }
    /// Returns the verdict on "base is no slower than repaired": `violated` shows that the
    /// settings help.
    judge::Verdict verdict() const { return process_.verdict(); }
    bool has_prospects(int last) const { return process_.has_prospects(last); }
    double median_base_s() const;
    double median_repaired_s() const;
    /// Returns the median over pairs of base / repaired.
    judge::MedianInterval ratio() const;
    /// Returns whether the repaired runs are slower: the 95 % interval of the ratio is below 1.
    bool is_slower() const;
    int won() const { return process_.slower(); }

  private:
    std::string_view what_;
    double Run::*time_;
    judge::EvidenceProcess process_;
    std::vector<double> base_s_, repaired_s_;
};

/// All pairs of runs so far, and the answer.
class Proof {
  public:
    Proof(double tolerance, double alpha, std::uint64_t seed);

    void add(const Run& base, const Run& repaired);

    int pairs() const { return pairs_; }
    const std::array<Question, 2>& questions() const { return questions_; }
    /// Returns whether further pairs cannot change the answer: both questions are decided or cannot
    /// be decided until pair `last`.
    bool is_settled(int last) const;
    /// Returns whether one of the two times is shown to be shorter.
    bool is_faster() const;
    /// Returns whether one of the two times is shown to be longer, and none to be shorter.
    bool is_slower() const;

  private:
    std::array<Question, 2> questions_;
    int pairs_ = 0;
};

/// Return the answer as text, and as JSON.
std::string in_words(const Question& question, double tolerance);
std::string proof_file(const Proof& proof, const std::string& settings, double tolerance,
                       double alpha, std::uint64_t seed);

}  // namespace mpiaudit::proof
