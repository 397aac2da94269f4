internal import JSON
public import Providers
internal import Synchronization
public import System

/// Vectors from an endpoint that speaks OpenAI's interface: `POST /v1/embeddings`.
///
/// The key is read from its environment variable for every request and never kept. Requests that failed for a passing
/// reason are sent again after a pause that grows. How wide vectors are is asked once, with a text of one word.
/// Source: OpenAI API reference, "Embeddings"; the compatible interfaces of llama.cpp, vLLM, Ollama and TEI.
public final class EndpointEmbedder: Embedder {
    public let name: String
    public let dimension: Int
    public var digest: String { "endpoint-1-" + ContentDigest(endpoint.address, endpoint.model, "\(dimension)").text }
    public let batchSize: Int

    private let endpoint: Endpoint
    private let environment: ProviderEnvironment
    private let client: HTTPClient
    private let policy: RetryPolicy

    /// - Parameters:
    ///   - dimension: Of its vectors; `nil` asks the endpoint.
    ///   - batchSize: Texts of one request.
    /// - Throws: `Problem` if the endpoint does not answer.
    public init(
        _ endpoint: Endpoint, dimension: Int? = nil, batchSize: Int = 64, environment: ProviderEnvironment = .process
    ) throws(Problem) {
        self.endpoint = endpoint
        self.environment = environment
        self.batchSize = max(1, min(batchSize, 2_048))
        name = endpoint.model.isEmpty ? endpoint.preset?.rawValue ?? "endpoint" : endpoint.model
        client = HTTPClient(timeouts: endpoint.timeouts, environment: environment)
        policy = RetryPolicy(retries: endpoint.retries)
        if let dimension {
            self.dimension = dimension
        } else {
            let request = EmbeddingsExchange(endpoint, environment, client, policy, name)
            let rows = try request.vectors(of: ["one"], dimension: nil) { false }
            self.dimension = rows.count
        }
    }

    public func embed(
        _ texts: [String], as role: EmbeddingRole, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> [Float] {
        var values: [Float] = []
        values.reserveCapacity(texts.count * dimension)
        let exchange = EmbeddingsExchange(endpoint, environment, client, policy, name)
        for start in stride(from: 0, to: texts.count, by: batchSize) {
            let some = texts[start..<min(texts.count, start + batchSize)]
            values += try exchange.vectors(of: Array(some), dimension: dimension, isCancelled)
        }
        return values
    }
}

/// One question for vectors, sent until it is answered or refused for good.
private struct EmbeddingsExchange {
    private let endpoint: Endpoint
    private let environment: ProviderEnvironment
    private let client: HTTPClient
    private let policy: RetryPolicy
    private let name: String

    private static let mostBytes = 256 << 20
    private static let mostRefusal = 64 << 10

    init(
        _ endpoint: Endpoint, _ environment: ProviderEnvironment, _ client: HTTPClient, _ policy: RetryPolicy,
        _ name: String
    ) {
        (self.endpoint, self.environment, self.client) = (endpoint, environment, client)
        (self.policy, self.name) = (policy, name)
    }

    func vectors(
        of texts: [String], dimension: Int?, _ isCancelled: () -> Bool
    ) throws(Problem) -> [Float] {
        let (request, key) = try request(texts)
        let redaction = Redaction(secrets: key.map { [$0] } ?? [], texts: texts)
        var attempt = 1
        while true {
            var body: [UInt8] = []
            var pause: Double?
            let failure: Problem
            let result = Result { () throws(HTTPFailure) in
                try client.exchange(request, isCancelled: isCancelled) { head, bytes in
                    let most = (200..<300).contains(head.status) ? Self.mostBytes : Self.mostRefusal
                    guard body.count + bytes.count <= most else { return false }
                    body.append(contentsOf: bytes)
                    return true
                }
            }
            switch result {
            case .success(let head):
                if (200..<300).contains(head.status) {
                    return try parsed(body, count: texts.count, dimension: dimension)
                }
                failure = refusal(head.status, body, redaction)
                if RetryPolicy.mayPass(status: head.status) {
                    let asked = RetryAfter.seconds(in: head, now: environment.clock.wall())
                    pause = policy.pause(before: attempt, asked: asked, lot: environment.random())
                }
            case .failure(let error):
                if error == .cancelled { throw .cancelled(name) }
                failure = Problem(
                    .failed, place, Self.words(error), remedy: "Check the address and that the server is running.")
                switch error {
                case .noConnection, .connectTimeout, .broken(_, afterHead: false):
                    pause = policy.pause(before: attempt, asked: nil, lot: environment.random())
                default: break
                }
            }
            guard let pause else { throw failure }
            attempt += 1
            environment.clock.sleep(pause, isCancelled)
            if isCancelled() { throw .cancelled(name) }
        }
    }

