public import LanguageModels
internal import System

/// Who is asked, as one word that people type.
///
/// ```swift
/// let specification = try ProviderSpecification("http://127.0.0.1:8080/v1#qwen3")
/// let model = try Providers.make(specification) { path in try openLocalModel(path) }
/// ```
/// `Providers.knownProviders` lists the forms.
public enum ProviderSpecification: Hashable, Sendable {
    /// An endpoint that speaks OpenAI's interface.
    case openAI(Endpoint)
    /// An endpoint that speaks Anthropic's messages interface.
    case anthropic(Endpoint)
    /// A program and its arguments; one JSON line in, JSON lines out.
    case program([String])
    /// Always this answer.
    case scripted(String)
    /// Answers that were recorded in a file.
    case replay(String)
    /// A model in this process: a path, or a name of the registry.
    case local(String)
}

extension ProviderSpecification {
    /// Takes a word apart.
    ///
    /// - Throws: a `.request` error that says what to write instead. A word that looks like a key is not shown.
    public init(_ word: String) throws(LanguageModelError) {
        do {
            self = try Self.parse(word)
        } catch {
            throw LanguageModelError(
                .request, model: "model", problem: error.what,
                remedy:
                    "Examples: openai:gpt-4o-mini, http://127.0.0.1:8080/v1#name, exec:./program, or a path.")
        }
    }

    private static func parse(_ word: String) throws(Problem) -> ProviderSpecification {
        guard !word.isEmpty else { throw Problem(.missing, "", "missing model") }
        guard word.utf8.count <= 65_536 else {
            throw Problem(.limit, "", "the model specification is longer than 64 KiB")
        }
        func rest(after prefix: String) -> String? {
            word.hasPrefix(prefix) ? String(word.dropFirst(prefix.count)) : nil
        }
        if let words = rest(after: "exec:") {
            let words = try ProgramWords.split(words)
            guard !words.contains(where: looksLikeKey) else { throw keyProblem }
            return .program(words)
        }
        if let text = rest(after: "scripted:") { return .scripted(text) }
        if let path = rest(after: "replay:") {
            guard !path.isEmpty else { throw Problem(.invalid, "", "replay: needs the path of a recording") }
            return .replay(path)
        }
        if let name = rest(after: "local:") {
            guard !name.isEmpty else { throw Problem(.invalid, "", "local: needs a path or name") }
            return .local(name)
        }
        for preset in Endpoint.Preset.allCases {
            guard let text = rest(after: preset.rawValue + ":") else { continue }
            var settings = try EndpointSettings(text)
            guard !settings.model.isEmpty else { throw Problem(.invalid, "", "\(preset.rawValue): needs a model name") }
            return try settings.specification(of: Endpoint(preset, model: settings.model), preset: preset)
        }
        if word.hasPrefix("http://") || word.hasPrefix("https://") {
            let address = word.prefix { $0 != "#" }
            guard !carriesKey(address) else { throw keyProblem }
            var settings = try EndpointSettings(String(word.dropFirst(address.count + 1)))
            let endpoint = Endpoint(address: try base(String(address)), model: settings.model)
            return try settings.specification(of: endpoint, preset: nil)
        }
        if word.contains("://") { throw Problem(.unsupported, "", "unsupported address. Use http:// or https://") }
        guard !looksLikeKey(word) else { throw keyProblem }
        return .local(word)
    }

    /// The address as requests want it: checked, without a slash at its end, `/v1` where it has no path.
    static func base(_ text: String) throws(Problem) -> String {
        let parts = try WebAddress(text)
        var path = String(text.prefix { $0 != "?" })
        let query = text.dropFirst(path.count)
        while path.hasSuffix("/") { path.removeLast() }
        return path + (parts.hasPath ? "" : "/v1") + query
    }

    /// Whether the query of an address sets what is a secret by its name: addresses are kept and shown.
    static func carriesKey(_ address: some StringProtocol) -> Bool {
        guard let mark = address.firstIndex(of: "?") else { return false }
        return address[mark...].dropFirst().split(separator: "&").contains { parameter in
            let name = parameter.prefix { $0 != "=" }.lowercased()
            return ["key", "token", "secret", "password", "signature"].contains { name.hasSuffix($0) }
                || looksLikeKey(String(parameter.dropFirst(name.count + 1)))
        }
    }

    static let keyProblem = Problem(
        .invalid, "", "the model name looks like a key, but keys are read only from environment variables")

    /// `sk-` and many letters: the keys of both OpenAI and Anthropic begin so.
    static func looksLikeKey(_ text: String) -> Bool { text.hasPrefix("sk-") && text.utf8.count >= 20 }
}

extension ProviderSpecification: CustomStringConvertible {
    /// A word that parses to the same value.
    public var description: String {
        switch self {
        case .openAI(let endpoint): EndpointSettings.word(of: endpoint, isAnthropic: false)
        case .anthropic(let endpoint): EndpointSettings.word(of: endpoint, isAnthropic: true)
        case .program(let words): "exec:" + words.map(ProgramWords.quoted).joined(separator: " ")
        case .scripted(let text): "scripted:" + text
        case .replay(let path): "replay:" + path
        case .local(let name): "local:" + name
        }
    }

    /// What a title bar shows: the model, or the program.
    public var shortName: String {
        switch self {
        case .openAI(let endpoint), .anthropic(let endpoint):
            endpoint.model.isEmpty ? endpoint.publicAddress : endpoint.model
        case .program(let words): words.first ?? "exec"
        case .scripted: "scripted"
        case .replay(let path), .local(let path): String(path.split(separator: "/").last ?? Substring(path))
        }
    }
}
