// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "error_message.h"
#include "record/json_form.h"
#include "record/json_members.h"
#include "record/samples_file.h"
#include "report/small_audit.h"

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class SessionTest : public testing::Test {
  protected:
    SessionTest() { std::filesystem::remove_all(folder_); }
    ~SessionTest() override { std::filesystem::remove_all(folder_); }

    void leave_note(int rank, const std::string& operation, const std::string& clearness) const {
        std::ofstream(folder_ + "/incident-" + std::to_string(rank))
            << "same/b=1\n" + operation + "\nhangs: ...\n" + clearness + "\n";
    }
    /// Returns the operations of known incidents at the begin of a session, unclear ones with a
    /// "?".
    std::vector<std::string> known(bool resume = true) const {
        RunOptions options;
        options.resume = resume;
        const Session session(folder_, options, audit_header());
        std::vector<std::string> names;
        for (const record::Incident& each : session.audit().incidents)
            names.push_back(each.operation + (each.is_unclear ? "?" : ""));
        return names;
    }

    std::string folder_ = testing::TempDir() + "session_test";
};

TEST_F(SessionTest, AHangThatMayBeALostHostIsBlamedTheSecondTime) {
    EXPECT_THAT(known(false), ElementsAre());
    leave_note(0, "A", "unclear");
    leave_note(1, "A", "unclear");  // in the same session
    EXPECT_THAT(known(), ElementsAre("A?"));
    leave_note(1, "B", "unclear");
    EXPECT_THAT(known(), ElementsAre("A?", "B?"));
    leave_note(0, "A", "unclear");
    EXPECT_THAT(known(), ElementsAre("A?", "B?", "A"));
    EXPECT_THAT(known(), ElementsAre("A?", "B?", "A"));
    leave_note(0, "C", "clear");  // at once
    EXPECT_THAT(known(), ElementsAre("A?", "B?", "A", "C"));
}

TEST_F(SessionTest, ANoteSaysTheKindOfItsFault) {
    EXPECT_THAT(known(false), ElementsAre());
    leave_note(0, "A", "clear\ncrashes");
    leave_note(1, "B", "clear");  // of a version that left no kind
    leave_note(2, "C", "clear\nanything");
    const std::vector<record::Incident> notes = noted_incidents(folder_);
    ASSERT_EQ(notes.size(), 3U);
    EXPECT_EQ(notes[0].what, (Fault{FaultKind::crashes, "hangs: ..."}));
    EXPECT_EQ(notes[1].what, (Fault{FaultKind::hangs, "hangs: ..."}));
    EXPECT_EQ(notes[2].what, (Fault{FaultKind::hangs, "hangs: ..."}));
}

/// Tries to go on with an audit that recorded `value` for an option that is gone; its default is
/// "one".
std::string error_of_resuming(const std::string& folder, const std::string& value) {
    std::filesystem::remove_all(folder);
    record::Header earlier = audit_header();
    set_option(earlier.options, "groups", value);
    set_option(earlier.default_options, "groups", std::string("one"));
    { const Session begun(folder, {}, earlier); }
    RunOptions options;
    options.resume = true;
    return error_message([&] { const Session resumed(folder, options, audit_header()); });
}

TEST_F(SessionTest, AnOptionThatIsGoneMustHaveHadItsDefault) {
    EXPECT_EQ(error_of_resuming(folder_, "one"), "");
    EXPECT_THAT(error_of_resuming(folder_, "all"), HasSubstr("an option --groups that this"));
}

TEST(DefaultFolder, IsNewHoweverManyAuditsBeginInOneSecond) {
    const auto before = std::filesystem::current_path();
    const auto place = std::filesystem::path(testing::TempDir()) / "mpiaudit-default-folder";
    std::filesystem::remove_all(place);
    std::filesystem::create_directories(place);
    std::filesystem::current_path(place);
    for (int audit = 0; audit < 20; ++audit) {
        const std::string folder = default_folder();
        EXPECT_FALSE(std::filesystem::exists(folder)) << folder;
        std::filesystem::create_directories(folder);
    }
    std::filesystem::current_path(before);
    std::filesystem::remove_all(place);
}

using nlohmann::json;
using testing::StartsWith;

/// Returns a line with commands as lists of words, which files before version 2 do not have, and
/// with the kinds of reasons, which files before version 2.3 do not have.
json in_new_form(json line) {
    for (const char* place : {"/job/launcher", "/simulation/start"}) {
        const json::json_pointer command(place);
        if (line.contains(command) && line.at(command).is_string())
            line.at(command) = CommandLine::of(line.at(command).get<std::string>()).words;
    }
    if (!line.contains("contestants")) return line;
    for (json& each : line.at("contestants")) {
        const char* const faulty = each.contains("known_to_fail") ? "skipped" : "wrong";
        if (each.contains("skipped"))
            each["reason_kind"] =
                reason_names[reason_of_old_text(each.at("skipped").get<std::string>()).kind];
        if (each.contains("known_to_fail") || each.contains("wrong"))
            each["fault"] = fault_names[fault_of_old_text(each.at(faulty).get<std::string>()).kind];
    }
    return line;
}

