// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mpiaudit {

// The only functions that write files. They throw std::runtime_error: "PATH: cannot be written (No
// space left on device)", "PATH: cannot be written, it is a device; ...".

/// Throws if replace_file() could not write the path: the path holds something other than a regular
/// file (links are refused because they may lead anywhere), or its folder does not accept files.
/// Call this function before the work whose result the file will hold.
void check_replaceable(const std::string& path);

/// Writes the file atomically: readers see the old or the new content, also after a crash or on a
/// full disk. Writes a temporary file in the same folder, syncs and checks the temporary file, and
/// renames it to `path`.
void replace_file(const std::string& path, std::string_view text);

/// A regular file to which only this process appends.
class GrowingFile {
  public:
    /// Opens an existing file; does not follow links.
    explicit GrowingFile(std::string path);
    ~GrowingFile();
    GrowingFile(const GrowingFile&) = delete;
    GrowingFile& operator=(const GrowingFile&) = delete;

    /// Truncates the file to its first `bytes` bytes.
    void shorten(std::uint64_t bytes);
    /// Appends the text and syncs the file. Takes back an incomplete text. Throws if another
    /// program has changed the file since the last call.
    void append(std::string_view text);

  private:
    void require_untouched() const;

    std::string path_;
    int descriptor_ = -1;
    std::uint64_t bytes_ = 0;  ///< size after the last call
};

/// Returns the text of a user's file or pipe without a leading byte order mark. Throws UsageError
/// with the name of the file if the file cannot be read, is larger than 256 MiB or is not UTF-8:
/// "FILE:LINE: byte 7 is 0xe9, ...".
std::string read_file(const std::string& path);

/// Throws std::runtime_error "PATH: cannot be written (...)".
/// \param error a value of errno
[[noreturn]] void refuse_to_write(const std::string& path, int error);

/// Returns true if `path` is still the open file, and no symbolic link.
bool is_still_at(int descriptor, const std::string& path);

/// Keeps other processes from writing to a folder while this object lives. The file ".lock" in the
/// folder names the writer (host and process) and is locked by flock(). Linux turns flock() on NFS
/// into a lock of the file's bytes on the server, so the lock holds between hosts, and a killed
/// process loses the lock. On file systems without locks (some mounts of Lustre and NFS) the text
/// decides: if the text names this host, the lock holds while the named process lives; the file of
/// another host must be removed by hand, as the message says. If locks silently end at the host
/// (NFS with "nolock"), nothing separates two hosts: GrowingFile then finds that its file has
/// changed.
class FolderLock {
  public:
    /// Throws std::runtime_error if another process writes to the folder (the message names the
    /// writer), or if ".lock" cannot be written.
    explicit FolderLock(const std::string& folder);
    /// Removes ".lock".
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  private:
    std::string file_;
    int descriptor_ = -1;
};

/// Returns the name of this host as UTF-8.
std::string host_name();

}  // namespace mpiaudit
