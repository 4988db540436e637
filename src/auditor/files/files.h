// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mpiaudit {

// The only functions that write files. What they throw is a std::runtime_error that begins with the
// path and says why: "PATH: cannot be written (No space left on device)", "PATH is a device, ...".

/// Throws when replace_file() could not write the path: it is something else than a regular file (a
/// link, too: it might lead anywhere), or its folder takes no files. Call it before the work
/// whose result the file will hold.
void check_replaceable(const std::string& path);

/// Writes the file as a whole: whoever looks sees the old one or the new one, also after a crash or
/// on a full disk. A temporary file of its own beside it is written, brought to the disk and
/// checked, then renamed.
void replace_file(const std::string& path, std::string_view text);

/// A regular file that only grows, and only by us.
class GrowingFile {
  public:
    /// Opens an existing file; links are not followed.
    explicit GrowingFile(std::string path);
    ~GrowingFile();
    GrowingFile(const GrowingFile&) = delete;
    GrowingFile& operator=(const GrowingFile&) = delete;

    /// Cuts the file off behind its first `bytes`.
    void shorten(std::uint64_t bytes);
    /// Appends the text and brings it to the disk. What could not be written completely is taken
    /// back. Throws, too, when the file is no longer as it was left: another program writes it.
    void append(std::string_view text);

  private:
    void require_untouched() const;

    std::string path_;
    int descriptor_ = -1;
    std::uint64_t bytes_ = 0;  ///< as we left it
};

/// The text of a file that a user has written, a pipe included; a mark of the byte order at its
/// start, as some editors write it, is left out. Throws UsageError that names the file when it
/// cannot be read, is larger than 256 MiB or not UTF-8: "FILE:LINE: byte 7 is 0xe9, ...".
std::string read_file(const std::string& path);

/// \param error as errno
/// \throws std::runtime_error "PATH: cannot be written (...)"
[[noreturn]] void refuse_to_write(const std::string& path, int error);

/// Whether the opened file is the one that is found at the path now, and not followed there by a
/// link.
bool is_still_at(int descriptor, const std::string& path);

/// Keeps other processes from writing to a folder while it lives, by a file ".lock" in it that says
/// who writes (host and process) and is locked by flock(). Linux carries that to the server of an
/// NFS as a lock on the file's bytes, so it holds between hosts, too, and a process that is killed
/// loses it. Where a file system knows no locks (some mounts of Lustre and NFS) the text of the
/// file decides: a process of this host is looked for; what another host left behind has to be
/// removed by hand, as the message says. Where locks silently end at the host (NFS with "nolock"),
/// nothing keeps two hosts apart: GrowingFile then finds that its file was changed.
class FolderLock {
  public:
    /// Throws std::runtime_error that names the writer when there is one, or when the file cannot
    /// be written.
    explicit FolderLock(const std::string& folder);
    /// Removes the file.
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  private:
    std::string file_;
    int descriptor_ = -1;
};

/// The name of this host, as UTF-8.
std::string host_name();

}  // namespace mpiaudit
