internal import JSON
internal import LanguageModels
internal import Synchronization

/// The tokenizer that a server such as vLLM offers with its models: `/tokenizer_info`, `/tokenize`, `/detokenize` at
/// the address before `/v1`. The evaluation harness calls it the remote tokenizer.
///
/// Tokens of a text are asked for once; the last few thousand texts are remembered.
final class RemoteTokenizer: Sendable {
    /// What the server said of it.
    enum Presence: Sendable {
        /// - prefix: Token for an empty context: the beginning-of-text token, otherwise the end-of-text token.
        case there(prefix: Int?)
        case missing
    }

    private let transport: EndpointTransport
    private let state = Mutex(State())
    private static let mostKept = 4096

    private struct State {
        var presence: Presence?
        var known: [String: [Int]] = [:]
    }

    init(_ transport: EndpointTransport) {
        var endpoint = transport.endpoint
        for ending in ["/v1/", "/v1"] where endpoint.address.hasSuffix(ending) {
            endpoint.address.removeLast(ending.utf8.count)
            break
        }
        self.transport = EndpointTransport(
            endpoint, environment: transport.environment, limits: transport.client.limits)
    }

    /// Whether the server has one; it is asked once.
    func presence(_ isCancelled: () -> Bool) throws(LanguageModelError) -> Presence {
        if let known = state.withLock({ $0.presence }) { return known }
        guard let body = try exchange("/tokenizer_info", body: nil, texts: [], mayMiss: true, isCancelled) else {
            state.withLock { $0.presence = .missing }
            return .missing
        }
        let names = try read(body) { root in [root["bos_token"]?.string, root["eos_token"]?.string] }
        var prefix: Int?
        for name in names.compactMap({ $0 }) {
            guard let token = try encode(name, isCancelled).first else { continue }
            // The harness passes over a token with the number 0.
            prefix = token
            if token != 0 { break }
        }
        let presence = Presence.there(prefix: prefix)
        state.withLock { $0.presence = presence }
        return presence
    }

    /// The tokens of a text, without any that stand for its beginning or end.
    func encode(_ text: String, _ isCancelled: () -> Bool) throws(LanguageModelError) -> [Int] {
        if let known = state.withLock({ $0.known[text] }) { return known }
        var json = JSONWriter()
        json.object { json in
            json.member("prompt", text)
            json.member("add_special_tokens", false)
        }
        let body = try exchange("/tokenize", body: json.bytes, texts: [text], mayMiss: false, isCancelled) ?? []
        let tokens = try read(body) { root in root["tokens"]?.elements.map { $0.int.map(Int.init) } }
        guard let tokens, !tokens.contains(nil) else { throw violation("the /tokenize response has no tokens") }
        let found = tokens.compactMap { $0 }
        state.withLock { state in
            if state.known.count >= Self.mostKept { state.known.removeAll() }
            state.known[text] = found
        }
        return found
    }

    /// The text of tokens.
    func decode(_ tokens: [Int], _ isCancelled: () -> Bool) throws(LanguageModelError) -> String {
        var json = JSONWriter()
        json.object { json in json.member("tokens", tokens) }
        let body = try exchange("/detokenize", body: json.bytes, texts: [], mayMiss: false, isCancelled) ?? []
        guard let text = try read(body, { root in root["prompt"]?.string }) else {
            throw violation("the /detokenize response has no text")
        }
        return text
    }

    /// - Returns: `nil` if the path does not exist and may be missing.
    private func exchange(
        _ path: String, body: [UInt8]?, texts: [String], mayMiss: Bool, _ isCancelled: () -> Bool
    ) throws(LanguageModelError) -> [UInt8]? {
        var answer: [UInt8] = []
        let outcome = try transport.send(path, body: body, texts: texts, isCancelled: isCancelled) {
            (_, bytes) throws(LanguageModelError) in
            guard answer.count + bytes.count <= 64 << 20 else { throw violation("the response is too large") }
            answer.append(contentsOf: bytes)
            return true
        }
        switch outcome {
        case .answered: return answer
        case .cancelled:
            throw LanguageModelError(
                .local, model: transport.endpoint.title, problem: "the tokenization request was canceled")
        case .refused(let refusal, let retries):
            // Anything else may pass: a tokenizer that is there must not be given up for one busy moment.
            if mayMiss, [404, 405, 501].contains(refusal.status) { return nil }
            throw transport.failure(refusal, retries: retries)
        }
    }

    private func read<R>(_ body: [UInt8], _ take: (JSONNode) -> R) throws(LanguageModelError) -> R {
        guard let document = try? JSONDocument(parsing: body) else { throw violation("the response is not JSON") }
        return document.withRoot { take($0) }
    }

    private func violation(_ problem: String) -> LanguageModelError {
        LanguageModelError(.protocolViolation, model: transport.endpoint.title, problem: problem)
    }
}
