package import Tokenizers

/// A text to run: its model, and the position of the cursor.
package struct AttentionOrder: Hashable, Sendable {
    /// Name of a registered model, or a path.
    package var model: String
    package var content: Content
    package var place = Place.end
    /// Tokens for which the share of the cursor's attention is requested, such as a chunk of a context.
    package var range: Range<Int>?
    /// Passage that becomes the range, if its token numbers are unknown before the text is read.
    package var passage: String?
    /// Message to show when the text is open, such as that another model reads it.
    package var remark: String?
    /// Source of the text: a generation or a model call of a trace.
    package var origin: Reference?
    /// Tokens of the recorded answer, one per step; `nil` if the text was tokenized again.
    package var answer: Range<Int>?

    package init(
        model: String, content: Content, place: Place = Place.end, range: Range<Int>? = nil, passage: String? = nil,
        remark: String? = nil, origin: Reference? = nil, answer: Range<Int>? = nil
    ) {
        self.model = model
        self.content = content
        self.place = place
        self.range = range
        self.passage = passage
        self.remark = remark
        self.origin = origin
        self.answer = answer
    }

    package enum Content: Hashable, Sendable {
        case text(String)
        case tokens([TokenID])
    }

    /// Position of the cursor.
    package enum Place: Hashable, Sendable {
        case end
        case token(Int)
        /// Token with this byte of the text.
        case byte(Int)
    }

    var isEmpty: Bool {
        switch content {
        case .text(let text): text.isEmpty
        case .tokens(let tokens): tokens.isEmpty
        }
    }

    /// Editable text; `nil` if only tokens are known.
    var text: String? { if case .text(let text) = content { text } else { nil } }
}

/// A head that is turned off or scaled.
package struct HeadChange: Hashable, Sendable {
    package var layer: Int
    package var head: Int
    /// Factor of the head's output; 0 turns the head off.
    package var scale: Float

    package init(layer: Int, head: Int, scale: Float) {
        self.layer = layer
        self.head = head
        self.scale = scale
    }

    var title: String { "L\(layer)H\(head) \(words)" }

    /// Description of the change.
    var words: String { scale == 0 ? "off" : "× \(scale)" }
}
