// SPDX-License-Identifier: BSD-3-Clause
#include "files/files.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "text/exit_code.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

constexpr std::size_t max_file_bytes = 256U << 20U;  // refuses endless files such as /dev/zero
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

/// A file opened without a stream, since opening a stream waits for ever for a pipe without a
/// writer.
class InputFile {
  public:
    explicit InputFile(const std::string& path)
        : file_{open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)} {
        if (file_ >= 0) fcntl(file_, F_SETFL, O_RDONLY);  // from here on reads block
        is_known_ = file_ >= 0 && fstat(file_, &about_) == 0;
    }
    ~InputFile() {
        if (file_ >= 0) close(file_);
    }
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    bool is_readable() const { return is_known_ && !S_ISDIR(about_.st_mode); }
    /// Returns false for a pipe to which nobody writes within `most_ms`.
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
    const InputFile file(path);
    if (!file.is_readable()) throw UsageError("{}: cannot be read; is it a readable file?", path);
    if (!file.has_writer()) throw UsageError("{}: is a pipe that nobody writes to", path);
    std::string text;
    std::array<char, 1U << 16U> part{};
    ssize_t got = 0;
    while (text.size() <= max_file_bytes && (got = file.read(part)) > 0)
        text.append(part.data(), static_cast<std::size_t>(got));
    if (got < 0) throw UsageError("{}: cannot be read ({})", path, std::strerror(errno));
    if (text.size() > max_file_bytes) throw UsageError("{}: is larger than 256 MiB", path);
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

namespace {

namespace fs = std::filesystem;

constexpr mode_t all_may_read_and_write = 0666;  // less the umask

const char* kind_in_words(mode_t mode) {
    if (S_ISDIR(mode)) return "a folder; give the name of a file";
    if (S_ISLNK(mode)) return "a symbolic link; give the name of the file itself";
    if (S_ISFIFO(mode)) return "a pipe; give the name of a file";
    if (S_ISSOCK(mode)) return "a socket; give the name of a file";
    return "a device; give the name of a file";
}

/// Throws unless the path holds nothing or a regular file.
void require_regular(const std::string& path) {
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0) {
        if (errno != ENOENT) refuse_to_write(path, errno);
    } else if (!S_ISREG(status.st_mode)) {
        throw std::runtime_error(
            fmt::format("{}: cannot be written, it is {}", path, kind_in_words(status.st_mode)));
    }
}

/// Writes the whole text. Returns 0 or errno.
int write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

/// Calls fsync() and returns 0 or errno. Some file systems do not know fsync(): no error.
int bring_to_disk(int descriptor) {
    if (fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP) return 0;
    return errno;
}

/// A temporary file in the folder of `path`. The destructor removes the temporary file unless
/// rename_to_path() has renamed it to `path`.
class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string& path) : path_{path} {
        const fs::path whole(path);
        std::random_device draw;
        // An existing name, also of a link, belongs to another program: tries the next name.
        for (int attempt = 0; descriptor_ < 0 && attempt < 100; ++attempt) {
            const std::string name = whole.filename().string().substr(0, 40);
            temporary_ = whole.parent_path() / fmt::format(".{}.{:08x}", name, draw());
            descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                               all_may_read_and_write);
            if (descriptor_ < 0 && errno != EEXIST) break;
        }
        if (descriptor_ < 0) refuse_to_write(path, errno);
    }
    ~TemporaryFile() {
        if (descriptor_ >= 0) close(descriptor_);
        if (!is_renamed_) unlink(temporary_.c_str());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    void write(std::string_view text) {
        if (const int error = write_all(descriptor_, text)) refuse_to_write(path_, error);
        if (const int error = bring_to_disk(descriptor_)) refuse_to_write(path_, error);
        struct stat status {};
        const bool is_known = fstat(descriptor_, &status) == 0;
        // close() may fail, too: some file systems write only then.
        if (close(std::exchange(descriptor_, -1)) != 0) refuse_to_write(path_, errno);
        if (!is_known || static_cast<std::size_t>(status.st_size) != text.size())
            refuse_to_write(path_, EIO);
    }
    void rename_to_path() {
        if (std::rename(temporary_.c_str(), path_.c_str()) != 0) refuse_to_write(path_, errno);
        is_renamed_ = true;
        const std::string folder = fs::path(path_).parent_path();
        const int opened = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
        if (opened < 0) return;
        bring_to_disk(opened);
        close(opened);
    }

  private:
    std::string path_, temporary_;
    int descriptor_ = -1;
    bool is_renamed_ = false;
};

}  // namespace

void check_replaceable(const std::string& path) {
    require_regular(path);
    TemporaryFile temporary(path);
}

void replace_file(const std::string& path, std::string_view text) {
    require_regular(path);
    TemporaryFile temporary(path);
    temporary.write(text);
    temporary.rename_to_path();
}

GrowingFile::GrowingFile(std::string path) : path_{std::move(path)} {
    require_regular(path_);
    descriptor_ = open(path_.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
    struct stat status {};
    if (descriptor_ < 0 || fstat(descriptor_, &status) != 0) refuse_to_write(path_, errno);
    bytes_ = static_cast<std::uint64_t>(status.st_size);
}

GrowingFile::~GrowingFile() {
    close(descriptor_);
}

void GrowingFile::shorten(std::uint64_t bytes) {
    require_untouched();
    if (ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) refuse_to_write(path_, errno);
    bytes_ = bytes;
}

void GrowingFile::append(std::string_view text) {
    require_untouched();
    int error = write_all(descriptor_, text);
    if (error == 0) error = bring_to_disk(descriptor_);
    if (error != 0) {
        // Takes back the incomplete line. If truncating fails, a resumed audit drops this line.
        [[maybe_unused]] const int taken_back = ftruncate(descriptor_, static_cast<off_t>(bytes_));
        refuse_to_write(path_, error);
    }
    bytes_ += text.size();
}

void GrowingFile::require_untouched() const {
    struct stat opened {};
    if (!is_still_at(descriptor_, path_) || fstat(descriptor_, &opened) != 0 ||
        static_cast<std::uint64_t>(opened.st_size) != bytes_)
        throw std::runtime_error(fmt::format(
            "{}: was changed by another program while this one writes it; nothing more is written",
            path_));
}

}  // namespace mpiaudit
