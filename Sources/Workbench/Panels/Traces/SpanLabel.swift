internal import Console
internal import LanguageModels
internal import Traces

/// Name of a span in a list: a tool by its name and main argument, a model call by its answer.
struct SpanLabel {
    private let span: Span

    init(_ span: Span) { self.span = span }

    /// Text in one line without colors, for titles.
    var text: String { runs(isMatch: nil).map(\.text).joined() }

    /// Returns the label as runs of text with color roles.
    ///
    /// - Parameter isMatch: Whether a search found the span; `nil` without a search.
    func runs(isMatch: Bool?) -> [(text: String, role: Console.Role)] {
        let hasFailed = span.status == .error
        let strong: Console.Role = isMatch == true ? .match : isMatch == false ? .faint : hasFailed ? .failure : .text
        let weak: Console.Role = isMatch == false ? .faint : .dim
        if let error = span.error, hasFailed {
            return [(span.name, strong), ("  " + error.split(separator: " ").joined(separator: " "), .failure)]
        }
        guard let caption = span.caption else {
            return [(span.name, span.kind == .model ? weak : strong)]
        }
        return span.kind == .model ? [(caption, strong)] : [(span.name, strong), ("  \(caption)", weak)]
    }
}
