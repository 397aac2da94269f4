// Opens libcurl once, by the names that Linux distributions give it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "CCurl.h"
#include "curl_functions.h"

static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl-nss.so.4", "libcurl.so"};
static const char *const missing =
    "HTTP requires libcurl, which is not installed (libcurl.so.4; package libcurl4 on Debian, libcurl on Fedora)";
static const char *const too_old = "HTTP requires libcurl 7.66 or later, but an older version is installed";
static const char *const broken = "libcurl cannot be initialized";

static pthread_once_t once = PTHREAD_ONCE_INIT;
static orrery_curl_functions functions;
static const char *problem;

static bool resolve(void *library) {
    struct {
        const char *name;
        void *place;
    } const wanted[] = {
        {"curl_global_init", &functions.global_init},
        {"curl_version", &functions.version},
        {"curl_easy_init", &functions.easy_init},
        {"curl_easy_cleanup", &functions.easy_cleanup},
        {"curl_easy_setopt", &functions.easy_setopt},
        {"curl_easy_getinfo", &functions.easy_getinfo},
        {"curl_easy_pause", &functions.easy_pause},
        {"curl_easy_reset", &functions.easy_reset},
        {"curl_easy_strerror", &functions.easy_strerror},
        {"curl_slist_append", &functions.slist_append},
        {"curl_slist_free_all", &functions.slist_free_all},
        {"curl_multi_init", &functions.multi_init},
        {"curl_multi_cleanup", &functions.multi_cleanup},
        {"curl_multi_add_handle", &functions.multi_add_handle},
        {"curl_multi_remove_handle", &functions.multi_remove_handle},
        {"curl_multi_perform", &functions.multi_perform},
        {"curl_multi_poll", &functions.multi_poll},
        {"curl_multi_info_read", &functions.multi_info_read},
    };
    for (size_t index = 0; index < sizeof wanted / sizeof *wanted; index++) {
        void *function = dlsym(library, wanted[index].name);
        if (function == NULL) return false;
        // POSIX allows an object pointer to hold a function pointer, but C has no cast for it.
        *(void **)wanted[index].place = function;
    }
    return true;
}

static void open_once(void) {
    problem = missing;
    const char *own = getenv("ORRERY_CURL");
    size_t count = own != NULL ? 1 : sizeof names / sizeof *names;
    for (size_t index = 0; index < count; index++) {
        void *library = dlopen(own != NULL ? own : names[index], RTLD_NOW | RTLD_LOCAL);
        if (library == NULL) continue;
        if (!resolve(library)) {
            problem = too_old;
        } else if (functions.global_init(GLOBAL_ALL) != CURL_OK) {
            problem = broken;
        } else {
            problem = NULL;
            return;
        }
        dlclose(library);
    }
}

const char *orrery_curl_problem(void) {
    pthread_once(&once, open_once);
    return problem;
}

const char *orrery_curl_version(void) {
    return orrery_curl_problem() == NULL ? functions.version() : NULL;
}

const orrery_curl_functions *orrery_curl_open(void) {
    return orrery_curl_problem() == NULL ? &functions : NULL;
}
