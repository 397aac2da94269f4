// The code between a fork and an exec, which makes only system calls.
//
// If the namespaces are built here, there are two processes. The first is process 1 of the new namespace: it builds the
// file system, starts the second, reaps processes that end in the namespace, and reports how the second ended; when it
// ends, the kernel kills all remaining processes. The second drops its privileges and becomes the program.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CSandbox.h"
#include "filter.h"
#include "steps.h"

static const char *const step_names[] = {
    "start a process", "map the user", "switch to the mapped user", "create a private file system",
    "open a visible folder", "mount /tmp", "change the root", "mount a visible folder", "mount /proc", "mount /dev",
    "make the root read-only", "set a limit", "drop capabilities", "restrict files with Landlock",
    "filter system calls", "enter the working folder", "run the program",
};

const char *orrery_sandbox_step_name(int step) {
    int count = (int)(sizeof step_names / sizeof *step_names);
    return step > 0 && step <= count ? step_names[step - 1] : "start";
}

void orrery_tell(int report, int step, int value) {
    orrery_sandbox_report told = { .step = step, .value = value };
    if (write(report, &told, sizeof told) != sizeof told) _exit(126);
}

void orrery_fail(int report, int step) {
    orrery_tell(report, step, errno);
    _exit(126);
}

void orrery_offer(void) {
    int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (score < 0) return;
    if (write(score, "1000", 4) != 4) errno = 0;
    close(score);
}

int orrery_sandbox_handle(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int orrery_sandbox_kill(int handle) {
    return syscall(SYS_pidfd_send_signal, handle, SIGKILL, NULL, 0) == 0 ? 0 : errno;
}

int orrery_sandbox_pipe(int *ends) {
    int pair[2];
    if (pipe2(pair, O_CLOEXEC) != 0) return errno;
    ends[0] = fcntl(pair[0], F_DUPFD_CLOEXEC, 16);
    ends[1] = fcntl(pair[1], F_DUPFD_CLOEXEC, 16);
    int failed = ends[0] < 0 || ends[1] < 0 ? errno : 0;
    close(pair[0]);
    close(pair[1]);
    for (int i = 0; failed != 0 && i < 2; i++) {
        if (ends[i] >= 0) close(ends[i]);
    }
    return failed;
}

int orrery_sandbox_limit_processes(pid_t process, uint64_t processes, uint32_t user) {
    struct rlimit limit = { processes, processes };
    if (prlimit(process, RLIMIT_NPROC, &limit, NULL) == 0) return 0;
    if (errno != EPERM || user == 0) return errno;
    // Root in a container may lack CAP_SYS_RESOURCE, but the process's own user may set the limit.
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        if (syscall(SYS_setgroups, 0, NULL) != 0 || syscall(SYS_setresgid, user, user, user) != 0
            || syscall(SYS_setresuid, user, user, user) != 0
            || prlimit(process, RLIMIT_NPROC, &limit, NULL) != 0)
            _exit(errno & 0x7F);
        _exit(0);
    }
    if (child < 0) return errno;
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return errno;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : EPERM;
}

static void bound(const orrery_sandbox_plan *plan, int resource, uint64_t value) {
    if (value == 0) return;
    struct rlimit old, limit;
    if (getrlimit(resource, &old) != 0) orrery_fail(plan->report, ORRERY_LIMIT);
    if (value > old.rlim_max) value = old.rlim_max;
    limit.rlim_cur = limit.rlim_max = value;
    if (setrlimit(resource, &limit) != 0) orrery_fail(plan->report, ORRERY_LIMIT);
}

static void set_limits(const orrery_sandbox_plan *plan) {
    struct rlimit none = { 0, 0 };
    if (setrlimit(RLIMIT_CORE, &none) != 0) orrery_fail(plan->report, ORRERY_LIMIT);
    bound(plan, RLIMIT_AS, plan->address_space);
    bound(plan, RLIMIT_FSIZE, plan->file_size);
    bound(plan, RLIMIT_CPU, plan->cpu_seconds);
    bound(plan, RLIMIT_NOFILE, plan->open_files);
    // This limit counts pending signals and timers of all sandboxes of the user together.
    bound(plan, RLIMIT_SIGPENDING, 4096);
    if (plan->builds_namespaces) bound(plan, RLIMIT_NPROC, plan->processes);
}

