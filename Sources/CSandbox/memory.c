// Rules against kernel memory that does not count as memory of a program: bytes in sockets and pipes, and pages that
// they reference.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "filter.h"

// Values from newer headers.
enum { set_pipe_size = 1031, lock_of_file = 37, lock_of_file_waiting = 38 };
enum { attach_filter = 26, send_buffer_by_force = 32, receive_buffer_by_force = 33, attach_bpf = 50 };

static const uint16_t load = BPF_LD | BPF_W | BPF_ABS, equal = BPF_JMP | BPF_JEQ | BPF_K, end = BPF_RET | BPF_K;
static const uint16_t both = BPF_ALU | BPF_AND | BPF_K, skip = BPF_JMP | BPF_JA;

static uint32_t argument(int number) { return (uint32_t)(offsetof(struct seccomp_data, args) + 8 * (unsigned)number); }

/// Denies a call if an argument has one of the values.
static int refuse(struct sock_filter *rules, int n, int call, int number, int count, const uint32_t *values) {
    rules[n++] = rule(equal, (uint32_t)call, 0, (uint8_t)(count + 3));
    rules[n++] = rule(load, argument(number), 0, 0);
    for (int i = 0; i < count; i++) rules[n++] = rule(equal, values[i], (uint8_t)(count - i), 0);
    rules[n++] = rule(skip, 1, 0, 0);
    rules[n++] = rule(end, SECCOMP_RET_ERRNO | EPERM, 0, 0);
    rules[n++] = rule(load, offsetof(struct seccomp_data, nr), 0, 0);
    return n;
}

/// Restricts a call to local stream sockets.
///
/// Network, virtual machine, and netlink sockets are not all confined to the namespace, and only a limit for the whole
/// machine bounds the data waiting in network sockets. Messages take more memory than the bytes that they contain.
static int local_streams(struct sock_filter *rules, int n, int call) {
    rules[n++] = rule(equal, (uint32_t)call, 0, 8);
    rules[n++] = rule(load, argument(0), 0, 0);
    rules[n++] = rule(equal, AF_UNIX, 1, 0);
    rules[n++] = rule(end, SECCOMP_RET_ERRNO | EAFNOSUPPORT, 0, 0);
    rules[n++] = rule(load, argument(1), 0, 0);
    rules[n++] = rule(both, 0xF, 0, 0);
    rules[n++] = rule(equal, SOCK_STREAM, 1, 0);
    rules[n++] = rule(end, SECCOMP_RET_ERRNO | ESOCKTNOSUPPORT, 0, 0);
    rules[n++] = rule(load, offsetof(struct seccomp_data, nr), 0, 0);
    return n;
}

int orrery_filter_memory(struct sock_filter *rules, int n) {
    // A byte passed to a pipe or socket by reference keeps its whole page in memory, up to 2 MiB, even after its owner
    // frees it. Events of io_setup count for the whole machine. Programs work without these calls.
    static const int missing[] = { SYS_splice, SYS_tee, SYS_vmsplice, SYS_sendfile, SYS_io_setup };
    for (unsigned i = 0; i < sizeof missing / sizeof *missing; i++) {
        rules[n++] = rule(equal, (uint32_t)missing[i], 0, 1);
        rules[n++] = rule(end, SECCOMP_RET_ERRNO | ENOSYS, 0, 0);
    }
    n = local_streams(rules, n, SYS_socket);
    n = local_streams(rules, n, SYS_socketpair);
    static const uint32_t buffers[] = { SO_SNDBUF, SO_RCVBUF, send_buffer_by_force, receive_buffer_by_force,
                                        attach_filter, attach_bpf };
    n = refuse(rules, n, SYS_setsockopt, 2, sizeof buffers / sizeof *buffers, buffers);
    // Locks of a process are counted by its process ID; locks of an open file have no process ID.
    static const uint32_t files[] = { set_pipe_size, lock_of_file, lock_of_file_waiting };
    return refuse(rules, n, SYS_fcntl, 1, sizeof files / sizeof *files, files);
}
