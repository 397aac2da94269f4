/// A filter language: its conditions and the words of its error messages.
///
/// `QueryParser` reads `and`, `or`, `not`, and parentheses; the language reads what is between them.
package protocol QueryLanguage {
    /// A test of one field, or of all text.
    associatedtype Condition: Hashable & Sendable

    /// Syntax and wording of the language.
    static var dialect: QueryDialect { get }

    /// Parses a condition that starts at the current token: a word, a key in backticks, or quoted text.
    static func condition(_ parser: inout QueryParser<Self>) throws(QueryError) -> QueryExpression<Condition>
}

/// Syntax and wording of a filter language.
package struct QueryDialect: Sendable {
    /// Whether text without a field is a search, and adjacent conditions must all match.
    ///
    /// Otherwise `and` is required, `:` is part of a word, commas separate values, and backticks enclose keys.
    package var hasFreeText: Bool
    /// Name of the left side of a condition: "field" or "key".
    package var noun: String
    /// Example of a condition, as a sentence.
    package var example: String
    /// Example of a comparison, as a sentence.
    package var comparisonExample: String
    /// Remedy for a keyword in place of a condition.
    package var keywordRemedy: String
    /// Remedy for an unclosed quotation mark.
    package var quoteRemedy: String
    /// Remedy for too many parentheses.
    package var nestingRemedy: String

    /// Creates a dialect.
    package init(
        hasFreeText: Bool, noun: String, example: String, comparisonExample: String, keywordRemedy: String,
        quoteRemedy: String,
        nestingRemedy: String
    ) {
        self.hasFreeText = hasFreeText
        self.noun = noun
        self.example = example
        self.comparisonExample = comparisonExample
        self.keywordRemedy = keywordRemedy
        self.quoteRemedy = quoteRemedy
        self.nestingRemedy = nestingRemedy
    }
}
