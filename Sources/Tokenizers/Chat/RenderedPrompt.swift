public import LanguageModels

/// A conversation as a model reads it, with where each byte came from.
public struct RenderedPrompt: Hashable, Sendable {
    /// A stretch of the text that came from one place.
    public struct Span: Hashable, Sendable {
        /// Bytes of the text's UTF-8.
        public var range: Range<Int>
        public var origin: TokenOrigin

        public init(range: Range<Int>, origin: TokenOrigin) {
            self.range = range
            self.origin = origin
        }
    }

    public let text: String
    /// In order, without gaps, neighbours of different origin.
    public let spans: [Span]
    /// What the template marks with `{% generation %}` as the model's, in bytes of the text's UTF-8.
    public let generated: [Range<Int>]

    /// A prompt from its parts; what the spans leave uncovered is the template's.
    public init(text: String, spans: [Span], generated: [Range<Int>] = []) {
        self.text = text
        self.spans = spans
        self.generated = generated
    }

    init(_ text: Jinja.Text, generated: [Range<Int>]) {
        self.init(
            text: text.string, spans: text.spans.map { Span(range: $0.range, origin: $0.origin) }, generated: generated)
    }

    /// Where a byte came from. O(log spans).
    public func origin(at utf8Offset: Int) -> TokenOrigin {
        var low = 0
        var high = spans.count
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].range.upperBound <= utf8Offset { low = middle + 1 } else { high = middle }
        }
        return low < spans.count && spans[low].range.contains(utf8Offset) ? spans[low].origin : .template
    }

    /// Whether the template wrote all of a range.
    public func isTemplate(_ range: Range<Int>) -> Bool {
        var offset = range.lowerBound
        while offset < range.upperBound {
            if origin(at: offset) != .template { return false }
            guard let span = spans.first(where: { $0.range.contains(offset) }) else { return true }
            offset = span.range.upperBound
        }
        return true
    }
}
