public import Configuration

/// A filter for spans and runs, in the language that lists, commands, and search share.
///
/// ```swift
/// let slow = try Filter(parsing: #"kind:tool (duration>2s or status:error) not name:bash "permission denied""#)
/// ```
///
/// A condition consists of a field, an operator (`:` `=` `!=` `<` `<=` `>` `>=`), and a value. Words and quoted phrases
/// without a field are free text, which is searched in names, errors, and messages. Adjacent conditions must all match,
/// with or without `and` between them; `or`, `not`, and parentheses have their usual meaning.
///
/// A **span** matches by its own values; `format`, `origin`, `project`, `errors`, `spans`, and `messages` are those of
/// its run.
/// A **run** matches if its own totals or one of its spans match the whole filter. A run has no kind; its status is
/// `error` if a span failed and `ok` otherwise; its text is its name and all its messages.
///
/// Matching ignores case (see `Folding`). A value that was not recorded matches no comparison, not even `!=`.
public struct Filter: Hashable, Sendable {
    /// Filter as typed; empty if a program made it.
    public let text: String
    /// Parsed form of the filter.
    public let expression: FilterExpression

    /// Parses a filter; an empty filter matches everything.
    public init(parsing text: String) throws(QueryError) {
        self.text = text
        expression = try QueryParser<FilterLanguage>.parse(text)
    }

    init(text: String, _ expression: FilterExpression) {
        self.text = text
        self.expression = expression
    }

    /// Creates a filter from an expression.
    public init(_ expression: FilterExpression) {
        text = ""
        self.expression = expression
    }

    /// The filter that matches everything.
    public static let everything = Filter(.everything)

    /// Whether the filter matches everything.
    public var isEmpty: Bool { expression == .everything }

    /// Distinct free texts of the filter, which are searched in messages.
    public var texts: [String] { expression.texts }
}
