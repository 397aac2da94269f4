internal import Configuration
internal import JSON
public import System

/// Typed access to settings; a wrong type is an error with its line.
extension ScorerSettings {
    /// Checks that no setting is unknown or missing.
    public func check(_ known: [ScorerSetting], of owner: String) throws(Problem) {
        for member in values where !known.contains(where: { $0.name == member.key }) {
            let nearest = NearestName.suggestion(for: member.key, among: known.map(\.name))
            let remedy =
                nearest
                ?? (known.isEmpty
                    ? "The \(owner) has no settings." : "Supported: \(known.map(\.name).joined(separator: ", ")).")
            throw error("unknown setting \"\(member.key)\" of \(owner)", remedy)
        }
        for setting in known where setting.standard == nil && self[setting.name] == nil {
            throw error(
                "\(owner) needs the setting \"\(setting.name)\": \(setting.explanation)",
                "Write \(setting.name) = ... below kind.")
        }
    }

    /// Returns a finite number, or `standard` if it is not set.
    public func double(_ name: String, _ standard: Double) throws(Problem) -> Double {
        guard let value = self[name], value != .null else { return standard }
        guard let number = value.double, number.isFinite else { throw error("\"\(name)\" must be a number") }
        return number
    }

    /// Returns a finite number; `nil` if it is not set.
    public func double(_ name: String) throws(Problem) -> Double? {
        guard let value = self[name], value != .null else { return nil }
        return try double(name, 0)
    }

    /// Returns a whole number in a range, or `standard` if it is not set; 3.0 counts as one.
    public func int(_ name: String, _ standard: Int, in range: ClosedRange<Int>) throws(Problem) -> Int {
        guard let value = self[name], value != .null else { return standard }
        guard let number = value.int ?? value.double.flatMap({ Int(exactly: $0) }), range.contains(number) else {
            throw error("\"\(name)\" must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns true or false, or `standard` if it is not set.
    public func bool(_ name: String, _ standard: Bool) throws(Problem) -> Bool {
        guard let value = self[name], value != .null else { return standard }
        guard let bool = value.bool else { throw error("\"\(name)\" must be true or false") }
        return bool
    }

    /// Returns a string, or `standard` if it is not set.
    public func string(_ name: String, _ standard: String) throws(Problem) -> String {
        try string(name) ?? standard
    }

    /// Returns a string; `nil` if it is not set.
    public func string(_ name: String) throws(Problem) -> String? {
        guard let value = self[name], value != .null else { return nil }
        guard let text = value.string else { throw error("\"\(name)\" must be a string") }
        return text
    }

    /// Returns a list of strings; a single string becomes a list, and numbers become strings.
    public func strings(_ name: String) throws(Problem) -> [String]? {
        guard let value = self[name], value != .null else { return nil }
        var texts: [String] = []
        for element in value.elements ?? [value] {
            guard let text = element.plainText else { throw error("\"\(name)\" must be a list of strings") }
            texts.append(text)
        }
        return texts
    }

    /// Returns one of some words.
    public func word(_ name: String, _ standard: String, of words: [String]) throws(Problem) -> String {
        let word = try string(name, standard)
        guard words.contains(word) else {
            let nearest = NearestName.suggestion(for: word, among: words)
            throw error(
                "unknown value \"\(word)\" of \"\(name)\"",
                nearest ?? "Use one of \(words.joined(separator: ", ")).")
        }
        return word
    }
}

extension JSONValue {
    /// A string, a number, or a truth value as people write it; `nil` for anything else.
    var plainText: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        case .number(let number): Int(exactly: number).map { String($0) } ?? "\(number)"
        case .bool(let value): value ? "true" : "false"
        default: nil
        }
    }
}
