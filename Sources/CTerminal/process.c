// The process side of the terminal: signals, the state to restore, waiting, suspending, and resuming.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ncurses.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "CTerminal.h"
#include "internal.h"

static const int soft_signals[] = {SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT};
enum { SOFT = sizeof soft_signals / sizeof *soft_signals, FATAL = sizeof fatal_signals / sizeof *fatal_signals };

static struct sigaction soft_before[SOFT];
static struct sigaction fatal_before[FATAL];

static atomic_int taken;          // whether the screen is taken over and must be restored
static atomic_uint pending;       // CTERMINAL_ bits set by signal handlers
static atomic_long terminate_at;  // time of the first unhandled termination request, in seconds
static int wake_descriptor = -1;
static int standard_error = -1;   // original descriptor while the log replaces it
static struct termios modes_before;
static bool modes_known;
static uint8_t restore_bytes[512];
static size_t restore_count;
static char farewell_text[512];

static void open_wake_descriptor(void) { wake_descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

static void prepare(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_wake_descriptor);
}

static void write_all(int descriptor, const uint8_t *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(descriptor, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EAGAIN) {
            struct pollfd room = {.fd = descriptor, .events = POLLOUT};
            if (poll(&room, 1, 1000) > 0) continue;
        }
        if (written <= 0) return;
        bytes += written;
        count -= (size_t)written;
    }
}

