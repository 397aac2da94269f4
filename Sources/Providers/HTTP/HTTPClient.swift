internal import CCurl
internal import Glibc
internal import Synchronization
internal import System

/// Makes HTTP exchanges, each on the thread that asks for it, and keeps connections between them.
///
/// Proxies come from the environment as curl takes them (`https_proxy`, `http_proxy`, `all_proxy`, `no_proxy`).
/// Certificates are verified against the machine's, or against the file that `CURL_CA_BUNDLE` or `SSL_CERT_FILE` names.
/// Redirects are not followed, and compressed answers are refused.
package final class HTTPClient: Sendable {
    package let timeouts: HTTPTimeouts
    package let limits: HTTPLimits
    private let certificates: String?
    private let idle = Mutex<[Channel]>([])

    /// As many channels are kept as were in use at the same time, up to this.
    private static let mostIdle = 64

    package init(
        timeouts: HTTPTimeouts = HTTPTimeouts(), limits: HTTPLimits = HTTPLimits(),
        environment: ProviderEnvironment = .process
    ) {
        self.timeouts = timeouts
        self.limits = limits
        certificates = environment.value("CURL_CA_BUNDLE") ?? environment.value("SSL_CERT_FILE")
    }

    /// Sends a request and hands out the body of its answer as it comes.
    ///
    /// The sender waits while `receive` works: what it does not take stays in a buffer of limited size, then in the
    /// sockets.
    /// - Parameters:
    ///   - isCancelled: asked at least every 30 ms, and with every piece.
    ///   - receive: gets pieces of the body, on the calling thread; false says that no more is wanted.
    package func exchange(
        _ request: HTTPRequest, isCancelled: () -> Bool, receive: (HTTPHead, UnsafeBufferPointer<UInt8>) -> Bool
    ) throws(HTTPFailure) -> HTTPHead {
        if let problem = orrery_curl_problem() { throw .unavailable(String(cString: problem)) }
        guard let channel = idle.withLock({ $0.popLast() }) ?? Channel() else { throw .outOfMemory }
        defer {
            orrery_curl_end(channel.pointer)
            idle.withLock { if $0.count < Self.mostIdle { $0.append(channel) } }
        }
        var texts = request.headers.map { strdup("\($0.name): \($0.value)") }
        // A large body would otherwise wait a second for a permission that few servers give.
        texts.append(strdup("Expect:"))
        let url = strdup(request.url)
        let method = request.method.map { strdup($0) }
        let bundle = certificates.map { strdup($0) }
        // Keys are among them: nothing of them stays in freed memory.
        defer { for text in texts + [url, bundle ?? nil, method ?? nil] { Self.wipe(text) } }
        let headers = texts.map { UnsafePointer($0) }
        let body = request.body ?? []
        return try headers.withUnsafeBufferPointer { (headers) throws(HTTPFailure) -> HTTPHead in
            try body.withUnsafeBufferPointer { (bytes) throws(HTTPFailure) -> HTTPHead in
                var description = orrery_curl_request()
                description.url = UnsafePointer(url)
                description.headers = headers.baseAddress
                description.header_count = headers.count
                description.method = UnsafePointer(method ?? nil)
                description.body = request.body == nil ? nil : bytes.baseAddress
                description.body_length = bytes.count
                description.connect_milliseconds = max(1, Int(timeouts.connect * 1000))
                description.certificates = UnsafePointer(bundle ?? nil)
                description.buffer_limit = limits.buffer
                description.header_limit = limits.headers
                let state = orrery_curl_begin(channel.pointer, &description)
                guard state == ORRERY_CURL_RUNNING else { throw Self.failure(state, of: channel, head: nil) }
                return try follow(channel, isCancelled, receive)
            }
        }
    }

    /// Steps the exchange to its end.
    private func follow(
        _ channel: Channel, _ isCancelled: () -> Bool, _ receive: (HTTPHead, UnsafeBufferPointer<UInt8>) -> Bool
    ) throws(HTTPFailure) -> HTTPHead {
        let start = Clock.now(.monotonic)
        var lastNews = start
        var head: HTTPHead?
        var received = 0
        // After the last wanted piece the rest is waited for so long, so that the connection can be used again.
        var enoughSince: Double?
        while true {
            if isCancelled() { throw .cancelled }
            let state = orrery_curl_step(
                channel.pointer, patience(since: start, lastNews, head != nil, isEnding: enoughSince != nil))
            let now = Clock.now(.monotonic)
            if head == nil, orrery_curl_has_headers(channel.pointer) {
                head = Self.head(of: channel)
                lastNews = now
                if let encoding = head?["content-encoding"], encoding.lowercased() != "identity" {
                    throw .encoded(String(encoding.prefix(40)))
                }
            }
            var length = 0
            if let bytes = orrery_curl_body(channel.pointer, &length), length > 0, let head {
                lastNews = now
                received += length
                guard received <= limits.body else { throw .bodyTooLarge }
                let piece = UnsafeBufferPointer(start: bytes, count: length)
                if enoughSince == nil, !receive(head, piece) { enoughSince = Clock.now(.monotonic) }
                orrery_curl_consume(channel.pointer, length)
                lastNews = Clock.now(.monotonic)
            }
            if state != ORRERY_CURL_RUNNING {
                if let head, state == ORRERY_CURL_DONE || enoughSince != nil { return head }
                throw Self.failure(state, of: channel, head: head)
            }
            if let enoughSince, let head, now - enoughSince > 0.02 { return head }
            if head == nil, now - start > timeouts.firstByte { throw .firstByteTimeout }
            if head != nil, now - lastNews > timeouts.idle { throw .idleTimeout }
            if now - start > timeouts.total { throw .totalTimeout }
        }
    }

    /// Milliseconds to wait for news: until the next limit, and never so long that a cancel would be felt.
    ///
    /// Hundreds of exchanges wait at the same time, each on its thread: shorter waits would cost more than the answers.
    private func patience(since start: Double, _ lastNews: Double, _ hasHead: Bool, isEnding: Bool) -> Int32 {
        if isEnding { return 5 }
        let now = Clock.now(.monotonic)
        let silence = hasHead ? lastNews + timeouts.idle : start + timeouts.firstByte
        let rest = min(silence, start + timeouts.total) - now
        return Int32(max(1, min(30, (rest * 1000).rounded(.up))))
    }

    private static func head(of channel: Channel) -> HTTPHead {
        var length = 0
        let bytes = orrery_curl_headers(channel.pointer, &length)
        return HTTPHead(
            status: Int(orrery_curl_status(channel.pointer)), lines: UnsafeBufferPointer(start: bytes, count: length))
    }

    private static func failure(_ state: orrery_curl_state, of channel: Channel, head: HTTPHead?) -> HTTPFailure {
        let message = String(cString: orrery_curl_message(channel.pointer))
        return switch state {
        case ORRERY_CURL_NO_CONNECTION: .noConnection(message)
        case ORRERY_CURL_CONNECT_TIMEOUT: .connectTimeout
        case ORRERY_CURL_NOT_TRUSTED: .notTrusted(message)
        case ORRERY_CURL_BROKEN: .broken(message, afterHead: head != nil)
        case ORRERY_CURL_NOT_HTTP, ORRERY_CURL_DONE: .notHTTP
        case ORRERY_CURL_HEADERS_TOO_LARGE: .headersTooLarge
        case ORRERY_CURL_OUT_OF_MEMORY: .outOfMemory
        case ORRERY_CURL_REFUSED_ADDRESS: .refusedAddress(message)
        default: .broken(message, afterHead: head != nil)
        }
    }

    private static func wipe(_ text: UnsafeMutablePointer<CChar>?) {
        guard let text else { return }
        explicit_bzero(text, strlen(text))
        free(text)
    }
}

/// A channel of libcurl, used by one thread at a time.
private final class Channel: @unchecked Sendable {
    let pointer: OpaquePointer

    init?() {
        guard let pointer = orrery_curl_channel_create() else { return nil }
        self.pointer = pointer
    }

    deinit { orrery_curl_channel_destroy(pointer) }
}

extension Providers {
    /// Why HTTP is unavailable; `nil` if libcurl is installed.
    public static var missingHTTP: String? { orrery_curl_problem().map { String(cString: $0) + "." } }

    /// The library that speaks HTTP, in its own words: `libcurl/7.88.1 OpenSSL/3.0.19`.
    public static var httpVersion: String? { orrery_curl_version().map { String(cString: $0) } }
}
