// One exchange over libcurl's multi interface, stepped by the caller's own loop.
//
// Received bytes go into a buffer of limited size: when it is full, libcurl pauses, the socket's window fills,
// and the sender waits. Redirects are not followed, content is not decompressed, only HTTP and HTTPS are spoken, and
// certificates are verified. SIGPIPE, which TLS libraries raise on a broken connection, is held back from the process.
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "CCurl.h"
#include "curl_functions.h"

typedef struct {
    uint8_t *bytes;
    size_t length;
    size_t capacity;
} byte_buffer;

struct orrery_curl_channel {
    const orrery_curl_functions *curl;
    CURLM *multi;
    CURL *easy;
    struct curl_slist *headers;
    byte_buffer body;
    byte_buffer header_lines;
    size_t buffer_limit;
    size_t header_limit;
    size_t header_bytes;
    bool is_active;
    bool is_paused;
    bool has_headers;
    bool headers_too_large;
    bool out_of_memory;
    orrery_curl_state state;
    char message[ERROR_BUFFER_SIZE];
};

static bool append(byte_buffer *buffer, const void *bytes, size_t length) {
    if (buffer->capacity - buffer->length < length) {
        size_t capacity = buffer->capacity < 4096 ? 4096 : buffer->capacity;
        while (capacity - buffer->length < length) capacity *= 2;
        uint8_t *grown = realloc(buffer->bytes, capacity);
        if (grown == NULL) return false;
        buffer->bytes = grown;
        buffer->capacity = capacity;
    }
    memcpy(buffer->bytes + buffer->length, bytes, length);
    buffer->length += length;
    return true;
}

/// libcurl hands out at most 16 KiB at a time, so that the buffer passes its limit by no more than that.
static size_t receive_body(char *bytes, size_t size, size_t count, void *context) {
    orrery_curl_channel *channel = context;
    size_t length = size * count;
    if (channel->body.length >= channel->buffer_limit) {
        channel->is_paused = true;
        return WRITE_PAUSE;
    }
    if (!append(&channel->body, bytes, length)) {
        channel->out_of_memory = true;
        return 0;
    }
    return length;
}

/// A line that starts with `HTTP/` starts a new response: the earlier one was a 100 Continue or came from a proxy.
static size_t receive_header(char *bytes, size_t size, size_t count, void *context) {
    orrery_curl_channel *channel = context;
    size_t length = size * count;
    channel->header_bytes += length;
    if (channel->header_bytes > channel->header_limit) {
        channel->headers_too_large = true;
        return 0;
    }
    if (length >= 5 && memcmp(bytes, "HTTP/", 5) == 0) {
        channel->header_lines.length = 0;
        channel->has_headers = false;
    }
    bool is_end = length > 0 && (bytes[0] == '\r' || bytes[0] == '\n');
    if (is_end && orrery_curl_status(channel) >= 200) channel->has_headers = true;
    if (!append(&channel->header_lines, bytes, length)) {
        channel->out_of_memory = true;
        return 0;
    }
    return length;
}

orrery_curl_channel *orrery_curl_channel_create(void) {
    const orrery_curl_functions *curl = orrery_curl_open();
    if (curl == NULL) return NULL;
    orrery_curl_channel *channel = calloc(1, sizeof *channel);
    if (channel == NULL) return NULL;
    channel->curl = curl;
    channel->multi = curl->multi_init();
    channel->easy = curl->easy_init();
    if (channel->multi == NULL || channel->easy == NULL) {
        orrery_curl_channel_destroy(channel);
        return NULL;
    }
    return channel;
}

/// Blocks SIGPIPE in this thread, and afterward discards a SIGPIPE that arrived meanwhile.
typedef struct {
    sigset_t before;
    bool was_pending;
} held_signal;

static held_signal hold_pipe_signal(void) {
    held_signal held;
    sigset_t pipe_signal, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    held.was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &held.before);
    return held;
}

static void release_pipe_signal(const held_signal *held) {
    sigset_t pipe_signal, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    if (!held->was_pending && sigismember(&pending, SIGPIPE) == 1) {
        struct timespec none = {0, 0};
        sigtimedwait(&pipe_signal, NULL, &none);
    }
    pthread_sigmask(SIG_SETMASK, &held->before, NULL);
}

void orrery_curl_channel_destroy(orrery_curl_channel *channel) {
    if (channel == NULL) return;
    held_signal held = hold_pipe_signal();
    orrery_curl_end(channel);
    if (channel->easy != NULL) channel->curl->easy_cleanup(channel->easy);
    if (channel->multi != NULL) channel->curl->multi_cleanup(channel->multi);
    release_pipe_signal(&held);
    free(channel->body.bytes);
    free(channel->header_lines.bytes);
    free(channel);
}

