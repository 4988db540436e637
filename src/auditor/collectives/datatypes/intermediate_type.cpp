// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/datatypes/intermediate_type.h"

#include <algorithm>
#include <limits>

#include "collectives/datatypes/layout.h"

namespace mpiaudit {
namespace {

void append(std::vector<SignatureRun>& runs, const SignatureRun& run) {
    if (!runs.empty() && runs.back().basic == run.basic)
        runs.back().count += run.count;
    else
        runs.push_back(run);
}

/// The pairs for MPI_MINLOC and MPI_MAXLOC are predefined, but their signature has two entries.
std::vector<SignatureRun> predefined_runs(MPI_Datatype type) {
    if (type == MPI_2INT) return {{MPI_INT, 2}};
    if (type == MPI_FLOAT_INT) return {{MPI_FLOAT, 1}, {MPI_INT, 1}};
    if (type == MPI_DOUBLE_INT) return {{MPI_DOUBLE, 1}, {MPI_INT, 1}};
    if (type == MPI_LONG_INT) return {{MPI_LONG, 1}, {MPI_INT, 1}};
    if (type == MPI_SHORT_INT) return {{MPI_SHORT, 1}, {MPI_INT, 1}};
    if (type == MPI_LONG_DOUBLE_INT) return {{MPI_LONG_DOUBLE, 1}, {MPI_INT, 1}};
    if (type == MPI_2REAL) return {{MPI_REAL, 2}};
    if (type == MPI_2DOUBLE_PRECISION) return {{MPI_DOUBLE_PRECISION, 2}};
    if (type == MPI_2INTEGER) return {{MPI_INTEGER, 2}};
    return {{type, 1}};
}

void append_power(std::vector<SignatureRun>& runs, const Signature& signature, std::int64_t power) {
    if (signature.period.size() == 1) {
        append(runs, {signature.period[0].basic, signature.repetitions * power});
        return;
    }
    for (std::int64_t i = 0; i < signature.repetitions * power; ++i)
        for (const SignatureRun& run : signature.period) append(runs, run);
}

/// A struct of several types: the signatures of its members one after the other. Powers of one
/// period stay a power, so that only a struct of truly different members is written out.
Signature struct_signature(const TypeContents& contents) {
    std::vector<std::pair<Signature, int>> members;
    for (std::size_t i = 0; i < contents.types.size(); ++i)
        if (contents.integers[i + 1] > 0) {
            Signature member = type_signature(contents.types[i]);
            if (!member.period.empty())
                members.emplace_back(std::move(member), contents.integers[i + 1]);
        }
    if (members.empty()) return {};
    Signature signature{members[0].first.period, 0};
    const bool has_one_period = std::ranges::all_of(
        members, [&](const auto& member) { return member.first.period == signature.period; });
    std::vector<SignatureRun> runs;
    for (const auto& [member, block_length] : members) {
        signature.repetitions += member.repetitions * block_length;
        if (!has_one_period) append_power(runs, member, block_length);
    }
    return has_one_period ? signature : primitive_signature(std::move(runs));
}

/// The smallest q such that the first q runs repeated give all of them, by the failure function of
/// Knuth, Morris and Pratt.
std::size_t smallest_period(const std::vector<SignatureRun>& runs) {
    std::vector<std::size_t> border(runs.size(), 0);
    for (std::size_t i = 1, matched = 0; i < runs.size(); ++i) {
        while (matched > 0 && runs[i] != runs[matched]) matched = border[matched - 1];
        if (runs[i] == runs[matched]) ++matched;
        border[i] = matched;
    }
    const std::size_t period = runs.size() - border.back();
    return runs.size() % period == 0 ? period : runs.size();
}

/// A committed datatype of the runs without gaps. Its extent is set, for MPI may round that of a
/// struct up to an alignment.
OwnedDatatype packed_type(const std::vector<SignatureRun>& period) {
    std::vector<int> counts;
    std::vector<MPI_Aint> displacements;
    std::vector<MPI_Datatype> basics;
    std::vector<OwnedDatatype> long_runs;
    MPI_Aint bytes = 0;
    for (const SignatureRun& run : period) {
        const std::int64_t basic_bytes = type_bytes(run.basic);
        const bool is_long = run.count > std::numeric_limits<int>::max();
        if (is_long) long_runs.push_back(long_contiguous_type(run.count, run.basic, basic_bytes));
        counts.push_back(is_long ? 1 : static_cast<int>(run.count));
        basics.push_back(is_long ? long_runs.back().get() : run.basic);
        displacements.push_back(bytes);
        bytes += run.count * basic_bytes;
    }
    MPI_Datatype runs = MPI_DATATYPE_NULL, packed = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(static_cast<int>(period.size()), counts.data(), displacements.data(),
                           basics.data(), &runs);
    const OwnedDatatype owned_runs(runs);
    MPI_Type_create_resized(runs, 0, bytes, &packed);
    MPI_Type_commit(&packed);
    return OwnedDatatype(packed);
}

}  // namespace

Signature primitive_signature(std::vector<SignatureRun> runs) {
    if (runs.empty()) return {};
    if (runs.size() == 1) return {{{runs[0].basic, 1}}, runs[0].count};
    // When the first and the last run have the same basic type, they merge where a power repeats
    // its base. Rotating the first run to the end makes all joints alike; a rotation is a power of
    // the rotated base.
    const SignatureRun first = runs.front();
    const bool is_rotated = first.basic == runs.back().basic;
    if (is_rotated) {
        runs.back().count += first.count;
        runs.erase(runs.begin());
    }
    const std::size_t period = smallest_period(runs);
    const auto repetitions = static_cast<std::int64_t>(runs.size() / period);
    runs.resize(period);
    if (is_rotated) {
        runs.back().count -= first.count;
        runs.insert(runs.begin(), first);
    }
    return {std::move(runs), repetitions};
}

Signature type_signature(MPI_Datatype type) {
    const TypeContents contents(type);
    if (contents.is_predefined()) return primitive_signature(predefined_runs(type));
    if (contents.types.size() != 1) return struct_signature(contents);
    // Every constructor over one datatype repeats it; where to does not matter here, and how often
    // follows from the sizes, for vectors, indexed types, subarrays and distributed arrays alike.
    Signature signature = type_signature(contents.types[0]);
    const std::int64_t element_bytes = type_bytes(contents.types[0]);
    const std::int64_t bytes = type_bytes(type);
    if (bytes == 0 || element_bytes == 0) return {};
    signature.repetitions *= bytes / element_bytes;
    return signature;
}

IntermediateType::IntermediateType(MPI_Datatype user_type) {
    const Signature signature = type_signature(user_type);
    if (signature.period.empty()) return;
    if (signature.period.size() == 1) {
        block_ = signature.period[0].basic;
    } else {
        owned_type_ = packed_type(signature.period);
        block_ = owned_type_.get();
    }
    block_bytes_ = type_bytes(block_);
}

TypedBuffer IntermediateType::buffer(void* address, std::int64_t bytes) const {
    const bool fits = bytes % block_bytes_ == 0;
    const std::int64_t element_bytes = fits ? block_bytes_ : 1;
    const MPI_Datatype element = fits ? block_ : MPI_BYTE;
    const std::int64_t count = bytes / element_bytes;
    if (count <= std::numeric_limits<int>::max())
        return {address, static_cast<int>(count), element};
    OwnedDatatype long_type = long_contiguous_type(count, element, element_bytes);
    const MPI_Datatype type = long_type.get();
    return {address, 1, type, std::move(long_type)};
}

OwnedDatatype long_contiguous_type(std::int64_t count, MPI_Datatype element,
                                   std::int64_t element_bytes) {
    constexpr std::int64_t chunk = 1 << 30;
    const auto rest = static_cast<int>(count % chunk);
    MPI_Datatype chunk_type = MPI_DATATYPE_NULL, chunks = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(static_cast<int>(chunk), element, &chunk_type);
    const OwnedDatatype owned_chunk(chunk_type);
    MPI_Type_contiguous(static_cast<int>(count / chunk), chunk_type, &chunks);
    const OwnedDatatype owned_chunks(chunks);
    const int counts[] = {1, rest};
    const MPI_Aint displacements[] = {0, static_cast<MPI_Aint>((count - rest) * element_bytes)};
    const MPI_Datatype types[] = {chunks, element};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, counts, displacements, types, &type);
    MPI_Type_commit(&type);
    return OwnedDatatype(type);
}

}  // namespace mpiaudit
