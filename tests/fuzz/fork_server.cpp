// SPDX-License-Identifier: BSD-3-Clause
// The program, started once and forked for each command line, behind MPI_Init: that, and loading
// program, library and sanitizer, take many times as long as a damaged file. A case is told on
// standard input, as
//
//     a folder, a file for standard output, one for standard error, then the arguments:
//     how many texts there are, then for each its bytes' number and its bytes
//
// and its status of wait(2) is answered on standard output; numbers have four bytes.
#include <fcntl.h>
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define main mpiaudit_main
#include "../../src/main.cpp"  // NOLINT: it has no header
#undef main

// Replaces the program's own call: the process has MPI from its parent, and the parent ends MPI.
extern "C" int MPI_Init_thread(int*, char***, int, int* provided) {
    *provided = MPI_THREAD_FUNNELED;
    return MPI_SUCCESS;
}
extern "C" int MPI_Finalize() {
    return MPI_SUCCESS;
}

namespace {

constexpr unsigned most_seconds = 60;

bool read_number(std::uint32_t& number) {
    return std::fread(&number, sizeof number, 1, stdin) == 1;
}

std::vector<std::string> read_texts() {
    std::uint32_t number = 0;
    if (!read_number(number)) return {};
    std::vector<std::string> texts(number);
    for (std::string& text : texts) {
        std::uint32_t bytes = 0;
        if (!read_number(bytes)) return {};
        text.resize(bytes);
        if (std::fread(text.data(), 1, bytes, stdin) != bytes) return {};
    }
    return texts;
}

void redirect(const char* file, int flags, int to) {
    const int opened = open(file, flags, 0600);
    if (opened < 0 || dup2(opened, to) < 0) std::_Exit(99);
    close(opened);
}

[[noreturn]] void carry_out(std::vector<std::string>& texts) {
    alarm(most_seconds);
    if (chdir(texts[0].c_str()) != 0) std::_Exit(99);
    redirect("/dev/null", O_RDONLY, STDIN_FILENO);
    redirect(texts[1].c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    redirect(texts[2].c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    std::vector<char*> words;
    std::string name = "mpiaudit";
    words.push_back(name.data());
    for (std::size_t i = 3; i < texts.size(); ++i) words.push_back(texts[i].data());
    words.push_back(nullptr);
    std::exit(mpiaudit_main(static_cast<int>(words.size()) - 1, words.data()));
}

}  // namespace

int main(int argc, char** argv) {
    int level = MPI_THREAD_SINGLE;
    PMPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    for (std::vector<std::string> texts = read_texts(); texts.size() > 2; texts = read_texts()) {
        const pid_t child = fork();
        if (child == 0) carry_out(texts);
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child) return 1;
        const auto answer = static_cast<std::uint32_t>(status);
        if (std::fwrite(&answer, sizeof answer, 1, stdout) != 1 || std::fflush(stdout) != 0)
            return 1;
    }
}
