// The file system of the sandbox: read-only folders of the machine, and one writable folder of limited size.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CSandbox.h"
#include "steps.h"

// In some C libraries, sys/mount.h and linux/mount.h cannot be included together.
enum { ms_rdonly = 1, ms_nosuid = 2, ms_nodev = 4, ms_noexec = 8, ms_bind = 4096, ms_rec = 16384, ms_private = 1 << 18 };
enum { attribute_rdonly = 1, attribute_nosuid = 2, attribute_nodev = 4, at_recursive = 0x8000, views_at_most = 64 };

struct attributes {
    uint64_t set, clear, propagation, user;
};

static int mount_at(const char *source, const char *target, const char *kind, unsigned long flags, const char *data) {
    return (int)syscall(SYS_mount, source, target, kind, flags, data);
}

/// Makes a mount and all mounts below it read-only; a bind mount alone would leave the mounts below writable.
static int close_mount(const char *path, int below) {
    struct attributes attributes = { .set = attribute_rdonly | attribute_nosuid };
    // Devices such as /dev/null keep working even if the folder above allows no devices.
    if (below) attributes.set |= attribute_nodev;
    return (int)syscall(442, AT_FDCWD, path, below ? at_recursive : 0, &attributes, sizeof attributes);
}

/// Creates the parent folders of a path.
static void make_parents(const char *path) {
    char part[4096];
    size_t length = strlen(path);
    if (length >= sizeof part) return;
    for (size_t i = 1; i < length; i++) {
        if (path[i] != '/') continue;
        memcpy(part, path, i);
        part[i] = 0;
        mkdir(part, 0755);
    }
}

static int make_file(const char *path) {
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0) return -1;
    close(file);
    return 0;
}

static void show(const orrery_sandbox_plan *plan, const orrery_sandbox_view *view, int place) {
    char target[4096], source[64];
    if (snprintf(target, sizeof target, "/newroot%s", view->path) >= (int)sizeof target) {
        errno = ENAMETOOLONG;
        orrery_fail(plan->report, ORRERY_SHOW);
    }
    make_parents(target);
    if (view->link != NULL) {
        if (symlink(view->link, target) != 0 && errno != EEXIST) orrery_fail(plan->report, ORRERY_SHOW);
        return;
    }
    snprintf(source, sizeof source, "/oldroot/proc/self/fd/%d", place);
    int made = view->is_folder ? mkdir(target, 0755) : make_file(target);
    if (made != 0 && errno != EEXIST) orrery_fail(plan->report, ORRERY_SHOW);
    if (mount_at(source, target, NULL, ms_bind | ms_rec, NULL) != 0 || close_mount(target, 1) != 0)
        orrery_fail(plan->report, ORRERY_SHOW);
}

static void make_devices(const orrery_sandbox_plan *plan) {
    static const char *const devices[] = { "null", "zero", "full", "random", "urandom" };
    static const char *const links[][2] = { { "/proc/self/fd", "/newroot/dev/fd" },
                                            { "/proc/self/fd/0", "/newroot/dev/stdin" },
                                            { "/proc/self/fd/1", "/newroot/dev/stdout" },
                                            { "/proc/self/fd/2", "/newroot/dev/stderr" } };
    mkdir("/newroot/dev", 0755);
    for (unsigned i = 0; i < sizeof devices / sizeof *devices; i++) {
        char source[64], target[64];
        // Mapping the real /dev/zero would give shared memory; reading /dev/full returns zeros as well.
        snprintf(source, sizeof source, "/oldroot/dev/%s", i == 1 ? "full" : devices[i]);
        snprintf(target, sizeof target, "/newroot/dev/%s", devices[i]);
        if (make_file(target) != 0 || mount_at(source, target, NULL, ms_bind, NULL) != 0)
            orrery_fail(plan->report, ORRERY_DEVICES);
    }
    for (unsigned i = 0; i < sizeof links / sizeof *links; i++) {
        if (symlink(links[i][0], links[i][1]) != 0) orrery_fail(plan->report, ORRERY_DEVICES);
    }
    // Semaphores of Python's processes live here.
    mkdir("/newroot/dev/shm", 0755);
    if (mount_at("tmpfs", "/newroot/dev/shm", "tmpfs", ms_nosuid | ms_nodev | ms_noexec, "mode=0700,size=1m,nr_inodes=1024")
        != 0)
        orrery_fail(plan->report, ORRERY_DEVICES);
}

