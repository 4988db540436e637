// SPDX-License-Identifier: BSD-3-Clause
// Declared in files/files.h.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "files/files.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

struct Writer {
    std::string host;
    long process = 0;
};

/// Reads "HOST PROCESS" from the file; host "" and process 0 if the file is empty.
Writer read_writer(int descriptor) {
    std::array<char, 512> text{};
    const ssize_t bytes = pread(descriptor, text.data(), text.size(), 0);
    std::istringstream words(
        std::string(text.data(), bytes > 0 ? static_cast<std::size_t>(bytes) : 0));
    Writer writer;
    words >> writer.host >> writer.process;
    return writer;
}

bool write_writer(int descriptor, const std::string& text) {
    return ftruncate(descriptor, 0) == 0 &&
           pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
}

/// Decides on file systems without locks: returns true if the file names no process, or a process
/// of this host that has ended.
bool is_gone(const Writer& writer) {
    if (writer.process <= 0) return true;
    return writer.host == host_name() && kill(static_cast<pid_t>(writer.process), 0) != 0 &&
           errno == ESRCH;
}

[[noreturn]] void refuse(const std::string& folder, const Writer& writer, const char* remedy) {
    throw std::runtime_error(
        fmt::format("{} is being written by process {} on {}; {}", folder, writer.process,
                    writer.host.empty() ? "an unknown host" : plain_line(writer.host), remedy));
}

enum class Locked { yes, by_another, not_possible };

Locked lock(int descriptor) {
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return Locked::yes;
    return errno == EWOULDBLOCK || errno == EINTR ? Locked::by_another : Locked::not_possible;
}

}  // namespace

FolderLock::FolderLock(const std::string& folder) : file_{std::filesystem::path(folder) / ".lock"} {
    const auto give_up = [this] {
        if (descriptor_ >= 0) close(descriptor_);
    };
    do {
        give_up();
        descriptor_ =
            open(file_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0666);
        struct stat status {};
        if (descriptor_ < 0 || fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
            const int error = descriptor_ < 0 ? errno : EINVAL;
            give_up();
            refuse_to_write(file_, error);
        }
        const Locked locked = lock(descriptor_);
        const Writer writer = read_writer(descriptor_);
        if (locked == Locked::yes) continue;
        if (locked == Locked::not_possible && is_gone(writer)) continue;
        give_up();
        if (locked == Locked::by_another)
            refuse(folder, writer, "wait for it, or give another --output");
        refuse(folder, writer,
               "if it is no longer there, remove the file .lock in the folder, whose file system "
               "knows no locks");
    } while (!is_still_at(descriptor_, file_));
    if (!write_writer(descriptor_, fmt::format("{} {}\n", host_name(), getpid()))) {
        const int error = errno;
        unlink(file_.c_str());
        give_up();
        refuse_to_write(file_, error);
    }
}

FolderLock::~FolderLock() {
    // Removes the file before unlocking it: a waiting process then finds that its open file has
    // left the path, and opens the new one.
    unlink(file_.c_str());
    close(descriptor_);
}

std::string host_name() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return as_utf8(name.data());
}

}  // namespace mpiaudit
