// The filter of system calls. It denies calls that no tested program needs, and calls that past kernel exploits used.
#define _GNU_SOURCE
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CSandbox.h"

#if defined(__x86_64__)
#define ORRERY_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ORRERY_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ORRERY_ARCHITECTURE

// Namespaces and mounts, other processes, the kernel itself, clocks and names of the machine, and memory that no limit
// counts. Numbers above 424 are the same on every architecture, and missing from older headers.
static const int denied[] = {
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_ptrace, SYS_process_vm_readv,
    SYS_process_vm_writev, SYS_kcmp, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_bpf, SYS_perf_event_open,
    SYS_userfaultfd, SYS_kexec_load, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_reboot, SYS_swapon,
    SYS_swapoff, SYS_syslog, SYS_acct, SYS_quotactl, SYS_open_by_handle_at, SYS_name_to_handle_at, SYS_settimeofday,
    SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_sethostname, SYS_setdomainname, SYS_vhangup,
    SYS_fanotify_init, SYS_memfd_create, SYS_shmget, SYS_shmat, SYS_msgget, SYS_mq_open, SYS_lookup_dcookie,
    SYS_move_pages, SYS_migrate_pages, SYS_semget,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef SYS_iopl
    SYS_iopl, SYS_ioperm, SYS_modify_ldt,
#endif
    424 /* pidfd_send_signal */, 425 /* io_uring_setup */, 426 /* io_uring_enter */, 427 /* io_uring_register */,
    428 /* open_tree */, 429 /* move_mount */, 430 /* fsopen */, 431 /* fsconfig */, 432 /* fsmount */, 433 /* fspick */,
    438 /* pidfd_getfd */, 440 /* process_madvise */, 442 /* mount_setattr */, 443 /* quotactl_fd */,
    444 /* landlock_create_ruleset */, 445 /* landlock_add_rule */, 446 /* landlock_restrict_self */,
    447 /* memfd_secret */, 448 /* process_mrelease */,
};

int orrery_filter(struct sock_filter *rules) {
    int n = 0;
    const uint16_t load = BPF_LD | BPF_W | BPF_ABS, equal = BPF_JMP | BPF_JEQ | BPF_K;
    const uint16_t above = BPF_JMP | BPF_JGE | BPF_K, any = BPF_JMP | BPF_JSET | BPF_K, end = BPF_RET | BPF_K;
    const uint32_t refuse = SECCOMP_RET_ERRNO | EPERM;
    const uint32_t first = offsetof(struct seccomp_data, args[0]), second = offsetof(struct seccomp_data, args[1]);
    rules[n++] = rule(load, offsetof(struct seccomp_data, arch), 0, 0);
    rules[n++] = rule(equal, ORRERY_ARCHITECTURE, 1, 0);
    rules[n++] = rule(end, SECCOMP_RET_KILL_PROCESS, 0, 0);
    rules[n++] = rule(load, offsetof(struct seccomp_data, nr), 0, 0);
    // The second set of call numbers of x86-64 (x32) would bypass every rule below.
    rules[n++] = rule(above, 0x40000000, 0, 1);
    rules[n++] = rule(end, SECCOMP_RET_KILL_PROCESS, 0, 0);
    for (unsigned i = 0; i < sizeof denied / sizeof *denied; i++) {
        rules[n++] = rule(equal, (uint32_t)denied[i], 0, 1);
        rules[n++] = rule(end, refuse, 0, 0);
    }
    // Filters cannot read the flags of clone3, which are in memory. Libraries fall back to clone.
    rules[n++] = rule(equal, 435, 0, 1);
    rules[n++] = rule(end, SECCOMP_RET_ERRNO | ENOSYS, 0, 0);
    rules[n++] = rule(equal, SYS_clone, 0, 3);
    rules[n++] = rule(load, first, 0, 0);
    rules[n++] = rule(any, CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID
                               | CLONE_NEWNET, 0, 1);
    rules[n++] = rule(end, refuse, 0, 0);
    rules[n++] = rule(load, offsetof(struct seccomp_data, nr), 0, 0);
    // Shared memory without a file exists even if no process has it mapped, so no limit would count it.
    rules[n++] = rule(equal, SYS_mmap, 0, 7);
    rules[n++] = rule(load, offsetof(struct seccomp_data, args[3]), 0, 0);
    rules[n++] = rule(any, MAP_ANONYMOUS, 0, 4);
    rules[n++] = rule(BPF_ALU | BPF_AND | BPF_K, MAP_SHARED | MAP_PRIVATE, 0, 0);
    rules[n++] = rule(equal, MAP_PRIVATE, 2, 0);
    rules[n++] = rule(equal, 0, 1, 0);
    rules[n++] = rule(end, refuse, 0, 0);
    rules[n++] = rule(load, offsetof(struct seccomp_data, nr), 0, 0);
    n = orrery_filter_memory(rules, n);
    // Input injected into a terminal: TIOCSTI, TIOCLINUX.
    rules[n++] = rule(equal, SYS_ioctl, 0, 4);
    rules[n++] = rule(load, second, 0, 0);
    rules[n++] = rule(equal, 0x5412, 1, 0);
    rules[n++] = rule(equal, 0x541C, 0, 1);
    rules[n++] = rule(end, refuse, 0, 0);
    rules[n++] = rule(end, SECCOMP_RET_ALLOW, 0, 0);
    return n;
}

#else

int orrery_filter(struct sock_filter *rules) {
    (void)rules;
    return 0;
}

#endif

int orrery_sandbox_filter_file(void) {
    struct sock_filter rules[ORRERY_FILTER_ROOM];
    int count = orrery_filter(rules);
    if (count == 0) {
        errno = ENOSYS;
        return -1;
    }
    return orrery_sandbox_file(rules, (size_t)count * sizeof *rules);
}

int orrery_sandbox_file(const void *data, size_t size) {
    int low = (int)syscall(SYS_memfd_create, "sandbox", MFD_CLOEXEC);
    if (low < 0) return -1;
    int file = fcntl(low, F_DUPFD_CLOEXEC, 16);
    close(low);
    if (file < 0) return -1;
    if (write(file, data, size) != (ssize_t)size || lseek(file, 0, SEEK_SET) != 0) {
        close(file);
        return -1;
    }
    return file;
}
