internal import LanguageModels

/// What messages hold, as numbers that add up: bytes by part of the context, exchanges with tools, attachments.
struct ContextWeights: Sendable {
    /// Bytes in the order of `ContextBreakdown.Part`, then exchanges, then attachments.
    private var lanes: SIMD8<Float>
    private static let exchangeLane = 6
    private static let attachmentLane = 7

    static let none = ContextWeights(lanes: .zero)

    private init(lanes: SIMD8<Float>) { self.lanes = lanes }

    init(of message: MessageEntry) {
        let extent = message.extent
        lanes = .zero
        lanes[ContextBreakdown.Part(textOf: message.role).rawValue] += Float(extent.text)
        lanes[ContextBreakdown.Part.model.rawValue] += Float(extent.toolCalls)
        lanes[ContextBreakdown.Part.reasoning.rawValue] += Float(extent.reasoning)
        lanes[ContextBreakdown.Part.results.rawValue] += Float(extent.toolResults)
        lanes[ContextBreakdown.Part.tools.rawValue] += Float(extent.toolDefinitions)
        if message.role == .tool || extent.toolResults > 0 { lanes[Self.exchangeLane] = 1 }
        lanes[Self.attachmentLane] = Float(extent.attachments)
        // Extents are counts; whatever a damaged trace holds, no part may come out below nothing.
        lanes.replace(with: 0, where: lanes .< 0)
    }

    subscript(part: ContextBreakdown.Part) -> Float {
        get { lanes[part.rawValue] }
        set { lanes[part.rawValue] = newValue }
    }

    var exchanges: Double { Double(lanes[Self.exchangeLane]) }
    var hasAttachments: Bool { lanes[Self.attachmentLane] > 0 }

    /// Bytes of text of every part.
    var bytes: Double {
        var text = lanes
        text[Self.exchangeLane] = 0
        text[Self.attachmentLane] = 0
        return Double(text.sum())
    }

    static func += (sum: inout ContextWeights, one: ContextWeights) { sum.lanes += one.lanes }

    /// Returns the same messages with `factor` times the usual tokens per byte.
    func scaled(by factor: Float) -> ContextWeights {
        var scaled = ContextWeights(lanes: lanes * factor)
        scaled.lanes[Self.attachmentLane] = lanes[Self.attachmentLane]
        return scaled
    }

    func tokens(_ density: TokenDensity) -> Double { density.tokens(bytes: bytes, exchanges: exchanges) }

    /// Tokens by part, `notInLog` left out. What an exchange takes beyond its text is shared by call and result.
    func tokensByPart(_ density: TokenDensity) -> [Double] {
        var tokens = (0..<Self.exchangeLane).map { Double(lanes[$0]) / density.bytesPerToken }
        let wrapping = exchanges * density.tokensPerExchange / 2
        tokens[ContextBreakdown.Part.model.rawValue] += wrapping
        tokens[ContextBreakdown.Part.results.rawValue] += wrapping
        return tokens
    }
}

extension ContextBreakdown.Part {
    /// Creates the part of the context to which a role's text belongs.
    init(textOf role: Role) {
        self =
            switch role {
            case .system: .system
            case .user: .user
            case .assistant: .model
            case .tool: .results
            }
    }
}
