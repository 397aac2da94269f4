internal import System

/// What stands behind the address of an endpoint: `model,key=NAME,timeout=60`.
struct EndpointSettings {
    var model: String
    private var values: [String: String] = [:]

    private static let names = ["api", "auth", "key", "retries", "stream", "thinking", "timeout"]

    /// Takes pieces `name=value` from the end; what is left is the model, which may hold commas itself.
    init(_ text: String) throws(Problem) {
        var pieces = text.split(separator: ",", omittingEmptySubsequences: false)
        while pieces.count > 1, let piece = pieces.last, let equals = piece.firstIndex(of: "=") {
            let name = String(piece[..<equals])
            guard Self.names.contains(name) else {
                guard !name.contains("sk-") else { throw ProviderSpecification.keyProblem }
                throw Problem(
                    .unknown, "",
                    "unknown endpoint setting \"\(name)\". Available: \(Self.names.joined(separator: ", "))")
            }
            guard values[name] == nil else { throw Problem(.invalid, "", "duplicate setting \(name)") }
            values[name] = String(piece[piece.index(after: equals)...])
            pieces.removeLast()
        }
        model = pieces.joined(separator: ",")
        guard !ProviderSpecification.looksLikeKey(model) else { throw ProviderSpecification.keyProblem }
        guard model.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw Problem(.invalid, "", "the model name contains a control character")
        }
    }

    /// The endpoint with these settings.
    mutating func specification(
        of plain: Endpoint, preset: Endpoint.Preset?
    ) throws(Problem) -> ProviderSpecification {
        var endpoint = plain
        let isAnthropic: Bool
        switch values["api"] {
        case nil: isAnthropic = preset == .anthropic
        case "openai": isAnthropic = false
        case "anthropic": isAnthropic = true
        default: throw Problem(.invalid, "", "api must be openai or anthropic")
        }
        if isAnthropic { endpoint.keyHeader = .xAPIKey }
        if let name = values["key"] { endpoint.keyVariable = try Self.variable(name) }
        if let word = values["auth"] {
            guard let header = Endpoint.KeyHeader(rawValue: word) else {
                throw Problem(.invalid, "", "auth must be bearer, api-key, or x-api-key")
            }
            endpoint.keyHeader = header
        }
        if let word = values["timeout"] {
            guard let seconds = Double(word), seconds > 0, seconds <= 86_400 else {
                throw Problem(.limit, "", "timeout must be above 0 and at most 86,400 seconds")
            }
            endpoint.timeouts.total = seconds
            endpoint.timeouts.firstByte = min(endpoint.timeouts.firstByte, seconds)
            endpoint.timeouts.idle = min(endpoint.timeouts.idle, seconds)
        }
        if let word = values["retries"] {
            guard let count = Int(word), (0...20).contains(count) else {
                throw Problem(.invalid, "", "retries must be 0 to 20")
            }
            endpoint.retries = count
        }
        if let word = values["stream"] {
            guard word == "yes" || word == "no" else { throw Problem(.invalid, "", "stream must be yes or no") }
            endpoint.streams = word == "yes"
        }
        if let word = values["thinking"] {
            guard isAnthropic, let count = Int(word), (1024...1_000_000).contains(count) else {
                throw Problem(
                    .invalid, "", "thinking must be at least 1024 tokens, and applies only to Anthropic models")
            }
            endpoint.thinkingTokens = count
        }
        return isAnthropic ? .anthropic(endpoint) : .openAI(endpoint)
    }

    /// Capitals, digits and underscores only: a key that was written in place of its variable's name is mostly refused,
    /// and not shown.
    private static func variable(_ name: String) throws(Problem) -> String? {
        if name == "none" { return nil }
        let letters = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
        }
        guard letters, let first = name.first, !first.isNumber, name.utf8.count <= 100 else {
            throw Problem(
                .invalid, "",
                "key must be none or the name of an environment variable in capital letters, not the key itself")
        }
        return name
    }

    /// A word that gives this endpoint.
    static func word(of endpoint: Endpoint, isAnthropic: Bool) -> String {
        let plain = endpoint.preset.map { Endpoint($0, model: endpoint.model) }
        var word = endpoint.preset.map { $0.rawValue + ":" } ?? endpoint.address + "#"
        word += endpoint.model
        if isAnthropic, endpoint.preset != .anthropic { word += ",api=anthropic" }
        if !isAnthropic, endpoint.preset == .anthropic { word += ",api=openai" }
        if endpoint.keyVariable != plain?.keyVariable { word += ",key=\(endpoint.keyVariable ?? "none")" }
        let usualHeader: Endpoint.KeyHeader = isAnthropic || endpoint.preset == .anthropic ? .xAPIKey : .bearer
        if endpoint.keyHeader != usualHeader { word += ",auth=\(endpoint.keyHeader.rawValue)" }
        if endpoint.timeouts.total != HTTPTimeouts().total { word += ",timeout=\(endpoint.timeouts.total)" }
        if endpoint.retries != 3 { word += ",retries=\(endpoint.retries)" }
        if !endpoint.streams { word += ",stream=no" }
        if let tokens = endpoint.thinkingTokens { word += ",thinking=\(tokens)" }
        return word
    }
}
