/// Results of the attention panel's effects.
package enum AttentionAnswer: Sendable {
    case models([String])
    /// Prompt of an opened object.
    case found(AttentionOrderBox)
    /// Progress of reading a prompt.
    case reading(Int, of: Int)
    /// State of a run, during or after an operation.
    case came(AttentionRunBox)
    /// Views of the runs, computed for a request.
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

    /// Purpose of a line that the user types.
    package enum Line: Hashable, Sendable {
        case prompt, model, other, search, target, range, export
    }
}

/// Values of this panel, passed through the shell.
package struct AttentionOrderBox: Sendable { let order: AttentionOrder }
/// State of a run.
package struct AttentionRunBox: Sendable {
    package let first: AttentionRun
    package var second: AttentionRun?
    /// New position of the cursor; `nil` leaves the cursor.
    package var place: Int?
    /// Tokens for which the share of the cursor's attention is requested.
    package var range: Range<Int>?
    /// Message to show, such as a warning that another model reads the text.
    package var remark: String?
    /// Whether the second run is the first with heads changed.
    package var isChange = false
    /// Whether the operation has ended.
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

    /// Converts the byte positions of an order to tokens.
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
        if range == nil {
            remark = "The prompt does not contain the passage verbatim. Press R to enter the passage's token range."
        }
    }
}
package struct AttentionLookBox: Sendable { let looks: AttentionLooks }
