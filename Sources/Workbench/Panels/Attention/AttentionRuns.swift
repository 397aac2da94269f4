/// State of the open runs, during or after an operation.
package struct AttentionRuns: Sendable {
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

    package init(first: AttentionRun, second: AttentionRun? = nil, isChange: Bool = false) {
        self.first = first
        self.second = second
        self.isChange = isChange
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
