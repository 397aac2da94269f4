internal import Formatting
internal import LanguageModels

/// How a model call's context was filled: parts that add up to what was billed.
public struct ContextBreakdown: Hashable, Sendable {
    /// What a part is made of, in the order in which bars stack them.
    public enum Part: Int, CaseIterable, Sendable {
        case system, tools, user, model, reasoning, results
        /// Billed, but the log holds no text for it: a coding agent's system prompt and tool definitions, reminders that
        /// it puts in, images.
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

    /// By `Part.rawValue`.
    private var tokens: [Int]
    /// Tokens billed as input; `nil` if not recorded, in which case the parts are estimates from the text alone.
    public let billed: Int?
    /// What estimates are based on.
    public let density: TokenDensity
    /// Whether the log holds more text than was billed, so that its parts were scaled down: some was left out.
    public let wasScaled: Bool
    /// Whether the provider had dropped the thinking of earlier turns, which is in the log.
    public let droppedReasoning: Bool

    /// Whether all that the model read is in the log: what its chat format adds is counted to the parts.
    public private(set) var isWhole = false

    /// The same of a call whose whole prompt is known to come from the log, as that of a model in this process: what was
    /// billed beyond the messages is the words of the chat format, which count to the messages that they frame. It is
    /// the same as before where no text was logged.
    public var whole: ContextBreakdown {
        let logged = tokens.dropLast()
        guard billed != nil, logged.contains(where: { $0 > 0 }) else { return self }
        var whole = self
        whole.tokens = Self.whole(logged.map { Double($0) }, total: total) + [0]
        whole.isWhole = true
        return whole
    }

    /// Tokens of a part.
    public subscript(part: Part) -> Int { tokens[part.rawValue] }

    /// Sum of all parts; equals `billed` if that is known.
    public var total: Int { tokens.reduce(0, +) }

    /// Splits a call's input. Parts are rounded so that they add up exactly.
    ///
    /// - Parameters:
    ///   - hidden: Tokens of the bill that are not in the log.
    init(
        _ weights: ContextWeights, billed: Int?, hidden: Int, density: TokenDensity, droppedReasoning: Bool = false
    ) {
        self.billed = billed
        self.density = density
        self.droppedReasoning = droppedReasoning
        let estimates = weights.tokensByPart(density)
        let logged = estimates.reduce(0, +)
        guard let billed else {
            wasScaled = false
            tokens = Self.whole(estimates, total: Int(min(logged, 1e15).rounded())) + [0]
            return
        }
        let room = max(0, billed - hidden)
        wasScaled = logged > Double(room) * 1.01 + 1
        // Without a text to give it to, everything that was billed is not in the log.
        let whole = Self.whole(estimates, total: min(room, Int(min(logged, 1e15).rounded())))
        tokens = whole + [billed - whole.reduce(0, +)]
    }

    /// Whole numbers in the proportion of some weights that add up to a total: each is rounded down, and what is missing
    /// goes to the largest remainders, ties to the first (Hamilton's method).
    private static func whole(_ weights: [Double], total: Int) -> [Int] {
        let sum = weights.reduce(0, +)
        guard sum > 0, sum.isFinite, total > 0 else { return weights.map { _ in 0 } }
        let exact = weights.map { $0 / sum * Double(total) }
        var whole = exact.map { Int($0) }
        let byRemainder = exact.indices.sorted {
            (Double(whole[$0]) - exact[$0], $0) < (Double(whole[$1]) - exact[$1], $1)
        }
        let missing = total - whole.reduce(0, +)
        for index in byRemainder.prefix(max(0, missing)) { whole[index] += 1 }
        return whole
    }
}

extension ContextBreakdown {
    /// Note on the figures: which are billed, which are estimated, and how.
    public var note: String {
        let digits = Format.fixed(density.bytesPerToken, digits: 1)
        var source = "\(digits) bytes/token, the default"
        if density.samples > 0 {
            source = "\(digits) bytes/token, measured on \(density.samples) calls of this run"
        }
        guard billed != nil else { return "The log records no billed tokens, so everything is estimated at \(source)." }
        var note = "The total is billed; the split is estimated at \(source)."
        if density.samples > 0 {
            note = "The total is billed; the split is estimated from the growth in billed tokens and at \(source)."
        }
        if isWhole { note += " The chat format's overhead is counted as messages." }
        if wasScaled { note += " The log contains more tokens than were billed, so the parts are scaled down." }
        if droppedReasoning { note += " As in the provider's count, thinking from earlier turns is excluded." }
        return note
    }
}

extension Replay {
    /// The context breakdown of a step, from spans and messages alone; `nil` if no model call precedes the step.
    /// `TraceStore.context(at:of:)` also reads the record of the call. O(1).
    public func breakdown(at step: Int) -> ContextBreakdown? {
        guard let call = modelCall(at: step) else { return nil }
        let billed = ledger.billed[call]
        return ContextBreakdown(
            ledger.weights(ofCall: call, head: outline.head[steps[call]]), billed: billed > 0 ? billed : nil,
            hidden: ledger.hidden[call], density: ledger.density(ofCall: call),
            droppedReasoning: ledger.dropped[call] > 0)
    }
}

extension TraceStore {
    /// The context breakdown of a step; `nil` if no model call precedes it. Every view of a step's context uses this
    /// function.
    ///
    /// Only models in this process report token counts while reading nothing but the messages. For these, billed tokens
    /// beyond the messages are the chat template.
    public func context(at step: Int, of replay: Replay) throws -> ContextBreakdown? {
        guard let told = replay.breakdown(at: step), let call = replay.modelCall(at: step) else { return nil }
        guard told[.notInLog] > 0 else { return told }
        let inside = try inside(of: replay[call])
        let isOwn = inside.steps.contains { $0.id != nil } || !inside.prompt.isEmpty
        return isOwn ? told.whole : told
    }
}
