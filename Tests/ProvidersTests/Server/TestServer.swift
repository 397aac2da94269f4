import Glibc
import Synchronization

/// A server on 127.0.0.1 that answers every connection as a script says, byte for byte.
///
/// ```swift
/// let server = TestServer { connection, _ in
///     _ = connection.request()
///     connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
/// }
/// ```
/// The server listens until the process exits, because a test may release it after reading the address.
final class TestServer: Sendable {
    let port: UInt16
    private let log = TestLog()

    /// - Parameter script: what a connection does, with its number from 0; it is closed afterwards.
    init(_ script: @escaping @Sendable (TestConnection, Int) -> Void) {
        // A proxy of the environment is not to be asked for this machine.
        Self.avoidProxies
        let (listener, log) = (socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), log)
        _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length)
                listen(listener, 512)
                getsockname(listener, address, &length)
            }
            return UInt16(bigEndian: pointer.pointee.sin_port)
        }
        Self.start {
            var number = 0
            while case let socket = accept(listener, nil, nil), socket >= 0 {
                _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
                let connection = TestConnection(socket) { request in log.add(request) }
                log.connect()
                let own = number
                number += 1
                Self.start {
                    script(connection, own)
                    connection.end()
                }
            }
        }
    }

    /// Answers one request with each of these in turn, then closes; the last is repeated.
    convenience init(answers: String...) {
        self.init { connection, number in
            guard connection.request() != nil else { return }
            connection.send(answers[min(number, answers.count - 1)])
        }
    }

    var address: String { "http://127.0.0.1:\(port)/v1" }
    var connections: Int { log.connections }
    var requests: [TestRequest] { log.requests }

    private static let avoidProxies: Void = {
        setenv("no_proxy", "127.0.0.1,localhost", 1)
        setenv("NO_PROXY", "127.0.0.1,localhost", 1)
    }()

    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private static func start(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let failed = pthread_create(
            &thread, nil,
            { @Sendable argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, Unmanaged.passRetained(Work(body)).toOpaque())
        if failed == 0 { pthread_detach(thread) }
    }
}

/// What came to a server.
final class TestLog: Sendable {
    private let state = Mutex((connections: 0, requests: [TestRequest]()))

    var connections: Int { state.withLock { $0.connections } }
    var requests: [TestRequest] { state.withLock { $0.requests } }
    func connect() { state.withLock { $0.connections += 1 } }
    func add(_ request: TestRequest) { state.withLock { $0.requests.append(request) } }
}

/// What a client sent.
struct TestRequest: Sendable {
    /// Request line and header lines.
    var head: String
    var body: String

    /// The value of a header line, whose name is given in small letters.
    subscript(name: String) -> String? {
        for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix(name + ":") {
            return String(line.dropFirst(name.count + 1).drop { $0 == " " })
        }
        return nil
    }
}

/// The server's end of a connection.
final class TestConnection: Sendable {
    private let socket: Int32
    private let note: @Sendable (TestRequest) -> Void

    init(_ socket: Int32, _ note: @escaping @Sendable (TestRequest) -> Void) {
        self.socket = socket
        self.note = note
    }

    /// Reads one complete request; returns `nil` if the client closed the connection.
    func request() -> TestRequest? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var head: String?
        var wanted = 0
        while true {
            if head == nil, let end = Self.endOfHead(bytes) {
                let text = String(decoding: bytes[..<end], as: UTF8.self)
                bytes.removeFirst(end)
                head = text
                wanted = Int(TestRequest(head: text, body: "")["content-length"] ?? "0") ?? 0
            }
            if let head, bytes.count >= wanted {
                let request = TestRequest(head: head, body: String(decoding: bytes, as: UTF8.self))
                note(request)
                return request
            }
            let count = recv(socket, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            bytes += chunk[..<count]
        }
    }

    /// Sends text; returns `false` if the client closed the connection.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// Sends a piece of a body in chunked coding; an empty one ends it.
    @discardableResult
    func sendChunk(_ text: String) -> Bool {
        send(String(text.utf8.count, radix: 16) + "\r\n" + text + "\r\n")
    }

    /// Returns whether the client closes the connection or sends data within some milliseconds.
    func isClosed(within milliseconds: Int32) -> Bool { happens(POLLIN, within: milliseconds) }

    /// Returns whether the client accepts no data for some milliseconds.
    func isStuck(for milliseconds: Int32) -> Bool { !happens(POLLOUT, within: milliseconds) }

    private func happens(_ event: Int32, within milliseconds: Int32) -> Bool {
        var wanted = pollfd(fd: socket, events: Int16(event), revents: 0)
        return poll(&wanted, 1, milliseconds) != 0
    }

    /// Blocks until the client closes the connection.
    func waitForClose() {
        var byte: UInt8 = 0
        while recv(socket, &byte, 1, 0) > 0 {}
    }

    func end() {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        let mark: [UInt8] = [13, 10, 13, 10]
        guard bytes.count >= 4 else { return nil }
        return (4...bytes.count).first { Array(bytes[$0 - 4..<$0]) == mark }
    }
}
