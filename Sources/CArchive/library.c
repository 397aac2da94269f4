// Opens libarchive once, by the names that Linux distributions give it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "CArchive.h"
#include "archive_functions.h"

static const char *const names[] = {"libarchive.so.13", "libarchive.so"};
static const char *const missing =
    "compressed logs require libarchive, which is not installed (libarchive.so.13; package libarchive13 on Debian, "
    "libarchive on Fedora)";
static const char *const too_old = "compressed logs require libarchive 3 or later, but an older version is installed";

static pthread_once_t once = PTHREAD_ONCE_INIT;
static orrery_archive_functions functions;
static const char *problem;

static int resolve(void *library) {
    struct {
        const char *name;
        void *place;
    } const wanted[] = {
        {"archive_version_string", &functions.version_string},
        {"archive_read_new", &functions.read_new},
        {"archive_read_support_format_zip_streamable", &functions.read_support_format_zip_streamable},
        {"archive_read_open", &functions.read_open},
        {"archive_read_next_header", &functions.read_next_header},
        {"archive_read_data_block", &functions.read_data_block},
        {"archive_error_string", &functions.error_string},
        {"archive_read_free", &functions.read_free},
    };
    for (size_t index = 0; index < sizeof wanted / sizeof *wanted; index++) {
        void *function = dlsym(library, wanted[index].name);
        if (function == NULL) return 0;
        // POSIX allows an object pointer to hold a function pointer, but C has no cast for it.
        *(void **)wanted[index].place = function;
    }
    return 1;
}

static void open_once(void) {
    problem = missing;
    const char *own = getenv("ORRERY_ARCHIVE");
    size_t count = own != NULL ? 1 : sizeof names / sizeof *names;
    for (size_t index = 0; index < count; index++) {
        void *library = dlopen(own != NULL ? own : names[index], RTLD_NOW | RTLD_LOCAL);
        if (library == NULL) continue;
        if (resolve(library)) {
            problem = NULL;
            return;
        }
        problem = too_old;
        dlclose(library);
    }
}

const char *orrery_archive_problem(void) {
    pthread_once(&once, open_once);
    return problem;
}

const char *orrery_archive_version(void) {
    return orrery_archive_problem() == NULL ? functions.version_string() : NULL;
}

const orrery_archive_functions *orrery_archive_functions_open(void) {
    return orrery_archive_problem() == NULL ? &functions : NULL;
}