/// Expects that each line of a file is the same after reading and writing.
void expect_the_same_again(const std::string& path) {
    std::ifstream file(path);
    record::Header header;
    int number = 0;
    for (std::string text; std::getline(file, text);) {
        const json line = in_new_form(json::parse(text));
        const std::string kind = record::kind_of(line);
        json again;
        if (kind == "header") {
            header = record::header_of(line);
            again = record::line_of(header);
        } else if (kind == "problem") {
            again = record::line_of(record::problem_of(line, header));
        } else {
            again = record::line_of(record::end_of(line));
        }
        ++number;
        if (again.dump() != line.dump())
            ADD_FAILURE() << path << ":" << number << json::diff(line, again);
    }
}

TEST(JsonForm, ReadLinesAreWrittenUnchanged) {
    expect_the_same_again(SOURCE_DIR "/tests/data/samples.jsonl");
    // Parts of kept audits: together they have all members that each version has written.
    int files = 0;
    for (const auto& each : std::filesystem::directory_iterator(SOURCE_DIR "/tests/data/samples")) {
        expect_the_same_again(each.path());
        ++files;
    }
    EXPECT_EQ(files, 9);
}

TEST(JsonForm, EmptyValuesHaveNoKey) {
    const json line = record::line_of(
        problem_record("same", {contestant("A", {}), skipped_contestant("B", "why")}));
    for (const char* key :
         {"samples_s", "forced", "skipped", "wrong", "predicted_s", "lower_bound_s",
          "first_call_bytes", "further_call_bytes", "lost_bytes", "loss_unknown", "call_bytes"})
        EXPECT_FALSE(line.at("contestants").at(0).contains(key)) << key;
    EXPECT_EQ(line.at("contestants").at(1).at("skipped"), "why");
    for (const char* key : {"window", "young_heap", "continued"})
        EXPECT_FALSE(line.contains(key)) << key;
    const json header = record::line_of(audit_header());
    for (const char* key : {"simulation", "cost_model", "confirms"})
        EXPECT_FALSE(header.contains(key)) << key;
    EXPECT_EQ(header.at("job"), json::object());
}

TEST(JsonForm, AFaultIsItsWordsAndItsKind) {
    record::ContestantDescription known = skipped_contestant("B", "is known");
    known.known_to_fail = Fault{FaultKind::crashes, "is known"};
    known.skipped = Reason{ReasonKind::known_to_fail, "is known"};
    for (const auto& [kind, name] : fault_names.entries) {
        const Fault fault{kind, "hangs: so it seems"};
        json line = record::line_of(record::Incident{"same/b=1", "A", fault});
        EXPECT_EQ(line.at("what"), fault.text);
        EXPECT_EQ(line.at("fault"), name);
        EXPECT_EQ(record::incident_of(line).what, fault);
        const record::Incident incident = record::incident_of(line);
        EXPECT_EQ(unpacked<record::Incident>(packed(incident)).what, fault);
        line.erase("fault");  // as in files before version 2.3
        EXPECT_EQ(record::incident_of(line).what, fault_of_old_text(fault.text));

        record::ContestantDescription wrong = contestant("A", {});
        wrong.wrong = fault;
        for (const record::ContestantDescription& each : {wrong, known}) {
            const json object = each;
            const auto read = read_members<record::ContestantDescription>(LocatedJson(object));
            EXPECT_EQ(read.wrong, each.wrong);
            EXPECT_EQ(read.skipped, each.skipped);
            EXPECT_EQ(read.known_to_fail, each.known_to_fail);
            EXPECT_EQ(object, json(read));
        }
    }
    const json line = record::line_of(record::Incident{"same/b=1", "A", {}});
    json other = line;
    other["fault"] = "bad";
    EXPECT_THAT(error_message<std::invalid_argument>([&] { record::incident_of(other); }),
                StartsWith("fault must be one of wrong value, "));
}

TEST(JsonForm, ValuesOfOptionsKeepTheirTypes) {
    const OptionValues options = {{"a", std::monostate{}},
                                  {"b", true},
                                  {"c", std::uint64_t{18446744073709551615U}},
                                  {"d", 0.0},
                                  {"e", "text"},
                                  {"f", std::vector<std::string>{}},
                                  {"g", std::vector<std::string>{"x", "y"}}};
    record::Header header = audit_header();
    header.default_options = options;
    const json line = record::line_of(header);
    EXPECT_EQ(line.at("default_options").dump(),
              R"({"a":null,"b":true,"c":18446744073709551615,"d":0.0,"e":"text","f":[],)"
              R"("g":["x","y"]})");
    EXPECT_EQ(record::header_of(line).default_options, options);
}

std::string refusal_of_version(const json& version) {
    json line = record::line_of(audit_header());
    line["schema_version"] = version;
    return error_message([&] { record::header_of(line); });
}

TEST(JsonForm, AnotherMajorVersionOfTheSchemaIsRefused) {
    EXPECT_EQ(refusal_of_version("1.0"), "");
    EXPECT_EQ(refusal_of_version("1.12"), "");
    EXPECT_EQ(refusal_of_version("2.0"), "");
    EXPECT_EQ(refusal_of_version("3.0"),
              "schema_version is 3.0, this version of mpiaudit reads 1.x and 2.x: use the one that "
              "made the audit");
    for (const char* other : {"1", "", "1.", "10.0", "11", "x"})
        EXPECT_THAT(refusal_of_version(other), StartsWith("schema_version is ")) << other;
    EXPECT_EQ(refusal_of_version(1.0), "schema_version must be a string, is a number");
}

}  // namespace
}  // namespace mpiaudit