void orrery_build_root(const orrery_sandbox_plan *plan) {
    int report = plan->report;
    int places[views_at_most];
    int count = plan->view_count < views_at_most ? plan->view_count : views_at_most;
    orrery_offer();
    if (mount_at(NULL, "/", NULL, ms_rec | ms_private, NULL) != 0) orrery_fail(report, ORRERY_PRIVATE);
    // Opened with the caller's permissions: after this, root's child runs as another user.
    for (int i = 0; i < count; i++) {
        places[i] = plan->views[i].link != NULL ? -1 : open(plan->views[i].path, O_PATH | O_CLOEXEC);
        if (plan->views[i].link == NULL && places[i] < 0) orrery_fail(report, ORRERY_OPEN);
    }
    if (plan->user != 0 && syscall(SYS_setgroups, 0, NULL) != 0) orrery_fail(report, ORRERY_USER);
    if (syscall(SYS_setresgid, 65534, 65534, 65534) != 0 || syscall(SYS_setresuid, 65534, 65534, 65534) != 0)
        orrery_fail(report, ORRERY_USER);

    // Mount a new root on /tmp. The machine's root stays below it until the folders are mounted.
    if (mount_at("tmpfs", "/tmp", "tmpfs", ms_nosuid | ms_nodev, "mode=0755,size=1m") != 0 || chdir("/tmp") != 0)
        orrery_fail(report, ORRERY_PRIVATE);
    if (mkdir("newroot", 0755) != 0 || mkdir("oldroot", 0755) != 0) orrery_fail(report, ORRERY_PRIVATE);
    if (syscall(SYS_pivot_root, "/tmp", "/tmp/oldroot") != 0 || chdir("/") != 0) orrery_fail(report, ORRERY_ROOT);
    if (mount_at("tmpfs", "/newroot", "tmpfs", ms_nosuid | ms_nodev, "mode=0755,size=1m") != 0)
        orrery_fail(report, ORRERY_PRIVATE);

    char size[64];
    snprintf(size, sizeof size, "mode=0700,size=%llu,nr_inodes=65536", (unsigned long long)plan->disk);
    mkdir("/newroot/tmp", 0755);
    if (mount_at("tmpfs", "/newroot/tmp", "tmpfs", ms_nosuid | ms_nodev, size) != 0)
        orrery_fail(report, ORRERY_TEMPORARY);
    for (int i = 0; i < count; i++) {
        show(plan, &plan->views[i], places[i]);
        if (places[i] >= 0) close(places[i]);
    }
    make_devices(plan);
    mkdir("/newroot/proc", 0555);
    if (mount_at("proc", "/newroot/proc", "proc", ms_nosuid | ms_nodev | ms_noexec | ms_rdonly, NULL) != 0)
        orrery_fail(report, ORRERY_PROCESSES);

    // Both roots are mounted in one place for a moment, so that the old root can be unmounted from under the new one.
    if (close_mount("/newroot", 0) != 0) orrery_fail(report, ORRERY_CLOSE);
    if (chdir("/newroot") != 0 || syscall(SYS_pivot_root, ".", ".") != 0 || syscall(SYS_umount2, ".", 2) != 0
        || chdir("/") != 0)
        orrery_fail(report, ORRERY_ROOT);
    syscall(SYS_sethostname, "sandbox", 7);
}
