internal import Configuration
public import System

/// An expression over metadata that lets some documents through.
///
/// ```swift
/// let filter = try MetadataFilter(parsing: #"kind = manual and (year >= 2020 or not tags contains "draft")"#)
/// ```
/// Conditions are `key = value`, `!=`, `<`, `<=`, `>`, `>=`, `key contains text`, `key in (a, b)`, `key exists`, joined
/// by `and`, `or`, `not` and parentheses. Values are words, numbers, `true`, `false`, dates such as `2024-05`, or stand in
/// quotes. Keys with other characters stand in backticks. What the corpus itself knows is `doc.id`, `doc.title`,
/// `doc.kind`, `doc.language`, `doc.path`, `doc.namespace`, `doc.bytes` and `doc.added`.
///
/// A key that is not there fulfills no condition, not even `!=`; `not` around the condition takes it in. Of a list, one
/// text is enough for `=`, and none may be equal for `!=`. `contains` finds parts of a text whatever their ASCII case.
public struct MetadataFilter: Hashable, Sendable {
    /// As it was written.
    public let text: String
    let root: Expression

    /// The parsed form; conditions have their source text.
    typealias Expression = QueryExpression<Condition>

    /// Maximum number of bytes of an expression.
    private static let longest = 64 << 10

    /// Parses an expression; an empty expression matches every document.
    ///
    /// - Throws: `Problem` that names the column and says what to write.
    public init(parsing text: String) throws(Problem) {
        self.text = text
        guard text.utf8.count <= Self.longest else {
            throw Problem(.limit, "filter", "more than \(Self.longest) bytes", remedy: "Shorten the filter.")
        }
        do {
            root = try QueryParser<MetadataFilterLanguage>.parse(text)
        } catch {
            throw Problem(
                .invalid, "filter, column \(error.position + 1)", error.problem, remedy: error.suggestion)
        }
    }

    struct Condition: Hashable, Sendable {
        var key: String
        var test: Test
        /// As it stands in the expression.
        var source: String
    }

    enum Test: Hashable, Sendable {
        case compare(QueryComparison, Literal)
        case contains(String)
        case oneOf([Literal])
        case exists
    }

    /// A value of an expression, and all that it can mean.
    struct Literal: Hashable, Sendable {
        var text: String
        /// It may be put in order with texts: not for bare numbers.
        var ordersTexts: Bool
        var number: Double?
        var bool: Bool?
        var moment: QueryMoment?

        init(_ text: String, isQuoted: Bool) {
            self.text = text
            let first = text.utf8.first ?? 0
            let looksLikeNumber = (48...57).contains(first) || [UInt8(ascii: "-"), UInt8(ascii: ".")].contains(first)
            number = looksLikeNumber ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
            bool = text == "true" ? true : text == "false" ? false : nil
            moment = QueryMoment(text)
            ordersTexts = isQuoted || number == nil
        }
    }

    /// The keys that an expression asks about, each once, in order.
    public var keys: [String] { root.keys }
}

extension QueryExpression<MetadataFilter.Condition> {
    /// Distinct keys, in the order of the text.
    var keys: [String] {
        conditions.reduce(into: []) { keys, condition in
            if !keys.contains(condition.key) { keys.append(condition.key) }
        }
    }

    /// As an expression that means the same.
    var text: String {
        switch self {
        case .everything: ""
        case .condition(let condition): condition.source
        case .not(let inner): "not " + inner.nested
        case .and(let parts): parts.map(\.nested).joined(separator: " and ")
        case .or(let parts): parts.map(\.nested).joined(separator: " or ")
        }
    }

    private var nested: String {
        switch self {
        case .and, .or: "(\(text))"
        default: text
        }
    }
}