// Restores everything using only system calls, so it can run in a signal handler, at exit, and on any thread. Returns
// false if the screen is not taken over, or if another thread is already restoring it.
static bool restore_raw(void) {
    if (!atomic_exchange(&taken, 0)) return false;
    int code = errno;
    write_all(STDOUT_FILENO, restore_bytes, restore_count);
    if (modes_known) {
        // In a background process, tcsetattr would stop the process without setting the modes.
        sigset_t output, before;
        sigemptyset(&output);
        sigaddset(&output, SIGTTOU);
        pthread_sigmask(SIG_BLOCK, &output, &before);
        tcsetattr(STDIN_FILENO, TCSANOW, &modes_before);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    if (standard_error >= 0) dup2(standard_error, STDERR_FILENO);
    errno = code;
    return true;
}

static void restore_at_exit(void) { restore_raw(); }

static void on_fatal(int signal_number, siginfo_t *info, void *context) {
    (void)context;
    if (restore_raw()) write_all(STDERR_FILENO, (const uint8_t *)farewell_text, strlen(farewell_text));
    for (int i = 0; i < FATAL; i++)
        if (fatal_signals[i] == signal_number) sigaction(signal_number, &fatal_before[i], NULL);
    // After this handler returns, a fault repeats and reaches the previous handler: the Swift runtime's or the default.
    // A signal sent by a process does not repeat, nor does a trap that resumes after its instruction.
    if (info->si_code <= 0 || signal_number == SIGTRAP) raise(signal_number);
}

static void on_soft(int signal_number) {
    int code = errno;
    unsigned bit = 0;
    switch (signal_number) {
    case SIGWINCH: bit = CTERMINAL_RESIZED; break;
    case SIGTSTP: bit = CTERMINAL_STOP; break;
    case SIGCONT: bit = CTERMINAL_CONTINUED; break;
    case SIGHUP: bit = CTERMINAL_HANGUP; break;
    default: {
        bit = CTERMINAL_TERMINATE;
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        long first = atomic_load(&terminate_at);
        if (atomic_load(&pending) & CTERMINAL_TERMINATE && now.tv_sec - first >= 2) {
            // The second request came at least two seconds after an unhandled first one, so the main thread is hung.
            restore_raw();
            signal(signal_number, SIG_DFL);
            raise(signal_number);
        } else if (!(atomic_load(&pending) & CTERMINAL_TERMINATE)) {
            atomic_store(&terminate_at, now.tv_sec);
        }
    }
    }
    atomic_fetch_or(&pending, bit);
    cterminal_wake();
    errno = code;
}

static void handle_signals(void) {
    // Every thread has its own alternate stack, and the Swift runtime may have installed one for this thread.
    stack_t stack;
    if (sigaltstack(NULL, &stack) == 0 && stack.ss_flags & SS_DISABLE) {
        static uint8_t bytes[65536];
        stack = (stack_t){.ss_sp = bytes, .ss_size = sizeof bytes};
        sigaltstack(&stack, NULL);
    }
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = on_soft;
    action.sa_flags = SA_RESTART | SA_ONSTACK;
    for (int i = 0; i < SOFT; i++) {
        sigaction(soft_signals[i], &action, &soft_before[i]);
        // Keep ignoring a signal that nohup, or a shell without job control, made the process ignore.
        bool ignored = soft_before[i].sa_handler == SIG_IGN && soft_signals[i] != SIGWINCH;
        if (ignored) sigaction(soft_signals[i], &soft_before[i], NULL);
    }
    memset(&action, 0, sizeof action);
    sigfillset(&action.sa_mask);
    action.sa_sigaction = on_fatal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (int i = 0; i < FATAL; i++) sigaction(fatal_signals[i], &action, &fatal_before[i]);
}

static void leave_signals(void) {
    for (int i = 0; i < SOFT; i++) sigaction(soft_signals[i], &soft_before[i], NULL);
    for (int i = 0; i < FATAL; i++) sigaction(fatal_signals[i], &fatal_before[i], NULL);
}

int cterminal_claim(const uint8_t *restore, size_t count, const char *farewell, int log) {
    if (count > sizeof restore_bytes) return E2BIG;
    prepare();
    if (wake_descriptor < 0) return errno;
    memcpy(restore_bytes, restore, count);
    restore_count = count;
    snprintf(farewell_text, sizeof farewell_text, "%s", farewell);
    modes_known = tcgetattr(STDIN_FILENO, &modes_before) == 0;
    if (log >= 0) {
        standard_error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
        dup2(log, STDERR_FILENO);
    }
    // Install the handlers before starting ncurses, which does not replace existing handlers.
    handle_signals();
    static bool at_exit;
    if (!at_exit) atexit(restore_at_exit);
    at_exit = true;
    return 0;
}

void cterminal_taken(void) { atomic_store(&taken, 1); }
bool cterminal_is_taken(void) { return atomic_load(&taken); }

void cterminal_release(void) {
    atomic_store(&taken, 0);
    if (modes_known) tcsetattr(STDIN_FILENO, TCSANOW, &modes_before);
    if (standard_error >= 0) {
        dup2(standard_error, STDERR_FILENO);
        close(standard_error);
        standard_error = -1;
    }
    leave_signals();
}

void cterminal_send(const uint8_t *bytes, size_t count) { write_all(STDOUT_FILENO, bytes, count); }

void cterminal_wake(void) {
    prepare();
    uint64_t one = 1;
    ssize_t written = write(wake_descriptor, &one, sizeof one);
    (void)written;
}

int cterminal_wait(int milliseconds, bool with_input) {
    prepare();
    struct pollfd sources[2] = {
        {.fd = with_input ? STDIN_FILENO : -1, .events = POLLIN},
        {.fd = wake_descriptor, .events = POLLIN},
    };
    unsigned bits = 0;
    if (poll(sources, 2, milliseconds) > 0) {
        // A closed terminal also counts as readable; read() then returns end-of-file or EIO.
        if (sources[0].revents & POLLIN) bits |= CTERMINAL_INPUT;
        else if (sources[0].revents) bits |= CTERMINAL_HANGUP;
        if (sources[1].revents & POLLIN) {
            uint64_t count;
            ssize_t taken_out = read(wake_descriptor, &count, sizeof count);
            (void)taken_out;
            bits |= CTERMINAL_WOKEN;
        }
    }
    return (int)(bits | atomic_exchange(&pending, 0));
}

ssize_t cterminal_read(uint8_t *bytes, size_t capacity) {
    ssize_t count;
    do count = read(STDIN_FILENO, bytes, capacity);
    while (count < 0 && errno == EINTR);
    return count < 0 && errno == EAGAIN ? -EAGAIN : count;
}

void cterminal_discard_input(void) { tcflush(STDIN_FILENO, TCIFLUSH); }

// SIGTSTP action and signal mask from before the terminal was lent.
static struct sigaction stop_before;
static sigset_t mask_before;

void cterminal_lend(void) {
    def_prog_mode();
    endwin();
    if (modes_known) tcsetattr(STDIN_FILENO, TCSANOW, &modes_before);
    atomic_store(&taken, 0);
    struct sigaction stop;
    memset(&stop, 0, sizeof stop);
    sigemptyset(&stop.sa_mask);
    stop.sa_handler = SIG_DFL;
    sigaction(SIGTSTP, &stop, &stop_before);
    sigset_t unblocked;
    sigemptyset(&unblocked);
    sigaddset(&unblocked, SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &unblocked, &mask_before);
}

void cterminal_take_back(void) {
    pthread_sigmask(SIG_SETMASK, &mask_before, NULL);
    sigaction(SIGTSTP, &stop_before, NULL);
    tcgetattr(STDIN_FILENO, &modes_before);
    atomic_store(&taken, 1);
    reset_prog_mode();
    clearok(stdscr, TRUE);
    atomic_fetch_and(&pending, ~(unsigned)CTERMINAL_CONTINUED);
}

void cterminal_suspend(void) {
    cterminal_lend();
    // Suspend the whole group, including a parent such as make. The kernel ignores the signal in an orphaned group,
    // which no shell could resume, and the next line runs immediately.
    kill(0, SIGTSTP);
    cterminal_take_back();
}

void cterminal_reclaim(void) {
    reset_prog_mode();
    const char *enter = cterminal_capability("smcup");
    if (enter) cterminal_send((const uint8_t *)enter, strlen(enter));
    clearok(stdscr, TRUE);
}