/// Resets signals to the state in which a shell starts programs.
static void reset_signals(void) {
    for (int number = 1; number < 65; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void close_others(const int *kept) {
    // Find the next descriptor by a linear search, because there are only a few.
    unsigned from = 3;
    for (;;) {
        unsigned next = ~0U;
        for (int i = 0; kept[i] >= 0; i++) {
            unsigned one = (unsigned)kept[i];
            if (one >= from && one < next) next = one;
        }
        if (next == ~0U) {
            syscall(SYS_close_range, from, ~0U, 0);
            return;
        }
        if (next > from) syscall(SYS_close_range, from, next - 1, 0);
        from = next + 1;
    }
}

/// Installs the standard streams. Descriptors in their places are moved away first.
static void take_streams(const orrery_sandbox_plan *plan) {
    int ends[3] = { plan->input, plan->output, plan->errors };
    for (int i = 0; i < 3; i++) ends[i] = fcntl(ends[i], F_DUPFD, 16);
    for (int i = 0; i < 3; i++) {
        if (ends[i] < 0 || dup2(ends[i], i) < 0) orrery_fail(plan->report, ORRERY_START);
        close(ends[i]);
    }
}

static void drop_capabilities(const orrery_sandbox_plan *plan) {
    for (int one = 0; one < 64; one++) prctl(PR_CAPBSET_DROP, one, 0, 0, 0);
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct none[2];
    memset(none, 0, sizeof none);
    if (syscall(SYS_capset, &header, none) != 0) orrery_fail(plan->report, ORRERY_CAPABILITIES);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) orrery_fail(plan->report, ORRERY_CAPABILITIES);
}

static void become(const orrery_sandbox_plan *plan) {
    reset_signals();
    execve(plan->program, plan->arguments, plan->environment);
    orrery_fail(plan->report, ORRERY_RUN);
}

/// Runs as the second process: drops everything that the program does not need, and becomes the program.
static void second(const orrery_sandbox_plan *plan) {
    setsid();
    take_streams(plan);
    int kept[] = { plan->report, -1 };
    close_others(kept);
    set_limits(plan);
    drop_capabilities(plan);
    static const char *const reading[] = { "/" };
    static const char *const writing[] = { "/tmp", "/dev/shm", "/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                           "/dev/urandom" };
    errno = orrery_landlock(1, reading, sizeof writing / sizeof *writing, writing);
    if (errno != 0) orrery_fail(plan->report, ORRERY_LANDLOCK);
    if (chdir("/tmp") != 0) orrery_fail(plan->report, ORRERY_FOLDER);
    struct sock_filter rules[ORRERY_FILTER_ROOM];
    struct sock_fprog filter = { .len = (unsigned short)orrery_filter(rules), .filter = rules };
    if (filter.len == 0) errno = ENOSYS;
    if (filter.len == 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) != 0)
        orrery_fail(plan->report, ORRERY_FILTER);
    become(plan);
}

/// Finds where the kernel reads this program's arguments; leaves the results unchanged if it does not report the place.
static void find_words(char **words, size_t *size) {
    char text[1024];
    int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    ssize_t count = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0) close(file);
    text[count > 0 ? count : 0] = 0;
    // The fields from 3 follow the name in parentheses: 48 and 49 bound the arguments.
    char *at = strrchr(text, ')');
    for (int field = 2; at != NULL && field < 48; field++) at = strchr(at + 1, ' ');
    if (at == NULL) return;
    unsigned long from = strtoul(at, &at, 10), to = strtoul(at, NULL, 10);
    if (from == 0 || to <= from || to - from > 64UL << 20) return;
    *words = (char *)from;
    *size = to - from;
}

/// Runs as the first process of the namespace, where every process in the sandbox could read this program's arguments.
static void first(const orrery_sandbox_plan *plan, int gate, char *words, size_t size) {
    // This is a copy of the parent's memory; the parent keeps its arguments.
    if (words != NULL) memset(words, 0, size);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    setsid();
    // The parent writes the user map.
    char letter;
    if (read(gate, &letter, 1) != 1) _exit(126);
    orrery_build_root(plan);
    // Changing the user resets the signal. If the parent died before this line, the gate is closed.
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    struct pollfd life = { .fd = gate, .events = POLLIN };
    if (poll(&life, 1, 0) != 0) _exit(126);
    close(gate);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    pid_t program = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (program < 0) orrery_fail(plan->report, ORRERY_START);
    if (program == 0) second(plan);
    // The exec of the second process closes its copy of the report; the first process keeps its own.
    close(0);
    close(1);
    close(2);
    int kept[] = { plan->report, -1 };
    close_others(kept);
    for (;;) {
        int status;
        pid_t dead = waitpid(-1, &status, 0);
        if (dead < 0 && errno != EINTR) _exit(126);
        if (dead != program) continue;
        orrery_tell(plan->report, 0, status);
        _exit(0);
    }
}

