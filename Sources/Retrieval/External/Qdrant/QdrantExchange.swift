internal import JSON
internal import Providers

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

    /// What an answer that is none of Qdrant's is told.
    func unexpected(_ what: String) -> RetrievalError {
        RetrievalError(name, problem: "its answer has \(what): that is not what Qdrant says")
    }

    /// Sends a request and reads the answer.
    ///
    /// - Parameters:
    ///   - path: behind the address of the server.
    ///   - isMissingFine: a 404 is an answer, not a failure.
    /// - Returns: nil where the answer is a 404 that is fine.
    @discardableResult
    func send(
        _ method: String, _ path: String, _ body: JSONWriter? = nil, isMissingFine: Bool = false,
        isCancelled: @Sendable () -> Bool = { false }
    ) throws(RetrievalError) -> JSONDocument? {
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
            throw RetrievalError(
                name, problem: "no answer: \(Self.reason(error))",
                remedy: "Nothing here was changed; see whether Qdrant runs there.")
        }
        if isMissingFine, head.status == 404 { return nil }
        let document = try? JSONDocument(parsing: bytes)
        guard (200..<300).contains(head.status) else {
            let reason = document?.withRoot { root in root["status"]?["error"]?.string } ?? nil
            throw RetrievalError(
                name, problem: "it answered \(head.status)" + (reason.map { ": \(Self.line($0))" } ?? ""),
                remedy: head.status == 401 || head.status == 403 ? "QDRANT_API_KEY holds the key." : "")
        }
        guard let document else { throw RetrievalError(name, problem: "its answer is no JSON: that is not Qdrant") }
        return document
    }

    /// What a server says, short and without the key.
    private static func line(_ text: String) -> String {
        String(text.split(whereSeparator: \.isNewline).first?.prefix(300) ?? "")
    }

    private static func reason(_ failure: HTTPFailure) -> String {
        switch failure {
        case .unavailable(let text), .noConnection(let text), .notTrusted(let text), .refusedAddress(let text): text
        case .broken(let text, _): "the connection broke (\(text))"
        case .connectTimeout, .firstByteTimeout, .idleTimeout, .totalTimeout: "it took too long"
        case .notHTTP, .headersTooLarge, .bodyTooLarge, .encoded: "what came is no answer of Qdrant"
        case .cancelled: "it was cancelled"
        case .outOfMemory: "there is no memory"
        }
    }
}
