// SPDX-License-Identifier: BSD-3-Clause
#include "files/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <utility>

namespace mpiaudit {
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

/// What is at the path: nothing, or a regular file.
void require_regular(const std::string& path) {
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0) {
        if (errno != ENOENT) refuse_to_write(path, errno);
    } else if (!S_ISREG(status.st_mode)) {
        throw std::runtime_error(
            fmt::format("{}: cannot be written, it is {}", path, kind_in_words(status.st_mode)));
    }
}

/// Writes all of it; returns 0 or what went wrong.
int write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

/// Some file systems cannot be asked.
int bring_to_disk(int descriptor) {
    if (fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP) return 0;
    return errno;
}

/// A file beside another one, under a name that nobody else has; gone unless it is renamed.
class Beside {
  public:
    explicit Beside(const std::string& path) : path_{path} {
        const fs::path whole(path);
        std::random_device draw;
        // A name that exists is somebody else's, links included.
        for (int attempt = 0; descriptor_ < 0 && attempt < 100; ++attempt) {
            const std::string name = whole.filename().string().substr(0, 40);
            temporary_ = whole.parent_path() / fmt::format(".{}.{:08x}", name, draw());
            descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                               all_may_read_and_write);
            if (descriptor_ < 0 && errno != EEXIST) break;
        }
        if (descriptor_ < 0) refuse_to_write(path, errno);
    }
    ~Beside() {
        if (descriptor_ >= 0) close(descriptor_);
        if (!is_renamed_) unlink(temporary_.c_str());
    }
    Beside(const Beside&) = delete;
    Beside& operator=(const Beside&) = delete;

    void write(std::string_view text) {
        if (const int error = write_all(descriptor_, text)) refuse_to_write(path_, error);
        if (const int error = bring_to_disk(descriptor_)) refuse_to_write(path_, error);
        struct stat status {};
        const bool is_known = fstat(descriptor_, &status) == 0;
        // Closing may fail, too: some file systems write only then.
        if (close(std::exchange(descriptor_, -1)) != 0) refuse_to_write(path_, errno);
        if (!is_known || static_cast<std::size_t>(status.st_size) != text.size())
            refuse_to_write(path_, EIO);
    }
    void take_its_place() {
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
    Beside beside(path);
}

void replace_file(const std::string& path, std::string_view text) {
    require_regular(path);
    Beside beside(path);
    beside.write(text);
    beside.take_its_place();
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
        // Whoever goes on drops half a line, too; without one there is nothing to drop.
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
