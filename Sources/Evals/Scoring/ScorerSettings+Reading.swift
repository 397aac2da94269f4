internal import Configuration
internal import JSON

/// Settings read with a type, where a wrong one is an error with its line.
extension ScorerSettings {
    /// That there is nothing unknown among them and nothing missing.
    public func check(_ known: [ScorerSetting], of owner: String) throws(TaskError) {
        for member in values where !known.contains(where: { $0.name == member.key }) {
            let nearest = NearestName.suggestion(for: member.key, among: known.map(\.name))
            let remedy =
                nearest
                ?? (known.isEmpty ? "It has none." : "It knows \(known.map(\.name).joined(separator: ", ")).")
            throw error("\(owner) has no setting \"\(member.key)\"", remedy)
        }
        for setting in known where setting.standard == nil && self[setting.name] == nil {
            throw error("\(owner) needs \"\(setting.name)\"", "It is \(setting.explanation).")
        }
    }

    /// A finite number, `standard` where it is not set.
    public func double(_ name: String, _ standard: Double) throws(TaskError) -> Double {
        guard let value = self[name], value != .null else { return standard }
        guard let number = value.double, number.isFinite else { throw error("\"\(name)\" has to be a number") }
        return number
    }

    /// A finite number; nil where it is not set.
    public func double(_ name: String) throws(TaskError) -> Double? {
        guard let value = self[name], value != .null else { return nil }
        return try double(name, 0)
    }

    /// A whole number of a range, `standard` where it is not set; 3.0 is one too.
    public func int(_ name: String, _ standard: Int, in range: ClosedRange<Int>) throws(TaskError) -> Int {
        guard let value = self[name], value != .null else { return standard }
        guard let number = value.int ?? value.double.flatMap({ Int(exactly: $0) }), range.contains(number) else {
            throw error("\"\(name)\" has to be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// True or false, `standard` where it is not set.
    public func bool(_ name: String, _ standard: Bool) throws(TaskError) -> Bool {
        guard let value = self[name], value != .null else { return standard }
        guard let bool = value.bool else { throw error("\"\(name)\" has to be true or false") }
        return bool
    }

    /// A text, `standard` where it is not set.
    public func string(_ name: String, _ standard: String) throws(TaskError) -> String {
        try string(name) ?? standard
    }

    /// A text; nil where it is not set.
    public func string(_ name: String) throws(TaskError) -> String? {
        guard let value = self[name], value != .null else { return nil }
        guard let text = value.string else { throw error("\"\(name)\" has to be a text") }
        return text
    }

    /// A list of texts; a text alone is a list of one, numbers are written out.
    public func strings(_ name: String) throws(TaskError) -> [String]? {
        guard let value = self[name], value != .null else { return nil }
        var texts: [String] = []
        for element in value.elements ?? [value] {
            guard let text = element.plainText else { throw error("\"\(name)\" has to be a list of texts") }
            texts.append(text)
        }
        return texts
    }

    /// One of some words.
    public func word(_ name: String, _ standard: String, of words: [String]) throws(TaskError) -> String {
        let word = try string(name, standard)
        guard words.contains(word) else {
            let nearest = NearestName.suggestion(for: word, among: words)
            throw error(
                "\"\(name)\" cannot be \"\(word)\"",
                nearest ?? "It is one of \(words.joined(separator: ", ")).")
        }
        return word
    }
}

extension JSONValue {
    /// A text, a number or a truth value as people write it; nil of anything else.
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
