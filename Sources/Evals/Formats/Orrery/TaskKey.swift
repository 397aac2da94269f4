public import JSON

/// A key of a task file: its type, meaning, and default value.
public struct TaskKey: Hashable, Sendable {
    /// Types of values, as sentences name them.
    public enum Kind: String, Hashable, Sendable {
        case text
        case texts = "text or texts"
        case integer = "whole number"
        case number
        case numbers
        case flag = "true or false"
        case rows
        case table
    }

    /// Full name: `data.file`; `scorers.kind` for a key of every `[[scorers]]`.
    public var name: String
    public var kind: Kind
    /// Meaning as a phrase without a full stop.
    public var meaning: String
    /// Default value; `nil` if there is none.
    public var standard: JSONValue?
    /// Allowed words; empty if any value is allowed.
    public var words: [String]

    init(_ name: String, _ kind: Kind, _ meaning: String, _ standard: JSONValue? = nil, words: [String] = []) {
        self.name = name
        self.kind = kind
        self.meaning = meaning
        self.standard = standard
        self.words = words
    }

    /// Section, such as `data`; empty for top-level keys.
    public var section: String { name.firstIndex(of: ".").map { String(name[..<$0]) } ?? "" }
    /// Name within the section, such as `file`.
    public var word: String { name.firstIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? name }

    /// Returns whether a value has the type of the key.
    package func accepts(_ value: JSONValue) -> Bool {
        if !words.isEmpty { return value.string.map(words.contains) ?? false }
        switch kind {
        case .text: return value.string != nil
        case .texts: return value.string != nil || value.elements?.allSatisfy { $0.string != nil } ?? false
        case .integer: return value.int.map { $0 >= 0 } ?? false
        case .number: return value.double?.isFinite ?? false
        case .numbers: return value.elements?.allSatisfy { $0.double?.isFinite ?? false } ?? false
        case .flag: return value.bool != nil
        case .table: return value.members != nil
        case .rows: return value.elements?.allSatisfy { $0.members != nil } ?? false
        }
    }

    /// The expected value, as the end of a sentence.
    var wants: String {
        guard words.isEmpty else { return "one of " + words.joined(separator: ", ") }
        switch kind {
        case .text: return "a string in quotes"
        case .texts: return "a string, or a list of strings in brackets"
        case .integer: return "a whole number of at least 0"
        case .number: return "a number"
        case .numbers: return "a list of numbers in brackets"
        case .flag: return "true or false"
        case .table: return "a table, such as { kind = \"tool\" }"
        case .rows: return "a list of tables, such as [{ question = \"...\", answer = \"...\" }]"
        }
    }
}
