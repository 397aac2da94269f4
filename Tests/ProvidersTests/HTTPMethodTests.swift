import Providers
import Testing

@Suite("Methods of HTTP requests", .enabled(if: Providers.missingHTTP == nil, "libcurl is not installed"))
struct HTTPMethodTests {
    @Test(
        "a request has its own method, or the default method for its body",
        arguments: [
            (nil, nil, "GET"), (nil, "{}", "POST"), ("PUT", "{}", "PUT"), ("DELETE", nil, "DELETE"),
            ("DELETE", "{}", "DELETE"),
        ] as [(String?, String?, String)])
    func methods(method: String?, body: String?, sent: String) throws {
        let server = TestServer(answers: Answer.json("{}"))
        let request = HTTPRequest(url: server.address, body: body.map { Array($0.utf8) }, method: method)
        let head = try HTTPClientTests.client().exchange(request, isCancelled: { false }) { _, _ in true }
        #expect(head.status == 200)
        #expect(server.requests.map { $0.head.prefix { $0 != " " } } == [sent[...]])
        #expect(server.requests.map(\.body) == [body ?? ""])
    }

    /// A connection that is used again does not keep the method of the request before.
    @Test("a method applies to one request")
    func aMethodIsForOneRequest() throws {
        let server = TestServer { connection, _ in
            while connection.request() != nil { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na") }
        }
        let client = HTTPClientTests.client()
        for method in ["PUT", nil, "DELETE", nil] {
            let request = HTTPRequest(url: server.address, body: [], method: method)
            _ = try client.exchange(request, isCancelled: { false }) { _, _ in true }
        }
        #expect(server.connections == 1)
        #expect(server.requests.map { $0.head.prefix { $0 != " " } } == ["PUT", "POST", "DELETE", "POST"])
    }
}
