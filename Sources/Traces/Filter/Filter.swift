/// A question about spans and runs, in the language that lists, commands and search share.
///
/// ```swift
/// let slow = try Filter(parsing: #"kind:tool (duration>2s or status:error) not name:bash "permission denied""#)
/// ```
///
/// Conditions are a field, an operator (`:` `=` `!=` `<` `<=` `>` `>=`) and a value; words and quoted phrases without
/// a field are free text, found in names, errors and messages. Conditions beside each other must all hold; `or`,
/// `not` and parentheses do what they say, `and` may be written.
///
/// A **span** answers for itself, except that `format`, `origin`, `project`, `errors`, `spans`, and `messages` ask about
/// its run.
/// A **run** matches when its own totals satisfy the whole filter, or when one of its spans does. A run's own kind is
/// none, its status is `error` when a span failed and `ok` otherwise, its text is its name and all its messages.
///
/// Case does not matter (see `Folding`). What was not recorded satisfies no comparison, not even `!=`.
public struct Filter: Hashable, Sendable {
    /// As it was typed.
    public let text: String
    public let expression: FilterExpression

    /// Reads a filter; the empty one matches everything.
    public init(parsing text: String) throws(FilterError) {
        self.text = text
        var parser = try FilterParser(text)
        expression = try parser.expression()
    }

    init(text: String, _ expression: FilterExpression) {
        self.text = text
        self.expression = expression
    }

    /// A filter made by a program rather than typed.
    public init(_ expression: FilterExpression) {
        text = ""
        self.expression = expression
    }

    /// The filter that matches everything.
    public static let everything = Filter(.everything)

    public var isEmpty: Bool { expression == .everything }

    /// The phrases that the filter looks for in messages, each once.
    public var texts: [String] { expression.texts }
}
