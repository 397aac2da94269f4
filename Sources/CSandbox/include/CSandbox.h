// Starts a program in a sandbox. This part is in C because Swift code must not run between a fork and an exec.
//
// Everything is prepared before the fork; after it, only system calls are made, because other threads may have held any
// lock at the moment of the fork.
#ifndef ORRERY_CSANDBOX_H
#define ORRERY_CSANDBOX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A folder or file of the machine that is visible in the sandbox, read-only, at the same path.
typedef struct {
    const char *path;
    /// 1 for folders, 0 for files.
    int is_folder;
    /// Target if the path is a symbolic link; NULL otherwise.
    const char *link;
} orrery_sandbox_view;

/// A program to start and its limits.
typedef struct {
    /// 1 builds the namespaces here; 0 starts a program that builds them, bubblewrap.
    int builds_namespaces;
    const char *program;
    char *const *arguments;
    char *const *environment;
    /// Ends of pipes that become the standard streams.
    int input, output, errors;
    /// Descriptor to which the child reports a failed step or the end of the program: `orrery_sandbox_report`.
    int report;
    /// Further descriptors for bubblewrap, inherited under their numbers; -1 ends the list.
    int kept[4];
    /// Descriptors for the program of bubblewrap: it reports its start on `ready` (3) and waits on `go` (4).
    int ready, go;
    /// User and group of the child if the caller is root; 0 uses the caller's own.
    uint32_t user;
    /// 0 sets no limit.
    uint64_t address_space, file_size, cpu_seconds, processes, open_files;
    /// Bytes of the file system in /tmp.
    uint64_t disk;
    const orrery_sandbox_view *views;
    int view_count;
} orrery_sandbox_plan;

/// The report that the child writes.
typedef struct {
    /// 0: the program ended with `value`, a status of wait. Otherwise the step of the start that failed with errno
    /// `value`, see `orrery_sandbox_step_name`.
    int32_t step;
    int32_t value;
} orrery_sandbox_report;

/// Starts the child and returns its process number, with its descriptor in `handle`; -1 with errno on failure.
///
/// The child dies with the calling thread. If `life` is not -1, it must stay open as long as the child may live.
pid_t orrery_sandbox_start(const orrery_sandbox_plan *plan, int *handle, int *life);

/// Returns the name of a step of the start, for messages: "mount /proc".
const char *orrery_sandbox_step_name(int step);

/// Returns a descriptor of a file with the system call filter, in the format of bubblewrap's --seccomp; -1 if there is
/// none for this machine. It stays open on exec.
int orrery_sandbox_filter_file(void);

/// Returns a descriptor at the start of a file in memory with these bytes; -1 with errno. It closes on exec.
int orrery_sandbox_file(const void *data, size_t size);

/// Returns this kernel's version of Landlock; 0 if it has none.
int orrery_sandbox_landlock(void);

/// Returns a descriptor of a process; -1 with errno.
int orrery_sandbox_handle(pid_t process);

/// Kills the process of a descriptor; killing the first process of a namespace kills all others in it.
int orrery_sandbox_kill(int handle);

/// Creates a pipe that no other program inherits, read end first, with numbers of 16 or more; returns 0 or an errno.
int orrery_sandbox_pipe(int *ends);

/// Limits the number of processes in the namespace of a process; returns 0 or an errno.
///
/// `user` is the process's user if the caller is root, otherwise 0.
int orrery_sandbox_limit_processes(pid_t process, uint64_t processes, uint32_t user);

#endif
