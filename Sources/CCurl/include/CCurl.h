// HTTP exchanges through the machine's own libcurl, which is opened when it is first needed.
//
// The program is not linked with libcurl, so it starts faster and also runs without it. curl_functions.h declares the
// used part of libcurl's interface, whose numbers and structures have been the same since version 7.1.
//
// A channel makes one exchange at a time and reuses its connections for the next one. Use it on one thread at a time.
// Nothing here blocks longer than the timeout passed to `orrery_curl_step`.
#ifndef ORRERY_CCURL_H
#define ORRERY_CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Returns why libcurl cannot be used, without a final period; NULL if it can. The first call loads it.
const char *orrery_curl_problem(void);

/// Returns the version, such as `libcurl/7.88.1 OpenSSL/3.0.19 ...`; NULL if it is not installed.
const char *orrery_curl_version(void);

/// A set of open connections with at most one exchange.
typedef struct orrery_curl_channel orrery_curl_channel;

/// A request and the limits of its response. All pointers must stay valid until `orrery_curl_end`.
typedef struct {
    const char *url;
    /// `Name: value`, without line ends.
    const char *const *headers;
    size_t header_count;
    /// `PUT`, `DELETE`; NULL sends a GET without a body, a POST with one.
    const char *method;
    /// Body of the request; NULL sends none.
    const uint8_t *body;
    size_t body_length;
    long connect_milliseconds;
    /// File of certificates to trust instead of the machine's; NULL uses the machine's.
    const char *certificates;
    /// Buffered bytes of the response above which the sender must wait.
    size_t buffer_limit;
    /// Maximum number of bytes in header lines; the exchange fails above it.
    size_t header_limit;
} orrery_curl_request;

/// States of an exchange.
typedef enum {
    ORRERY_CURL_RUNNING = 0,
    ORRERY_CURL_DONE = 1,
    /// No connection: the host is unknown, unreachable, or refuses it.
    ORRERY_CURL_NO_CONNECTION = 2,
    /// Connecting took too long.
    ORRERY_CURL_CONNECT_TIMEOUT = 3,
    /// The certificate or the TLS handshake was rejected.
    ORRERY_CURL_NOT_TRUSTED = 4,
    /// The connection broke after it was made.
    ORRERY_CURL_BROKEN = 5,
    /// The response is not HTTP.
    ORRERY_CURL_NOT_HTTP = 6,
    /// The header lines are longer than the limit.
    ORRERY_CURL_HEADERS_TOO_LARGE = 7,
    ORRERY_CURL_OUT_OF_MEMORY = 8,
    /// libcurl rejects the address or a setting.
    ORRERY_CURL_REFUSED_ADDRESS = 9,
    ORRERY_CURL_OTHER_FAILURE = 10,
} orrery_curl_state;

/// Creates a channel without connections; NULL if memory or libcurl is missing.
orrery_curl_channel *orrery_curl_channel_create(void);

/// Closes a channel and its connections; NULL is ignored.
void orrery_curl_channel_destroy(orrery_curl_channel *channel);

/// Starts an exchange; the channel must not have another one.
orrery_curl_state orrery_curl_begin(orrery_curl_channel *channel, const orrery_curl_request *request);

/// Continues the exchange: sends and receives available bytes, or waits for the given time until some are available.
orrery_curl_state orrery_curl_step(orrery_curl_channel *channel, int wait_milliseconds);

/// Returns the HTTP status of the response; 0 before its first line arrives.
long orrery_curl_status(const orrery_curl_channel *channel);

/// Returns whether the header lines of the final response are complete.
bool orrery_curl_has_headers(const orrery_curl_channel *channel);

/// Returns the header lines of the latest response so far, each with its line break; valid until the next step.
const uint8_t *orrery_curl_headers(const orrery_curl_channel *channel, size_t *length);

/// Returns the part of the body received since the last `orrery_curl_consume`; valid until the next step.
const uint8_t *orrery_curl_body(const orrery_curl_channel *channel, size_t *length);

/// Discards the first `length` bytes of the body; a waiting sender resumes.
void orrery_curl_consume(orrery_curl_channel *channel, size_t length);

/// Returns libcurl's message about a failure; empty if there is none.
const char *orrery_curl_message(const orrery_curl_channel *channel);

/// Ends the exchange, whether it is over or not. Its connection is reused only if the complete response was read.
void orrery_curl_end(orrery_curl_channel *channel);

#endif
