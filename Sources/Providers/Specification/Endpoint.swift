/// The address of a model over HTTP, and the settings of its requests. It has the variable of a key, never the key.
public struct Endpoint: Hashable, Sendable {
    /// How the key is sent.
    public enum KeyHeader: String, CaseIterable, Sendable {
        /// `Authorization: Bearer`, as OpenAI and nearly all others want it.
        case bearer
        /// `api-key`, as Azure wants it.
        case apiKey = "api-key"
        /// `x-api-key`, as Anthropic wants it.
        case xAPIKey = "x-api-key"
    }

    /// An endpoint that has a name of its own.
    public enum Preset: String, CaseIterable, Sendable {
        case openAI = "openai"
        case anthropic
        case ollama

        var address: String {
            switch self {
            case .openAI: "https://api.openai.com/v1"
            case .anthropic: "https://api.anthropic.com/v1"
            case .ollama: "http://127.0.0.1:11434/v1"
            }
        }

        /// The variable that holds the key, unless another one is named.
        var keyVariable: String? {
            switch self {
            case .openAI: "OPENAI_API_KEY"
            case .anthropic: "ANTHROPIC_API_KEY"
            case .ollama: nil
            }
        }

        /// The variable that moves it elsewhere, as its own clients read it.
        var addressVariable: String? {
            switch self {
            case .openAI: "OPENAI_BASE_URL"
            case .anthropic: "ANTHROPIC_BASE_URL"
            case .ollama: nil
            }
        }
    }

    /// The name by which it was given; nil for an address.
    public var preset: Preset?
    /// `https://host/v1`: paths such as `/chat/completions` are put behind it, before its query.
    public var address: String
    /// Model name; empty if the endpoint serves a single model, whose name is then requested.
    public var model: String
    /// The environment variable that holds the key; nil sends none.
    public var keyVariable: String?
    public var keyHeader: KeyHeader
    public var timeouts: HTTPTimeouts
    /// How often a request is sent again after a failure that may pass.
    public var retries: Int
    /// Whether answers are asked for piece by piece.
    public var streams: Bool
    /// Tokens that an Anthropic model may think; nil leaves thinking off.
    public var thinkingTokens: Int?

    public init(
        preset: Preset? = nil, address: String, model: String, keyVariable: String? = nil,
        keyHeader: KeyHeader = .bearer, timeouts: HTTPTimeouts = HTTPTimeouts(), retries: Int = 3,
        streams: Bool = true, thinkingTokens: Int? = nil
    ) {
        self.preset = preset
        self.address = address
        self.model = model
        self.keyVariable = keyVariable
        self.keyHeader = keyHeader
        self.timeouts = timeouts
        self.retries = retries
        self.streams = streams
        self.thinkingTokens = thinkingTokens
    }

    /// The endpoint of a preset.
    public init(_ preset: Preset, model: String) {
        self.init(
            preset: preset, address: preset.address, model: model, keyVariable: preset.keyVariable,
            keyHeader: preset == .anthropic ? .xAPIKey : .bearer)
    }

    /// The address of one of its paths.
    func url(_ path: String) -> String {
        guard let query = address.firstIndex(of: "?") else { return address + path }
        return address[..<query] + path + address[query...]
    }

    /// The address without its query, which may contain secrets.
    var publicAddress: String { String(address.prefix { $0 != "?" }) }

    /// Who is asked, as errors say it.
    var title: String {
        let place = preset?.rawValue ?? publicAddress
        return model.isEmpty ? place : "\(place) \(model)"
    }
}

/// How long each part of an exchange may take, in seconds.
public struct HTTPTimeouts: Hashable, Sendable {
    /// Until the connection stands, TLS included.
    public var connect: Double
    /// From the request to the answer's first line.
    public var firstByte: Double
    /// Between two pieces of the answer.
    public var idle: Double
    /// From the request to the answer's end.
    public var total: Double

    public init(connect: Double = 10, firstByte: Double = 600, idle: Double = 300, total: Double = 3600) {
        self.connect = connect
        self.firstByte = firstByte
        self.idle = idle
        self.total = total
    }
}
