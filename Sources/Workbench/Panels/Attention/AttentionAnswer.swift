/// What comes back to the attention panel.
package enum AttentionAnswer: Sendable {
    case models([String])
    /// A prompt was found for what was opened.
    case found(AttentionOrderBox)
    /// How far the reading of a prompt has come.
    case reading(Int, of: Int)
    /// A run has come this far.
    case came(AttentionRunBox)
    /// What is shown of the runs.
    case looked(AttentionLookBox)
    case ended(String?)
    case done(String)
    case line(Line, String)
    case lineCancelled(Line)
    /// The factor of the selected head, and the first token at which changed heads apply.
    case scaled(String, from: String)
    /// The user agreed to drop the changed heads.
    case confirmed(AttentionAction)
    case edited(path: String)

    /// What a line was asked for.
    package enum Line: Hashable, Sendable {
        case prompt, model, other, search, target, range, export
    }
}

/// Values of this panel alone, passed through the shell.
package struct AttentionOrderBox: Sendable { let order: AttentionOrder }
/// How far a run has come.
package struct AttentionRunBox: Sendable {
    package let first: AttentionRun
    package var second: AttentionRun?
    /// The token that the cursor goes to; nil leaves it.
    package var place: Int?
    /// Tokens whose share of the cursor's attention is asked for.
    package var range: Range<Int>?
    /// What is to be said of it.
    package var remark: String?
    /// Whether the second run is the first with heads changed.
    package var isChange = false
    /// Whether the work that brought it is done.
    package var isLast = true

    package init(
        first: AttentionRun, second: AttentionRun? = nil, place: Int? = nil, isChange: Bool = false,
        isLast: Bool = true
    ) {
        self.first = first
        self.second = second
        self.place = place
        self.isChange = isChange
        self.isLast = isLast
    }

    /// Finds the places of an order among the tokens that were made of it.
    package mutating func settle(_ order: AttentionOrder, in tokens: TokenBytes) {
        place =
            switch order.place {
            case .end: tokens.count - 1
            case .token(let token): max(0, min(token, tokens.count - 1))
            case .byte(let byte): tokens.token(holding: byte, of: order.text ?? "")
            }
        range = order.range
        guard let passage = order.passage else { return }
        range = tokens.tokens(of: passage)
        if range == nil { remark = "The prompt does not contain the passage verbatim. Press R to mark its tokens." }
    }
}
package struct AttentionLookBox: Sendable { let looks: AttentionLooks }
