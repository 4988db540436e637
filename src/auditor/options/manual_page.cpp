// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "options/described_commands.h"
#include "text/version.h"

namespace mpiaudit {
namespace {

/// Text of the page: hyphens that can be copied, and no line that begins with a request.
std::string roff(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '-')
            result += "\\-";
        else if (c == '\\')
            result += "\\e";
        else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n'))
            result += std::string("\\&") + c;
        else
            result += c;
    }
    return result;
}

std::string of_option(const DescribedOption& option) {
    std::string head = ".TP\n\\fB" + roff(option.name) + "\\fR";
    if (!option.value.empty() && !option.is_positional)
        head += " \\fI" + roff(option.value) + "\\fR";
    return head + "\n" + roff(option.help) + "\n";
}

std::string of_command(const DescribedCommand& command) {
    std::string text =
        fmt::format(".SH \"MPIAUDIT {}\"\n{}\n", command.name, roff(command.summary + "."));
    std::string group = "Options";
    for (const DescribedOption& each : command.options) {
        if (each.group != group) text += fmt::format(".SS {}\n", each.group);
        group = each.group;
        text += of_option(each);
    }
    return text;
}

}  // namespace

std::string manual_page() {
    std::string text = fmt::format(
        ".TH MPIAUDIT 1 \"\" \"mpiaudit {}\" \"User commands\"\n"
        ".SH NAME\nmpiaudit \\- audits the collectives of an MPI library\n"
        ".SH SYNOPSIS\n"
        "\\fBmpirun\\fR \\-n \\fIRANKS\\fR \\fBmpiaudit\\fR run|verify|probe [\\fIOPTION\\fR...]\n"
        ".br\n\\fBmpiaudit\\fR list|judge|repair|print \\fIWHAT\\fR [\\fIOPTION\\fR...]\n"
        ".SH DESCRIPTION\n"
        "mpiaudit runs the collective operations of an MPI library, compositions of them and\n"
        "reference algorithms from the literature on the same problems, and checks\n"
        "self\\-consistent performance guidelines such as MPI_Gather(m) <= MPI_Gatherv(m).\n",
        roff(std::string(version())));
    for (const DescribedCommand& each : described_commands()) text += of_command(each);
    return text + ".SH \"EXIT STATUS\"\n" + roff(exit_codes_in_words) + "\n";
}

}  // namespace mpiaudit
