import Dispatch
import Glibc
import Providers
import Synchronization
import Testing

@Suite("HTTP exchanges", .enabled(if: Providers.missingHTTP == nil, "libcurl is not installed"))
struct HTTPClientTests {
    static let environment = Setting().environment

    static func client(
        limits: HTTPLimits = HTTPLimits(), timeouts: HTTPTimeouts = HTTPTimeouts()
    ) -> HTTPClient {
        HTTPClient(timeouts: timeouts, limits: limits, environment: environment)
    }

    /// The body as it came, or why none did.
    static func exchange(
        _ client: HTTPClient, _ server: TestServer, isCancelled: () -> Bool = { false }
    ) -> Result<(head: HTTPHead, body: [UInt8]), HTTPFailure> {
        var body: [UInt8] = []
        do throws(HTTPFailure) {
            let head = try client.exchange(
                HTTPRequest(url: server.address, body: Array("{}".utf8)), isCancelled: isCancelled
            ) { _, bytes in
                body.append(contentsOf: bytes)
                return true
            }
            return .success((head, body))
        } catch {
            return .failure(error)
        }
    }

    static func failure(_ result: Result<(head: HTTPHead, body: [UInt8]), HTTPFailure>) -> HTTPFailure? {
        if case .failure(let error) = result { error } else { nil }
    }

