public import JSON
public import System
internal import Tokenizers

/// Extracts the answer from a model's text. A new one is one file with one such type, and one line in
/// `AnswerFilters.all`.
///
/// Filters pass on the values of Python's filters: a list of answers at first, a single answer after `take_first`. A
/// filter for lists treats a single text as the list of its characters.
public protocol AnswerFilter: Sendable {
    /// Name in task files.
    static var name: String { get }

    /// - Throws: `Problem` with the line for unknown or invalid settings.
    init(_ settings: ScorerSettings) throws(Problem)

    /// - Throws: `Problem` if a search takes too long; the answer is then not scored.
    func apply(_ answers: JSONValue, of fields: JSONValue) throws(Problem) -> JSONValue
}

/// Available filters.
public enum AnswerFilters {
    public static let all: [any AnswerFilter.Type] = [
        RegexFilter.self, MultipleChoiceFilter.self, TakeFirst.self, TakeFirstFew.self, MajorityVote.self,
        MapFilter.self, Lowercase.self, Uppercase.self, RemoveWhitespace.self,
    ]

    /// Returns the filter with a name.
    public static func make(_ name: String, _ settings: ScorerSettings) throws(Problem) -> any AnswerFilter {
        guard let type = all.first(where: { $0.name == name }) else {
            throw settings.error(
                "unknown filter `\(name)`", "Supported: \(all.map { $0.name }.joined(separator: ", ")).")
        }
        return try type.init(settings)
    }

    /// Returns the elements that the previous filter produced.
    static func elements(_ value: JSONValue) -> [JSONValue] {
        switch value {
        case .array(let elements): elements
        case .string(let text): text.unicodeScalars.map { .string(String($0)) }
        default: []
        }
    }
}

extension TextPattern {
    /// Returns the groups of all matches, within the step limit.
    func found(in text: String) throws(Problem) -> [[String]] {
        do { return try findAll(in: text) } catch { throw Problem(.failed, "", error.description) }
    }

    /// Returns the text without its matches.
    func removed(from text: String) throws(Problem) -> String {
        do { return try replacing(in: text) } catch { throw Problem(.failed, "", error.description) }
    }
}

extension ScorerSettings {
    /// Throws for settings with other names.
    func allow(_ names: [String], for what: String) throws(Problem) {
        if let other = values.first(where: { !names.contains($0.key) }) {
            throw error(
                "unknown setting `\(other.key)` of `\(what)`",
                names.isEmpty ? "The filter has no settings." : "Supported: \(names.joined(separator: ", ")).")
        }
    }

    /// Returns a regular expression, or `standard` if none is set.
    func pattern(_ name: String, _ standard: String) throws(Problem) -> TextPattern {
        let source = self[name]?.string ?? standard
        guard let pattern = TextPattern(source) else {
            throw error("invalid or unsupported regular expression `\(source)`")
        }
        return pattern
    }
}