static bool set_options(orrery_curl_channel *channel, const orrery_curl_request *request) {
    const orrery_curl_functions *curl = channel->curl;
    CURL *easy = channel->easy;
    int failed = 0;
    failed |= curl->easy_setopt(easy, OPTION_ERRORBUFFER, channel->message);
    failed |= curl->easy_setopt(easy, OPTION_URL, request->url);
    failed |= curl->easy_setopt(easy, OPTION_HTTPHEADER, channel->headers);
    failed |= curl->easy_setopt(easy, OPTION_USERAGENT, "orrery");
    failed |= curl->easy_setopt(easy, OPTION_WRITEFUNCTION, receive_body);
    failed |= curl->easy_setopt(easy, OPTION_WRITEDATA, channel);
    failed |= curl->easy_setopt(easy, OPTION_HEADERFUNCTION, receive_header);
    failed |= curl->easy_setopt(easy, OPTION_HEADERDATA, channel);
    failed |= curl->easy_setopt(easy, OPTION_NOSIGNAL, 1L);
    failed |= curl->easy_setopt(easy, OPTION_FOLLOWLOCATION, 0L);
    failed |= curl->easy_setopt(easy, OPTION_NETRC, 0L);
    failed |= curl->easy_setopt(easy, OPTION_SSL_VERIFYPEER, 1L);
    failed |= curl->easy_setopt(easy, OPTION_SSL_VERIFYHOST, 2L);
    failed |= curl->easy_setopt(easy, OPTION_CONNECTTIMEOUT_MS, request->connect_milliseconds);
    failed |= curl->easy_setopt(easy, OPTION_HTTP09_ALLOWED, 0L);
    failed |= curl->easy_setopt(easy, OPTION_SUPPRESS_CONNECT_HEADERS, 1L);
    // Version 7.85 replaced the bits with names.
    if (curl->easy_setopt(easy, OPTION_PROTOCOLS_STR, "http,https") != CURL_OK) {
        failed |= curl->easy_setopt(easy, OPTION_PROTOCOLS, (long)PROTOCOLS_HTTP_AND_HTTPS);
    }
    if (request->certificates != NULL) failed |= curl->easy_setopt(easy, OPTION_CAINFO, request->certificates);
    if (request->body != NULL) {
        failed |= curl->easy_setopt(easy, OPTION_POST, 1L);
        failed |= curl->easy_setopt(easy, OPTION_POSTFIELDSIZE_LARGE, (int64_t)request->body_length);
        failed |= curl->easy_setopt(easy, OPTION_POSTFIELDS, (const char *)request->body);
    } else {
        failed |= curl->easy_setopt(easy, OPTION_HTTPGET, 1L);
    }
    if (request->method != NULL) failed |= curl->easy_setopt(easy, OPTION_CUSTOMREQUEST, request->method);
    // Since version 7.87, canceling does not wait for a running name lookup.
    curl->easy_setopt(easy, OPTION_QUICK_EXIT, 1L);
    curl->easy_setopt(easy, OPTION_TCP_NODELAY, 1L);
    curl->easy_setopt(easy, OPTION_TCP_KEEPALIVE, 1L);
    return failed == 0;
}

orrery_curl_state orrery_curl_begin(orrery_curl_channel *channel, const orrery_curl_request *request) {
    const orrery_curl_functions *curl = channel->curl;
    curl->easy_reset(channel->easy);
    channel->body.length = 0;
    channel->header_lines.length = 0;
    channel->header_bytes = 0;
    channel->buffer_limit = request->buffer_limit;
    channel->header_limit = request->header_limit;
    channel->is_paused = false;
    channel->has_headers = false;
    channel->headers_too_large = false;
    channel->out_of_memory = false;
    channel->message[0] = 0;
    channel->state = ORRERY_CURL_RUNNING;
    for (size_t index = 0; index < request->header_count; index++) {
        struct curl_slist *longer = curl->slist_append(channel->headers, request->headers[index]);
        if (longer == NULL) return channel->state = ORRERY_CURL_OUT_OF_MEMORY;
        channel->headers = longer;
    }
    if (!set_options(channel, request)) return channel->state = ORRERY_CURL_REFUSED_ADDRESS;
    if (curl->multi_add_handle(channel->multi, channel->easy) != CURL_OK) {
        return channel->state = ORRERY_CURL_OUT_OF_MEMORY;
    }
    channel->is_active = true;
    return ORRERY_CURL_RUNNING;
}

