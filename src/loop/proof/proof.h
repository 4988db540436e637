// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "judge/verdict.h"

/// Whether an application is faster with rules than without: runs of both, in pairs.
namespace mpiaudit::proof {

/// What a run of the application took, as libmpiaudit-repair.so writes it.
struct Run {
    double collective_s = 0;       ///< in blocking collectives, over ranks
    double wall_s = 0;             ///< from MPI_Init to MPI_Finalize, of the slowest rank
    std::int64_t calls = 0;        ///< that took another path
    std::int64_t differences = 0;  ///< results that were not the library's, in mode verify
};

/// Throws std::invalid_argument that names the file and what is wrong.
Run parse_run(const std::string& text, const std::string& origin);

/// One of the two times, judged.
class Question {
  public:
    Question(std::string_view what, double Run::*time, const judge::Rule& rule, std::uint64_t seed);

    void add(const Run& base, const Run& repaired);

    std::string_view what() const { return what_; }
    /// `violated` says that the base is slower, which is what is to be proved.
    judge::Verdict verdict() const { return process_.verdict(); }
    bool has_prospects(int last) const { return process_.has_prospects(last); }
    double median_base_s() const;
    double median_repaired_s() const;
    /// Of base / repaired over pairs.
    judge::MedianInterval ratio() const;
    /// Whether the repaired runs are slower: the 95 % interval of the ratio lies below 1.
    bool is_slower() const;
    int won() const { return process_.slower(); }

  private:
    std::string_view what_;
    double Run::*time_;
    judge::EvidenceProcess process_;
    std::vector<double> base_s_, repaired_s_;
};

/// The pairs so far, and what follows from them.
class Proof {
  public:
    /// \param has_settings whether the repaired runs have something else than rules, too
    Proof(double tolerance, double alpha, std::uint64_t seed, bool has_settings);

    void add(const Run& base, const Run& repaired);

    int pairs() const { return pairs_; }
    /// Calls of a repaired run that took another path.
    std::int64_t calls() const { return calls_; }
    const std::array<Question, 2>& questions() const { return questions_; }
    /// Whether there is a reason for any difference: calls on another path, or settings.
    bool can_be_faster() const { return has_settings_ || calls_ > 0; }
    /// Whether further pairs would not change the answer: both questions are decided or without
    /// prospects until the pair `last`, or nothing can be faster.
    bool is_settled(int last) const;
    /// Whether any of the two times is shown to be shorter. Never where nothing can be.
    bool is_faster() const;
    /// Whether one of the two times is shown to be longer, and none to be shorter.
    bool is_slower() const;

  private:
    std::array<Question, 2> questions_;
    int pairs_ = 0;
    std::int64_t calls_ = 0;
    bool has_settings_;
};

/// In words, and as JSON.
std::string in_words(const Question& question, double tolerance);
std::string proof_file(const Proof& proof, const std::string& rules, double tolerance, double alpha,
                       std::uint64_t seed);

}  // namespace mpiaudit::proof