    private static func words(_ failure: HTTPFailure) -> String {
        switch failure {
        case .unavailable(let text): text
        case .noConnection, .connectTimeout: "cannot connect"
        case .firstByteTimeout, .idleTimeout, .totalTimeout: "the server did not reply in time"
        case .notTrusted: "the TLS certificate or handshake was rejected"
        case .broken: "the connection broke"
        case .notHTTP: "the response is not HTTP"
        case .bodyTooLarge, .headersTooLarge: "the response exceeds the size limit"
        case .encoded: "the response is compressed, which was not requested"
        case .outOfMemory: "not enough memory for the request"
        case .refusedAddress: "the address is not allowed"
        case .cancelled: "the operation was canceled"
        }
    }

    private var address: Substring { endpoint.address.prefix { $0 != "?" } }
    /// Address and model for errors, without the query, which may contain secrets.
    private var place: String { endpoint.model.isEmpty ? String(address) : "\(address) \(endpoint.model)" }

    private func request(_ texts: [String]) throws(Problem) -> (HTTPRequest, key: String?) {
        var json = JSONWriter()
        json.object { json in
            json.member("model", endpoint.model)
            json.member("input", texts)
            json.member("encoding_format", "float")
        }
        let query = endpoint.address.dropFirst(address.count)
        var request = HTTPRequest(url: "\(address)/embeddings\(query)", body: json.bytes)
        request.headers = [("Content-Type", "application/json"), ("Accept", "application/json")]
        guard let variable = endpoint.keyVariable else { return (request, nil) }
        let key = (environment.variable(variable) ?? "").filter { !$0.isWhitespace }
        guard !key.isEmpty, key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw Problem(
                .missing, place, "the environment variable \(variable) contains no API key",
                remedy: "Set it, name another variable with ,key=NAME, or use ,key=none.")
        }
        switch endpoint.keyHeader {
        case .bearer: request.headers.append(("Authorization", "Bearer " + key))
        case .apiKey: request.headers.append(("api-key", key))
        case .xAPIKey: request.headers.append(("x-api-key", key))
        }
        return (request, key)
    }

    /// `{"data": [{"index": 0, "embedding": [...]}, ...]}`
    private func parsed(_ body: [UInt8], count: Int, dimension: Int?) throws(Problem) -> [Float] {
        func wrong(_ problem: String) -> Problem {
            Problem(.failed, place, problem, remedy: "Check the address: it should end with /v1.")
        }
        let document: JSONDocument
        do { document = try JSONDocument(parsing: body, maximumDepth: 64) } catch {
            throw wrong("the response is not JSON")
        }
        return try document.withRoot { (root) throws(Problem) -> [Float] in
            guard let list = root["data"], list.count == count else {
                throw wrong("the server returned \(root["data"]?.count ?? 0) vectors for \(count) texts")
            }
            var width = dimension
            var rows = [[Float]](repeating: [], count: count)
            for (place, entry) in list.elements.enumerated() {
                let index = entry["index"]?.int.flatMap { Int(exactly: $0) } ?? place
                guard rows.indices.contains(index), rows[index].isEmpty, let numbers = entry["embedding"] else {
                    throw wrong("the vectors do not match the texts one to one")
                }
                var row: [Float] = []
                row.reserveCapacity(numbers.count)
                for number in numbers.elements {
                    guard let value = number.double.map({ Float($0) }), value.isFinite else {
                        throw wrong("a vector contains a number that is not finite")
                    }
                    row.append(value)
                }
                width = width ?? row.count
                guard row.count == width, !row.isEmpty, row.count <= 65_536 else {
                    throw wrong("expected \(width ?? 0) dimensions, received \(row.count)")
                }
                rows[index] = row
            }
            return rows.flatMap { $0 }
        }
    }

    private func refusal(_ status: Int, _ body: [UInt8], _ redaction: Redaction) -> Problem {
        if status == 401 || status == 403 {
            // What a server says about a key may show parts of it.
            return Problem(
                .invalid, place,
                endpoint.keyVariable.map { "the server rejected the key in \($0) (\(status))" }
                    ?? "the server requires an API key (\(status))",
                remedy: endpoint.keyVariable == nil ? "Name its environment variable with ,key=NAME." : "")
        }
        let said = (try? JSONDocument(parsing: body, maximumDepth: 64)).flatMap { document in
            document.withRoot { root in
                root["error"]?["message"]?.string ?? root["error"]?.string ?? root["message"]?.string
            }
        }
        let words = said.map { ": " + redaction.clean($0) } ?? ""
        return Problem(
            .missing, place,
            status == 404 ? "not found (404)\(words)" : "the server replied with status \(status)\(words)",
            remedy: status == 404 ? "Check the address and the model name." : "")
    }
}
