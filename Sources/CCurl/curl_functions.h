// The part of libcurl's interface that is used, as <curl/curl.h> and <curl/multi.h> define it.
#ifndef ORRERY_CURL_FUNCTIONS_H
#define ORRERY_CURL_FUNCTIONS_H

#include <stddef.h>

typedef void CURL;
typedef void CURLM;
struct curl_slist;

// CURLMsg of <curl/multi.h>.
typedef struct {
    int msg;
    CURL *easy_handle;
    union {
        void *whatever;
        int result;
    } data;
} orrery_curl_message_record;

// Options: their number, and 10000 for pointers, 20000 for functions, 30000 for 64-bit lengths.
enum {
    OPTION_NETRC = 51,
    OPTION_POST = 47,
    OPTION_FOLLOWLOCATION = 52,
    OPTION_SSL_VERIFYPEER = 64,
    OPTION_HTTPGET = 80,
    OPTION_CUSTOMREQUEST = 10036,
    OPTION_SSL_VERIFYHOST = 81,
    OPTION_NOSIGNAL = 99,
    OPTION_TCP_NODELAY = 121,
    OPTION_CONNECTTIMEOUT_MS = 156,
    OPTION_PROTOCOLS = 181,
    OPTION_TCP_KEEPALIVE = 213,
    OPTION_SUPPRESS_CONNECT_HEADERS = 265,
    OPTION_HTTP09_ALLOWED = 285,
    OPTION_QUICK_EXIT = 322,
    OPTION_WRITEDATA = 10001,
    OPTION_URL = 10002,
    OPTION_ERRORBUFFER = 10010,
    OPTION_POSTFIELDS = 10015,
    OPTION_USERAGENT = 10018,
    OPTION_HTTPHEADER = 10023,
    OPTION_HEADERDATA = 10029,
    OPTION_CAINFO = 10065,
    OPTION_PROTOCOLS_STR = 10318,
    OPTION_WRITEFUNCTION = 20011,
    OPTION_HEADERFUNCTION = 20079,
    OPTION_POSTFIELDSIZE_LARGE = 30120,
};

enum {
    CURL_OK = 0,
    INFO_RESPONSE_CODE = 0x200002,
    MESSAGE_DONE = 1,
    PAUSE_CONTINUE = 0,
    PROTOCOLS_HTTP_AND_HTTPS = 3,
    ERROR_BUFFER_SIZE = 256,
    GLOBAL_ALL = 3,
};

// What a write function returns so that it is called again with the same bytes later.
#define WRITE_PAUSE ((size_t)0x10000001)

// Results of an exchange that have their own messages.
enum {
    RESULT_UNSUPPORTED_PROTOCOL = 1,
    RESULT_MALFORMED_URL = 3,
    RESULT_NO_PROXY_HOST = 5,
    RESULT_NO_HOST = 6,
    RESULT_NO_CONNECTION = 7,
    RESULT_WEIRD_REPLY = 8,
    RESULT_HTTP2 = 16,
    RESULT_PARTIAL_FILE = 18,
    RESULT_WRITE_ERROR = 23,
    RESULT_OUT_OF_MEMORY = 27,
    RESULT_TIMEOUT = 28,
    RESULT_TLS_CONNECT = 35,
    RESULT_EMPTY_REPLY = 52,
    RESULT_SEND = 55,
    RESULT_RECEIVE = 56,
    RESULT_CERTIFICATE_PROBLEM = 58,
    RESULT_CIPHER = 59,
    RESULT_PEER_FAILED_VERIFICATION = 60,
    RESULT_BAD_ENCODING = 61,
    RESULT_BAD_CERTIFICATE_FILE = 77,
    RESULT_ISSUER = 83,
    RESULT_PINNED_KEY = 90,
    RESULT_HTTP2_STREAM = 92,
    RESULT_HTTP3 = 95,
    RESULT_PROXY = 97,
    RESULT_TOO_LARGE = 100,
};

typedef struct {
    int (*global_init)(long flags);
    char *(*version)(void);
    CURL *(*easy_init)(void);
    void (*easy_cleanup)(CURL *easy);
    int (*easy_setopt)(CURL *easy, int option, ...);
    int (*easy_getinfo)(CURL *easy, int info, ...);
    int (*easy_pause)(CURL *easy, int mask);
    void (*easy_reset)(CURL *easy);
    const char *(*easy_strerror)(int code);
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
    void (*slist_free_all)(struct curl_slist *list);
    CURLM *(*multi_init)(void);
    int (*multi_cleanup)(CURLM *multi);
    int (*multi_add_handle)(CURLM *multi, CURL *easy);
    int (*multi_remove_handle)(CURLM *multi, CURL *easy);
    int (*multi_perform)(CURLM *multi, int *running);
    int (*multi_poll)(CURLM *multi, void *extra, unsigned count, int milliseconds, int *happened);
    orrery_curl_message_record *(*multi_info_read)(CURLM *multi, int *remaining);
} orrery_curl_functions;

/// The opened library's functions; NULL if libcurl cannot be used (`orrery_curl_problem` gives the reason).
const orrery_curl_functions *orrery_curl_open(void);

#endif
