internal import JSON
internal import LanguageModels
internal import System

/// Sends requests to one endpoint: with its key, again after failures that may pass, until it answers or refuses.
package struct EndpointTransport: Sendable {
    let endpoint: Endpoint
    let environment: ProviderEnvironment
    let policy: RetryPolicy
    let client: HTTPClient

    package init(_ endpoint: Endpoint, environment: ProviderEnvironment, limits: HTTPLimits = HTTPLimits()) {
        self.endpoint = endpoint
        self.environment = environment
        policy = RetryPolicy(retries: endpoint.retries)
        client = HTTPClient(timeouts: endpoint.timeouts, limits: limits, environment: environment)
    }

    /// How a request ended.
    enum Outcome {
        case answered(HTTPHead, retries: Int)
        case cancelled(retries: Int)
        case refused(Refusal, retries: Int)
    }

    /// Sends a request until it is answered, refused for good or canceled.
    ///
    /// It is sent again only while nothing of an answer has come.
    /// - Parameters:
    ///   - body: JSON; nil sends a GET.
    ///   - texts: pieces of the prompt, which no error may show.
    ///   - receive: gets the body of an answer with a status of 2xx; false says that no more is wanted.
    func send(
        _ path: String, body: [UInt8]?, headers: [(name: String, value: String)] = [], texts: [String],
        isCancelled: () -> Bool,
        receive: (HTTPHead, UnsafeBufferPointer<UInt8>) throws(LanguageModelError) -> Bool
    ) throws(LanguageModelError) -> Outcome {
        let key = try key()
        let redaction = try redaction(of: texts)
        var request = HTTPRequest(url: endpoint.url(path), headers: headers, body: body)
        if body != nil { request.headers.append(("Content-Type", "application/json")) }
        request.headers.append(("Accept", "application/json, text/event-stream"))
        if let key { request.headers.append(Self.header(endpoint.keyHeader, key)) }
        var retries = 0
        while true {
            var problem: LanguageModelError?
            var refusal = RefusalBody()
            var pause: Double?
            let result: Result<HTTPHead, HTTPFailure>
            do throws(HTTPFailure) {
                result = .success(
                    try client.exchange(request, isCancelled: isCancelled) { head, bytes in
                        guard (200..<300).contains(head.status) else { return refusal.take(bytes) }
                        do throws(LanguageModelError) {
                            return try receive(head, bytes)
                        } catch {
                            problem = error
                            return false
                        }
                    })
            } catch {
                result = .failure(error)
            }
            if let problem { throw problem }
            switch result {
            case .success(let head):
                if (200..<300).contains(head.status) { return .answered(head, retries: retries) }
                let refused = refusal.refusal(head, now: environment.clock.wall(), redaction)
                if refused.mayPass {
                    pause = policy.pause(before: retries + 1, asked: refused.retryAfter, lot: environment.random())
                }
                if pause == nil { return .refused(refused, retries: retries) }
            case .failure(.cancelled): return .cancelled(retries: retries)
            case .failure(let failed):
                if failed.mayPass { pause = policy.pause(before: retries + 1, asked: nil, lot: environment.random()) }
                if pause == nil { throw failure(failed, redaction, retries: retries) }
            }
            retries += 1
            environment.clock.sleep(pause ?? 0, isCancelled)
            if isCancelled() { return .cancelled(retries: retries) }
        }
    }

    /// Returns the key, which is read again for every request.
    private func key() throws(LanguageModelError) -> String? {
        guard let name = endpoint.keyVariable else { return nil }
        var key = environment.value(name) ?? ""
        while let last = key.last, last.isWhitespace { key.removeLast() }
        while let first = key.first, first.isWhitespace { key.removeFirst() }
        guard !key.isEmpty else {
            throw LanguageModelError(
                .authorization, model: endpoint.title, problem: "environment variable \(name) is empty or not set",
                remedy: "Set \(name) to a key, or use another variable with ,key=NAME (or ,key=none).")
        }
        guard key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw LanguageModelError(
                .authorization, model: endpoint.title, problem: "the key in \(name) contains invalid characters",
                remedy: "Set \(name) again.")
        }
        return key
    }

    /// What keeps the key and these texts out of sentences.
    func redaction(of texts: [String]) throws(LanguageModelError) -> Redaction {
        Redaction(secrets: try key().map { [$0] } ?? [], texts: texts)
    }

    private static func header(_ kind: Endpoint.KeyHeader, _ key: String) -> (name: String, value: String) {
        switch kind {
        case .bearer: ("Authorization", "Bearer " + key)
        case .apiKey: ("api-key", key)
        case .xAPIKey: ("x-api-key", key)
        }
    }

    /// The names of the models that the endpoint lists, sorted.
    func models(isCancelled: () -> Bool) throws(LanguageModelError) -> [String] {
        var body: [UInt8] = []
        let headers = endpoint.keyHeader == .xAPIKey ? [("anthropic-version", AnthropicModel.version)] : []
        let outcome = try send("/models", body: nil, headers: headers, texts: [], isCancelled: isCancelled) {
            (_, bytes) throws(LanguageModelError) in
            guard body.count + bytes.count <= 16 << 20 else {
                throw LanguageModelError(
                    .protocolViolation, model: endpoint.title, problem: "the model list is too large")
            }
            body.append(contentsOf: bytes)
            return true
        }
        switch outcome {
        case .cancelled:
            throw LanguageModelError(
                .local, model: endpoint.title, problem: "the request for the model list was canceled")
        case .refused(let refusal, let retries): throw failure(refusal, retries: retries)
        case .answered: break
        }
        do {
            return try JSONDocument(parsing: body).withRoot { root in
                let list = root["data"] ?? root["models"]
                return (list?.elements.compactMap { ($0["id"] ?? $0["name"])?.string } ?? []).sorted()
            }
        } catch {
            throw LanguageModelError(
                .protocolViolation, model: endpoint.title, problem: "the model list is not JSON",
                remedy: "Check the address. Most addresses end with /v1.")
        }
    }
}

extension HTTPFailure {
    /// Whether the same request may be sent again: nothing of an answer has come, and the next try may do better.
    var mayPass: Bool {
        switch self {
        case .noConnection, .connectTimeout, .broken(_, afterHead: false): true
        default: false
        }
    }
}
