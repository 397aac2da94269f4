internal import JSON
internal import Providers
internal import System

/// Requests to a Qdrant server, and what its answers mean.
struct QdrantExchange: Sendable {
    /// The address without user, password and query.
    let name: String
    private let address: String
    private let key: String?
    private let client = HTTPClient()

    init(_ address: String, key: String?) {
        var trimmed = address
        while trimmed.hasSuffix("/") { trimmed.removeLast() }
        self.address = trimmed
        self.key = key
        guard let scheme = trimmed.firstRange(of: "://") else {
            name = "Qdrant"
            return
        }
        let rest = trimmed[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let host = rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
        name = trimmed[..<scheme.upperBound] + String(host)
    }

    /// Returns an error for an unexpected response.
    func unexpected(_ what: String) -> Problem {
        Problem(.invalid, name, "unexpected response from Qdrant: \(what)")
    }

    /// Sends a request and reads the answer.
    ///
    /// - Parameters:
    ///   - path: Behind the address of the server.
    ///   - isMissingFine: A 404 is an answer, not a failure.
    /// - Returns: The response; `nil` for a 404 if `isMissingFine`.
    @discardableResult
    func send(
        _ method: String, _ path: String, _ body: JSONWriter? = nil, isMissingFine: Bool = false,
        isCancelled: @Sendable () -> Bool = { false }
    ) throws(Problem) -> JSONDocument? {
        var headers: [(name: String, value: String)] = [("Accept", "application/json")]
        if body != nil { headers.append(("Content-Type", "application/json")) }
        if let key, !key.contains(where: \.isNewline) { headers.append(("api-key", key)) }
        let request = HTTPRequest(
            url: address + path, headers: headers, body: body?.bytes, method: method == "GET" ? nil : method)
        var bytes: [UInt8] = []
        let head: HTTPHead
        do throws(HTTPFailure) {
            head = try client.exchange(request, isCancelled: isCancelled) { _, piece in
                bytes.append(contentsOf: piece)
                return true
            }
        } catch {
            if case .cancelled = error { throw .cancelled(name) }
            throw Problem(
                .missing, name, "no response: \(Self.reason(error))",
                remedy: "The workspace is unchanged. Check that Qdrant is running at this address.")
        }
        if isMissingFine, head.status == 404 { return nil }
        let document = try? JSONDocument(parsing: bytes)
        guard (200..<300).contains(head.status) else {
            let reason = document?.withRoot { root in root["status"]?["error"]?.string } ?? nil
            throw Problem(
                .invalid, name,
                "the server replied with status \(head.status)" + (reason.map { ": \(Self.line($0))" } ?? ""),
                remedy: head.status == 401 || head.status == 403 ? "Set QDRANT_API_KEY to the API key." : "")
        }
        guard let document else {
            throw Problem(.invalid, name, "the response is not JSON, so the server is not Qdrant")
        }
        return document
    }

    /// Returns a server message in short form, without the key.
    private static func line(_ text: String) -> String {
        String(text.split(whereSeparator: \.isNewline).first?.prefix(300) ?? "")
    }

    private static func reason(_ failure: HTTPFailure) -> String {
        switch failure {
        case .unavailable(let text), .noConnection(let text), .notTrusted(let text), .refusedAddress(let text): text
        case .broken(let text, _): "the connection broke (\(text))"
        case .connectTimeout, .firstByteTimeout, .idleTimeout, .totalTimeout: "the request timed out"
        case .notHTTP, .headersTooLarge, .bodyTooLarge, .encoded: "the response is not from Qdrant"
        case .cancelled: "the request was canceled"
        case .outOfMemory: "not enough memory"
        }
    }
}