    @Test("headers and body arrive")
    func headersAndBodyCome() throws {
        let server = TestServer(
            answers: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 No\r\nX-One:  a b \r\nContent-Length: 3\r\n\r\nabc")
        let (head, body) = try Self.exchange(Self.client(), server).get()
        #expect(head.status == 404)
        #expect(head["x-one"] == "a b")
        #expect(body == Array("abc".utf8))
        #expect(server.requests[0]["user-agent"] == "orrery")
        #expect(server.requests[0]["accept-encoding"] == nil)
    }

    @Test("connections are reused")
    func connectionsAreUsedAgain() throws {
        let server = TestServer { connection, _ in
            while connection.request() != nil { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na") }
        }
        let client = Self.client()
        for _ in 0..<5 { _ = try Self.exchange(client, server).get() }
        #expect(server.connections == 1)
        #expect(server.requests.count == 5)
    }

    @Test(
        "hostile answers end with a reason",
        arguments: [
            ("garbage\r\n\r\n", HTTPFailure.notHTTP),
            ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", .encoded("gzip")),
        ])
    func hostile(answer: String, failure: HTTPFailure) {
        let server = TestServer(answers: answer)
        #expect(Self.failure(Self.exchange(Self.client(), server)) == failure)
    }

    @Test("a response that breaks off is an error")
    func nothingIsBroken() {
        for answer in ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", Answer.chunkedHead + "5\r\nabc"] {
            let server = TestServer(answers: answer)
            guard case .broken = Self.failure(Self.exchange(Self.client(), server)) else {
                Issue.record("'\(answer)' was taken")
                continue
            }
        }
    }

    @Test(
        "endless header lines end at the limit",
        arguments: [
            // One line that never ends, very many lines, very many answers that are not final.
            ("HTTP/1.1 200 OK\r\nX: ", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
            ("HTTP/1.1 200 OK\r\n", "X-Header: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n"),
            ("", "HTTP/1.1 102 Processing\r\nX: y\r\n\r\n"),
        ])
    func endlessHeaders(start: String, piece: String) {
        let server = TestServer { connection, _ in
            _ = connection.request()
            connection.send(start)
            let many = String(repeating: piece, count: 100)
            while connection.send(many) {}
        }
        #expect(Self.failure(Self.exchange(Self.client(), server)) == .headersTooLarge)
    }

    @Test("an endless body ends at the limit")
    func anEndlessBodyEndsAtTheLimit() {
        let server = TestServer { connection, _ in
            _ = connection.request()
            connection.send(Answer.streamHead)
            let much = String(repeating: "data: a\n\n", count: 10_000)
            while connection.send(much) {}
        }
        let client = Self.client(limits: HTTPLimits(body: 1 << 20))
        #expect(Self.failure(Self.exchange(client, server)) == .bodyTooLarge)
    }

    /// A reader that does not read stops the sender long before all is sent.
    @Test("the sender waits for the reader")
    func theSenderWaitsForTheReader() throws {
        let sent = Shared(0)
        let stuck = DispatchSemaphore(value: 0)
        let server = TestServer { connection, _ in
            _ = connection.request()
            connection.send(Answer.streamHead)
            let piece = [UInt8](repeating: 97, count: 1 << 16)
            defer { stuck.signal() }
            for _ in 0..<1024 {
                if connection.isStuck(for: 100) { stuck.signal() }
                guard connection.send(piece) else { return }
                sent.set(sent.current + piece.count)
            }
        }
        var received = 0
        var atFirstPiece = 0
        _ = try Self.client().exchange(
            HTTPRequest(url: server.address), isCancelled: { false },
            receive: { _, bytes in
                if received == 0 {
                    // Reads nothing until the sender can send no more, or has sent all.
                    stuck.wait()
                    atFirstPiece = sent.current
                }
                received += bytes.count
                return true
            })
        #expect(received == 1024 << 16)
        #expect(atFirstPiece < 32 << 20)
    }

    /// libcurl delivers up to 16 KiB at a time, and many times per step unless it is paused.
    @Test("buffers stay small and lose nothing", arguments: [1000, 64 << 10]) func buffersStaySmallAndLoseNothing(
        buffer: Int
    ) throws {
        let pattern = (0..<251).map { UInt8($0) }
        let body = [UInt8](repeatElement(pattern, count: 4200).joined())
        let server = TestServer { connection, _ in
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
            connection.send(body)
        }
        var received: [UInt8] = []
        var largest = 0
        _ = try Self.client(limits: HTTPLimits(buffer: buffer)).exchange(
            HTTPRequest(url: server.address), isCancelled: { false },
            receive: { _, bytes in
                largest = max(largest, bytes.count)
                received.append(contentsOf: bytes)
                return true
            })
        #expect(received == body)
        #expect(largest <= buffer + (16 << 10))
    }

    @Test(
        "times are limited",
        arguments: [
            ("", HTTPFailure.firstByteTimeout), (Answer.streamHead, .idleTimeout),
            (Answer.streamHead + "data: a\n\n", .idleTimeout),
        ])
    func timeouts(answer: String, failure: HTTPFailure) {
        let server = TestServer { connection, _ in
            _ = connection.request()
            connection.send(answer)
            connection.waitForClose()
        }
        let client = Self.client(timeouts: HTTPTimeouts(firstByte: 0.1, idle: 0.1))
        #expect(Self.failure(Self.exchange(client, server)) == failure)
    }

    @Test("a slow response ends at the total timeout")
    func aSlowDripEndsWithTheTotal() {
        let server = TestServer { connection, _ in
            _ = connection.request()
            connection.send(Answer.streamHead)
            while connection.send(":\n"), !connection.isClosed(within: 5) {}
        }
        let client = Self.client(timeouts: HTTPTimeouts(idle: 10, total: 0.15))
        #expect(Self.failure(Self.exchange(client, server)) == .totalTimeout)
    }

    @Test("a closed port is a connection error")
    func nobodyListens() {
        let result: HTTPFailure?
        do throws(HTTPFailure) {
            _ = try Self.client().exchange(HTTPRequest(url: "http://127.0.0.1:1/v1"), isCancelled: { false }) { _, _ in
                true
            }
            result = nil
        } catch {
            result = error
        }
        guard case .noConnection = result else {
            Issue.record("\(String(describing: result))")
            return
        }
    }

    @Test(
        "a cancel ends an exchange within 50 ms", arguments: ["", Answer.streamHead, Answer.streamHead + "data: a\n\n"])
    func cancel(answer: String) {
        let server = TestServer { connection, _ in
            _ = connection.request()
            connection.send(answer)
            connection.waitForClose()
        }
        // The best of some tries: other tests run at the same time.
        let latency = (0..<5).map { _ in
            let cancelledAt = Shared<Double?>(nil)
            let start = Self.now
            let result = Self.exchange(Self.client(), server) {
                guard Self.now - start > 0.03 else { return false }
                if cancelledAt.current == nil { cancelledAt.set(start + 0.03) }
                return true
            }
            #expect(Self.failure(result) == .cancelled)
            return Self.now - (cancelledAt.current ?? start)
        }
        #expect(latency.min() ?? 1 < 0.05)
    }

    /// Seconds of the clock that never goes back.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
