// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace mpiaudit {

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
