internal import LanguageModels

/// How a model call's context was filled: parts that add up to what was billed.
public struct ContextBreakdown: Hashable, Sendable {
    /// What a part is made of, in the order in which bars stack them.
    public enum Part: Int, CaseIterable, Sendable {
        case system, tools, user, model, reasoning, results
        /// Billed, but the log holds no text for it: a coding agent's system prompt and tool definitions, images.
        case notInLog

        public var title: String {
            switch self {
            case .system: "system"
            case .tools: "tools"
            case .user: "user"
            case .model: "model"
            case .reasoning: "reasoning"
            case .results: "results"
            case .notInLog: "not in the log"
            }
        }
    }

    /// Tokens by part.
    public private(set) var tokens: [Part: Int]
    /// Tokens billed as input; nil where the log does not say, and then the parts are estimates of the text alone.
    public var billed: Int?
    public var density: TokenDensity
    /// Whether the text alone was estimated at more than was billed, so that the parts were scaled down to it.
    public private(set) var wasScaled: Bool

    public subscript(part: Part) -> Int { tokens[part] ?? 0 }

    /// The sum of all parts: `billed` where that is known.
    public var total: Int { tokens.values.reduce(0, +) }

    /// Splits a call's input. Parts are rounded so that they add up exactly (largest remainder).
    ///
    /// - Parameter messages: what the call saw, as far as it was recorded.
    public init(_ messages: [MessageEntry], billed: Int?, density: TokenDensity) {
        self.billed = billed
        self.density = density
        let bytes = Self.bytes(messages)
        let estimate = bytes.map { Double($0) / density.bytesPerToken }
        let logged = estimate.reduce(0, +)
        let target = billed.map { min(Double($0), logged) } ?? logged
        wasScaled = billed.map { logged > Double($0) } ?? false
        let whole = Int(target.rounded())
        let rounded = largestRemainder(estimate, total: whole)
        tokens = [:]
        for part in Part.allCases where part != .notInLog { tokens[part] = rounded[part.rawValue] }
        tokens[.notInLog] = billed.map { max(0, $0 - whole) } ?? 0
    }

    /// Bytes by part, in the order of `Part`.
    private static func bytes(_ messages: [MessageEntry]) -> [Int] {
        var bytes = [Int](repeating: 0, count: Part.allCases.count - 1)
        for message in messages {
            let extent = message.extent
            let spoken: Part =
                switch message.role {
                case .system: .system
                case .user: .user
                case .assistant: .model
                case .tool: .results
                }
            bytes[spoken.rawValue] += extent.text
            bytes[Part.model.rawValue] += extent.toolCalls
            bytes[Part.reasoning.rawValue] += extent.reasoning
            bytes[Part.results.rawValue] += extent.toolResults
            bytes[Part.tools.rawValue] += extent.toolDefinitions
        }
        return bytes
    }
}

/// Whole numbers in the proportion of some weights that add up to a total: each is rounded down, and what is missing
/// goes to the largest remainders, ties to the first (Hamilton's method).
func largestRemainder(_ weights: [Double], total: Int) -> [Int] {
    let sum = weights.reduce(0, +)
    guard sum > 0, total > 0 else { return weights.map { _ in 0 } }
    let exact = weights.map { $0 / sum * Double(total) }
    var whole = exact.map { Int($0) }
    let missing = total - whole.reduce(0, +)
    let remainders = zip(exact, whole).map { $0 - Double($1) }
    let byRemainder = exact.indices.sorted { (-remainders[$0], $0) < (-remainders[$1], $1) }
    for index in byRemainder.prefix(max(0, missing)) { whole[index] += 1 }
    return whole
}

extension Replay {
    /// How the context of a step was filled; nil where no model call leads to it.
    public func breakdown(at step: Int) -> ContextBreakdown? {
        guard let call = modelCall(at: step) else { return nil }
        return ContextBreakdown(
            conversation(endingAt: self[call].inputHead), billed: self[call].usage?.input, density: density)
    }
}

extension ContextBreakdown {
    /// What a reader has to know of the figures: what is billed, what is estimated, and how.
    public var note: String {
        let digits = (density.bytesPerToken * 10).rounded() / 10
        let source =
            density.samples == 0
            ? "at \(digits) bytes a token, the usual figure"
            : "at \(digits) bytes a token, measured on \(density.samples) calls of this run"
        if wasScaled { return "The total is billed; the split is estimated \(source), scaled down to the total." }
        if billed == nil { return "Nothing was billed in the log: all is estimated \(source)." }
        return "The total is billed; the split is estimated \(source)."
    }
}
