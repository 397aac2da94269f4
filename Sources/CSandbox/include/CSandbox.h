// Starts a program in a cage of the kernel: what Swift cannot do between a fork and an exec.
//
// Everything is prepared before the fork; behind it only system calls are made, since other threads of the program may
// have held any lock at that moment.
#ifndef ORRERY_CSANDBOX_H
#define ORRERY_CSANDBOX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A folder or file of the machine that the cage shows read-only at the same path.
typedef struct {
    const char *path;
    /// 1 for folders, 0 for files.
    int is_folder;
    /// Where the path is a symbolic link, what it holds; NULL otherwise.
    const char *link;
} orrery_sandbox_view;

/// What is to be started.
typedef struct {
    /// 1 builds the namespaces here; 0 starts a program that builds them, bubblewrap.
    int builds_namespaces;
    const char *program;
    char *const *arguments;
    char *const *environment;
    /// Ends of pipes that become the standard streams.
    int input, output, errors;
    /// Where a started child tells what failed, and how the program ended: `orrery_sandbox_report`.
    int report;
    /// Further descriptors of bubblewrap, kept under their numbers; -1 ends the list.
    int kept[4];
    /// Where the program of bubblewrap tells that it is there, which becomes 3, and where it waits, which becomes 4.
    int ready, go;
    /// The user and group of the child where the caller is root; 0 keeps the caller's own.
    uint32_t user;
    /// 0 sets no limit.
    uint64_t address_space, file_size, cpu_seconds, processes, open_files;
    /// Bytes of the file system in /tmp.
    uint64_t disk;
    const orrery_sandbox_view *views;
    int view_count;
} orrery_sandbox_plan;

/// What the child writes to `report`.
typedef struct {
    /// 0: the program ended with `value`, a status of wait. Otherwise the step of the start that failed with errno
    /// `value`, see `orrery_sandbox_step_name`.
    int32_t step;
    int32_t value;
} orrery_sandbox_report;

/// Starts the child and gives its process number, with a descriptor for it in `handle`; -1 with errno where that fails.
///
/// The child dies with the calling thread. `life`, where it is not -1, has to stay open as long as the child may live.
pid_t orrery_sandbox_start(const orrery_sandbox_plan *plan, int *handle, int *life);

/// What a step of the start does, for sentences: "mount /proc".
const char *orrery_sandbox_step_name(int step);

/// A descriptor of a file that holds the filter of system calls, as bubblewrap's --seccomp reads it; -1 where there is
/// none for this machine. It is not closed on exec.
int orrery_sandbox_filter_file(void);

/// A descriptor of a file in memory with these bytes, read from its beginning; -1 with errno. It is closed on exec.
int orrery_sandbox_file(const void *data, size_t size);

/// The version of Landlock of this kernel; 0 where it has none.
int orrery_sandbox_landlock(void);

/// A descriptor that stands for a process; -1 with errno.
int orrery_sandbox_handle(pid_t process);

/// Kills what a descriptor stands for, and with the first process of a namespace all others in it.
int orrery_sandbox_kill(int handle);

/// Makes a pipe that no other program inherits, reading end first, of numbers from 16 on; 0 or an errno.
int orrery_sandbox_pipe(int *ends);

/// Bounds how many processes the namespace of a process may have; 0 or an errno.
///
/// `user` is the process's user where the caller is root, else 0.
int orrery_sandbox_limit_processes(pid_t process, uint64_t processes, uint32_t user);

#endif