static orrery_curl_state classify(const orrery_curl_channel *channel, int result) {
    if (channel->headers_too_large) return ORRERY_CURL_HEADERS_TOO_LARGE;
    if (channel->out_of_memory) return ORRERY_CURL_OUT_OF_MEMORY;
    // libcurl limits a line to 100 KiB; until version 8.6, it reports a longer line as a lack of memory.
    bool is_too_large = result == RESULT_OUT_OF_MEMORY || result == RESULT_TOO_LARGE;
    if (is_too_large && !channel->has_headers) return ORRERY_CURL_HEADERS_TOO_LARGE;
    switch (result) {
    case CURL_OK: return ORRERY_CURL_DONE;
    case RESULT_UNSUPPORTED_PROTOCOL:
        // The same result also means that the response has no status line.
        return strstr(channel->message, "HTTP/0.9") != NULL ? ORRERY_CURL_NOT_HTTP : ORRERY_CURL_REFUSED_ADDRESS;
    case RESULT_MALFORMED_URL: return ORRERY_CURL_REFUSED_ADDRESS;
    case RESULT_NO_PROXY_HOST:
    case RESULT_NO_HOST:
    case RESULT_PROXY:
    case RESULT_NO_CONNECTION: return ORRERY_CURL_NO_CONNECTION;
    case RESULT_TIMEOUT: return ORRERY_CURL_CONNECT_TIMEOUT;
    case RESULT_TLS_CONNECT:
    case RESULT_CERTIFICATE_PROBLEM:
    case RESULT_CIPHER:
    case RESULT_PEER_FAILED_VERIFICATION:
    case RESULT_BAD_CERTIFICATE_FILE:
    case RESULT_ISSUER:
    case RESULT_PINNED_KEY: return ORRERY_CURL_NOT_TRUSTED;
    case RESULT_HTTP2:
    case RESULT_HTTP2_STREAM:
    case RESULT_HTTP3:
    case RESULT_PARTIAL_FILE:
    case RESULT_EMPTY_REPLY:
    case RESULT_SEND:
    case RESULT_RECEIVE: return ORRERY_CURL_BROKEN;
    case RESULT_WEIRD_REPLY:
    case RESULT_BAD_ENCODING: return ORRERY_CURL_NOT_HTTP;
    case RESULT_OUT_OF_MEMORY: return ORRERY_CURL_OUT_OF_MEMORY;
    default: return ORRERY_CURL_OTHER_FAILURE;
    }
}

static void read_results(orrery_curl_channel *channel) {
    int remaining = 0;
    orrery_curl_message_record *record;
    while ((record = channel->curl->multi_info_read(channel->multi, &remaining)) != NULL) {
        if (record->msg != MESSAGE_DONE || record->easy_handle != channel->easy) continue;
        int result = record->data.result;
        channel->state = classify(channel, result);
        if (result != CURL_OK && channel->message[0] == 0) {
            strncpy(channel->message, channel->curl->easy_strerror(result), sizeof channel->message - 1);
        }
    }
}

orrery_curl_state orrery_curl_step(orrery_curl_channel *channel, int wait_milliseconds) {
    if (channel->state != ORRERY_CURL_RUNNING) return channel->state;
    held_signal held = hold_pipe_signal();
    int running = 0, happened = 0;
    size_t before = channel->body.length;
    bool had_headers = channel->has_headers;
    if (channel->curl->multi_perform(channel->multi, &running) != CURL_OK) {
        channel->state = ORRERY_CURL_OTHER_FAILURE;
    } else {
        read_results(channel);
    }
    bool is_news = channel->body.length != before || channel->has_headers != had_headers;
    if (channel->state == ORRERY_CURL_RUNNING && !is_news && wait_milliseconds > 0) {
        channel->curl->multi_poll(channel->multi, NULL, 0, wait_milliseconds, &happened);
        if (channel->curl->multi_perform(channel->multi, &running) != CURL_OK) {
            channel->state = ORRERY_CURL_OTHER_FAILURE;
        } else {
            read_results(channel);
        }
    }
    release_pipe_signal(&held);
    return channel->state;
}

long orrery_curl_status(const orrery_curl_channel *channel) {
    long status = 0;
    if (channel->curl->easy_getinfo(channel->easy, INFO_RESPONSE_CODE, &status) != CURL_OK) return 0;
    return status;
}

bool orrery_curl_has_headers(const orrery_curl_channel *channel) {
    return channel->has_headers;
}

const uint8_t *orrery_curl_headers(const orrery_curl_channel *channel, size_t *length) {
    *length = channel->header_lines.length;
    return channel->header_lines.bytes;
}

const uint8_t *orrery_curl_body(const orrery_curl_channel *channel, size_t *length) {
    *length = channel->body.length;
    return channel->body.bytes;
}

void orrery_curl_consume(orrery_curl_channel *channel, size_t length) {
    if (length > channel->body.length) length = channel->body.length;
    if (length > 0) memmove(channel->body.bytes, channel->body.bytes + length, channel->body.length - length);
    channel->body.length -= length;
    if (channel->is_paused && channel->is_active && channel->body.length < channel->buffer_limit) {
        channel->is_paused = false;
        held_signal held = hold_pipe_signal();
        channel->curl->easy_pause(channel->easy, PAUSE_CONTINUE);
        release_pipe_signal(&held);
    }
}

const char *orrery_curl_message(const orrery_curl_channel *channel) {
    return channel->message;
}

void orrery_curl_end(orrery_curl_channel *channel) {
    if (channel->is_active) {
        held_signal held = hold_pipe_signal();
        channel->curl->multi_remove_handle(channel->multi, channel->easy);
        release_pipe_signal(&held);
    }
    channel->is_active = false;
    if (channel->headers != NULL) channel->curl->slist_free_all(channel->headers);
    channel->headers = NULL;
    // Free the memory of an unusually large response.
    if (channel->body.capacity > 4 * channel->buffer_limit + 65536) {
        free(channel->body.bytes);
        channel->body = (byte_buffer){NULL, 0, 0};
    }
}
