package import TOMLKit

/// The value of a setting in a TOML file.
public enum SettingValue: Hashable, Sendable {
    /// `true` or `false`.
    case flag(Bool)
    /// An integer.
    case integer(Int)
    /// A number.
    case number(Double)
    /// Text.
    case text(String)
    /// An array of strings.
    case texts([String])
    /// An array of integers.
    case integers([Int])

    /// Creates the value of a TOML file; `nil` if it is missing or has another type.
    package init?(_ value: (any TOMLValueConvertible)?) {
        if let flag = value?.bool {
            self = .flag(flag)
        } else if let integer = value?.int {
            self = .integer(integer)
        } else if let number = value?.double {
            self = .number(number)
        } else if let text = value?.string {
            self = .text(text)
        } else if let array = value?.array {
            let (texts, integers) = (array.compactMap(\.string), array.compactMap(\.int))
            if texts.count == array.count {
                self = .texts(texts)
            } else if integers.count == array.count {
                self = .integers(integers)
            } else {
                return nil
            }
        } else {
            return nil
        }
    }

    /// Value as written in a file.
    public var toml: String {
        switch self {
        case .flag(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .number(let value): value == value.rounded() && abs(value) < 1e15 ? "\(Int(value)).0" : "\(value)"
        case .text(let value): TOMLText.quoted(value)
        case .texts(let values): "[" + values.map(TOMLText.quoted).joined(separator: ", ") + "]"
        case .integers(let values): "[" + values.map { String($0) }.joined(separator: ", ") + "]"
        }
    }

    /// Value as written in a file, but text without its quotes.
    package var plain: String { if case .text(let value) = self { value } else { toml } }
}

/// The type and the allowed values of a setting.
public enum SettingKind: Hashable, Sendable {
    /// `true` or `false`.
    case flag
    /// An integer in a range.
    case integer(ClosedRange<Int>)
    /// A number in a range.
    case number(ClosedRange<Double>)
    /// Any text.
    case text
    /// One of several words.
    case choice([String])
    /// An array of strings.
    case texts
    /// An array of integers in a range.
    case integers(ClosedRange<Int>)

    /// Returns the value in this type; `nil` if it has another type or is out of range.
    package func accepted(_ value: SettingValue) -> SettingValue? {
        switch (self, value) {
        case (.flag, .flag), (.text, .text), (.texts, .texts): return value
        case (.texts, .text(let text)): return .texts(text.isEmpty ? [] : [text])
        // An empty list has no type of its own.
        case (.integers, .texts(let texts)) where texts.isEmpty: return .integers([])
        case (.integers(let range), .integers(let all)): return all.allSatisfy(range.contains) ? value : nil
        case (.integer(let range), .integer(let integer)): return range.contains(integer) ? value : nil
        case (.integer(let range), .number(let number)):
            return Int(exactly: number).flatMap { range.contains($0) ? .integer($0) : nil }
        case (.number(let range), .integer(let integer)):
            return range.contains(Double(integer)) ? .number(Double(integer)) : nil
        case (.number(let range), .number(let number)): return range.contains(number) ? value : nil
        case (.choice(let names), .text(let text)): return names.contains(text) ? value : nil
        default: return nil
        }
    }

    /// Returns the value of text outside a file, which needs no quotes.
    package func accepted(written text: String) -> SettingValue? {
        var parsed = (try? TOMLDocument("value = \(text)")).flatMap { SettingValue($0.root["value"]) }
        // A shell removes the quotes of ["q", "v"].
        if parsed == nil, self == .texts, text.hasPrefix("["), text.hasSuffix("]") {
            let parts = text.dropFirst().dropLast().split(separator: ",").map { part in
                String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
            parsed = .texts(parts)
        }
        return parsed.flatMap(accepted) ?? accepted(.text(text))
    }

    /// Allowed values as part of a sentence: `true or false`, `an integer from 0 to 1000`, `"text" or "tokens"`.
    public var expectation: String {
        switch self {
        case .flag: return "true or false"
        case .integer(let range):
            return range.upperBound == .max ? "an integer of at least \(range.lowerBound)" : "an integer from \(limits)"
        case .number(let range):
            return range.upperBound == .greatestFiniteMagnitude
                ? "a number of at least \(range.lowerBound)" : "a number from \(limits)"
        case .text: return "a string in quotes"
        case .choice(let names):
            let quoted = names.map { "\"\($0)\"" }
            return quoted.dropLast().joined(separator: ", ") + (quoted.count > 2 ? ", or " : " or ")
                + (quoted.last ?? "")
        case .texts: return "an array of strings"
        case .integers(let range): return "an array of integers of at least \(range.lowerBound)"
        }
    }

    /// The range of a number, `0 to 1`; empty for other types.
    package var limits: String {
        switch self {
        case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "\(range.lowerBound) to \(range.upperBound)"
        default: ""
        }
    }

    /// The only allowed words; empty if there are others.
    package var choices: [String] { if case .choice(let names) = self { names } else { [] } }
}
