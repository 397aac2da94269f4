package import Tokenizers

/// What is to be run: a model and a text, and where the cursor is to stand in it.
package struct AttentionOrder: Hashable, Sendable {
    /// A name of the workspace's registry, or a path.
    package var model: String
    package var content: Content
    package var place = Place.end
    /// Tokens whose share of the cursor's attention is asked for, such as a chunk of a context.
    package var range: Range<Int>?
    /// A text whose tokens are to be that range, where their numbers are not known before it is read.
    package var passage: String?
    /// What is to be said when it is open, such as that another model stands in.
    package var remark: String?
    /// What it was read from: an answer, or a call of a trace.
    package var origin: Reference?
    /// The tokens that are the recorded answer, one a step; nil where the text was split anew.
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

    /// Where the cursor goes.
    package enum Place: Hashable, Sendable {
        case end
        case token(Int)
        /// The token that holds this byte of the text.
        case byte(Int)
    }

    var isEmpty: Bool {
        switch content {
        case .text(let text): text.isEmpty
        case .tokens(let tokens): tokens.isEmpty
        }
    }

    /// The text that a person edits; nil where only tokens are known.
    var text: String? { if case .text(let text) = content { text } else { nil } }
}

/// A head that is off or scaled.
package struct HeadChange: Hashable, Sendable {
    package var layer: Int
    package var head: Int
    /// 0 turns it off.
    package var scale: Float

    package init(layer: Int, head: Int, scale: Float) {
        self.layer = layer
        self.head = head
        self.scale = scale
    }

    var title: String { "L\(layer)H\(head) \(words)" }

    /// What is done to the head.
    var words: String { scale == 0 ? "off" : "× \(scale)" }
}