/// Runs as the process that becomes bubblewrap.
static void bubblewrap(const orrery_sandbox_plan *plan) {
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    setsid();
    orrery_offer();
    if (plan->user != 0) {
        if (syscall(SYS_setgroups, 0, NULL) != 0
            || syscall(SYS_setresgid, plan->user, plan->user, plan->user) != 0
            || syscall(SYS_setresuid, plan->user, plan->user, plan->user) != 0)
            orrery_fail(plan->report, ORRERY_USER);
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    }
    take_streams(plan);
    if (dup2(plan->ready, 3) < 0 || dup2(plan->go, 4) < 0) orrery_fail(plan->report, ORRERY_START);
    int kept[8] = { plan->report, 3, 4, -1, -1, -1, -1, -1 };
    for (int i = 0, n = 3; i < 4 && plan->kept[i] >= 0; i++) {
        kept[n++] = plan->kept[i];
        fcntl(plan->kept[i], F_SETFD, 0);
    }
    close_others(kept);
    set_limits(plan);
    if (chdir("/") != 0) orrery_fail(plan->report, ORRERY_FOLDER);
    become(plan);
}

static int write_file(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return -1;
    size_t length = strlen(text);
    int failed = write(file, text, length) == (ssize_t)length ? 0 : -1;
    int kept = errno;
    close(file);
    errno = kept;
    return failed;
}

/// Maps the child to one user: another user if the caller is root, otherwise the caller.
static int map_user(const orrery_sandbox_plan *plan, pid_t child) {
    char path[64], line[64];
    if (plan->user == 0) {
        snprintf(path, sizeof path, "/proc/%d/setgroups", (int)child);
        if (write_file(path, "deny") != 0) return -1;
    }
    snprintf(path, sizeof path, "/proc/%d/uid_map", (int)child);
    snprintf(line, sizeof line, "65534 %u 1", plan->user != 0 ? plan->user : (unsigned)geteuid());
    if (write_file(path, line) != 0) return -1;
    snprintf(path, sizeof path, "/proc/%d/gid_map", (int)child);
    snprintf(line, sizeof line, "65534 %u 1", plan->user != 0 ? plan->user : (unsigned)getegid());
    return write_file(path, line);
}

pid_t orrery_sandbox_start(const orrery_sandbox_plan *plan, int *handle, int *life) {
    int gate[2] = { -1, -1 };
    *life = -1;
    unsigned long flags = SIGCHLD;
    char *words = NULL;
    size_t words_size = 0;
    if (plan->builds_namespaces) {
        find_words(&words, &words_size);
        flags |= CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
        if (pipe2(gate, O_CLOEXEC) != 0) return -1;
    }
    // No signal may run a handler of this program in the child.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = (pid_t)syscall(SYS_clone, flags, 0, 0, 0, 0);
    if (child == 0) {
        if (!plan->builds_namespaces) bubblewrap(plan);
        close(gate[1]);
        first(plan, gate[0], words, words_size);
    }
    int failed = child < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (child > 0) {
        *handle = orrery_sandbox_handle(child);
        if (*handle < 0) failed = errno;
        if (failed == 0 && plan->builds_namespaces && map_user(plan, child) != 0) failed = errno;
        if (failed == 0 && plan->builds_namespaces && write(gate[1], "g", 1) != 1) failed = errno;
        if (failed != 0) {
            kill(child, SIGKILL);
            while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
            if (*handle >= 0) close(*handle);
            *handle = -1;
            child = -1;
        }
    }
    if (gate[0] >= 0) close(gate[0]);
    if (child > 0) *life = gate[1];
    else if (gate[1] >= 0) close(gate[1]);
    errno = failed;
    return child;
}
