// SPDX-License-Identifier: BSD-3-Clause
#include "files/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string_view>

#include "text/exit_code.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

constexpr std::size_t most_bytes = 256U << 20U;  // /dev/zero has no end
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

void require_utf8(std::string_view text, const std::string& path) {
    const auto at = first_invalid_utf8(text);
    if (!at) return;
    const std::string_view before = text.substr(0, *at);
    const auto line = std::ranges::count(before, '\n') + 1;
    const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
    throw UsageError("{}:{}: {}; save the file as UTF-8", path, line,
                     not_utf8(text.substr(start), *at - start));
}

/// A file as the system sees it: a stream would wait for ever for a pipe without a writer.
class Opened {
  public:
    explicit Opened(const std::string& path)
        : file_{open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)} {
        if (file_ >= 0) fcntl(file_, F_SETFL, O_RDONLY);  // reads wait
        is_known_ = file_ >= 0 && fstat(file_, &about_) == 0;
    }
    ~Opened() {
        if (file_ >= 0) close(file_);
    }
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;

    bool is_readable() const { return is_known_ && !S_ISDIR(about_.st_mode); }
    /// Unless it is a pipe that has none within a moment.
    bool has_writer() const {
        pollfd waiting{file_, POLLIN, 0};
        return !S_ISFIFO(about_.st_mode) || poll(&waiting, 1, most_ms) > 0;
    }
    ssize_t read(std::span<char> into) const {
        ssize_t got = 0;
        do got = ::read(file_, into.data(), into.size());
        while (got < 0 && errno == EINTR);
        return got;
    }

  private:
    static constexpr int most_ms = 1000;
    int file_;
    bool is_known_ = false;
    struct stat about_ {};
};

}  // namespace

std::string read_file(const std::string& path) {
    const Opened file(path);
    if (!file.is_readable()) throw UsageError("{}: cannot be read; is it a readable file?", path);
    if (!file.has_writer()) throw UsageError("{}: is a pipe that nobody writes to", path);
    std::string text;
    std::array<char, 1U << 16U> part{};
    ssize_t got = 0;
    while (text.size() <= most_bytes && (got = file.read(part)) > 0)
        text.append(part.data(), static_cast<std::size_t>(got));
    if (got < 0) throw UsageError("{}: cannot be read ({})", path, std::strerror(errno));
    if (text.size() > most_bytes) throw UsageError("{}: is larger than 256 MiB", path);
    if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
    require_utf8(text, path);
    return text;
}

void refuse_to_write(const std::string& path, int error) {
    throw std::runtime_error(fmt::format("{}: cannot be written ({})", path, std::strerror(error)));
}

bool is_still_at(int descriptor, const std::string& path) {
    struct stat opened {
    }, found{};
    return fstat(descriptor, &opened) == 0 && lstat(path.c_str(), &found) == 0 &&
           opened.st_dev == found.st_dev && opened.st_ino == found.st_ino;
}

}  // namespace mpiaudit
