package import System
internal import TOMLKit

/// The values of a TOML file by key, checked against the known keys.
package struct SettingValues {
    /// Path for error messages.
    package let path: String
    /// Values set by the file or the caller; other keys have their defaults.
    package private(set) var said: [String: SettingValue] = [:]
    private let keys: SettingKeys
    private let lines: TOMLLines
    private var further: [String] = []

    /// Reads the text of a file.
    ///
    /// - Throws: `Problem` with the line of an unknown key or an invalid value.
    package init(_ text: String, path: String, keys: SettingKeys) throws(Problem) {
        self.path = path
        self.keys = keys
        let document: TOMLDocument
        do { document = try TOMLDocument(text) } catch {
            throw Problem(.failed, path, line: error.line, error.sentence)
        }
        lines = document.lines
        try read(document.root, prefix: "")
    }

    /// Creates the values of a file that was read before.
    package init(said: [String: SettingValue], path: String, keys: SettingKeys) {
        self.path = path
        self.said = said
        self.keys = keys
        lines = TOMLLines("")
    }

    /// Returns the names of a section and its further sections, these by name.
    package func sections(of section: String) -> [String] {
        let named = said.keys.compactMap { key -> String? in
            let words = key.split(separator: ".")
            return words.count == 3 && words[0] == section ? "\(section).\(words[1])" : nil
        }
        return [section] + Set(named + further).filter { $0.hasPrefix(section + ".") }.sorted()
    }

    /// The effective value: from the file, from the section that a further section follows, or the default.
    package subscript(name: String) -> SettingValue? {
        if let value = said[name] { return value }
        guard let key = keys[name] else { return nil }
        // A further section is enabled by its presence, even if the section that it follows is disabled.
        if key.name != name, key.word != "enabled", let value = said[key.name] { return value }
        return key.standard
    }

    package func flag(_ name: String) -> Bool { if case .flag(let value) = self[name] { value } else { false } }
    package func integer(_ name: String) -> Int { optionalInteger(name) ?? 0 }
    package func number(_ name: String) -> Double { optionalNumber(name) ?? 0 }
    package func text(_ name: String) -> String { if case .text(let value) = self[name] { value } else { "" } }
    package func texts(_ name: String) -> [String] { if case .texts(let value) = self[name] { value } else { [] } }
    package func integers(_ name: String) -> [Int] { if case .integers(let value) = self[name] { value } else { [] } }
    package func optionalInteger(_ name: String) -> Int? {
        if case .integer(let value) = self[name] { value } else { nil }
    }
    package func optionalNumber(_ name: String) -> Double? {
        if case .number(let value) = self[name] { value } else { nil }
    }

    /// Returns a choice as the type with its words as raw values.
    package func choice<Choice: RawRepresentable<String>>(_ name: String) -> Choice {
        // The key's own table holds the same words, so that there is always a case: a test reads every word.
        Choice(rawValue: text(name))!
    }

    /// Returns an error about a key, with its line.
    package func problem(_ name: String, _ what: String, _ remedy: String = "") -> Problem {
        Problem(.invalid, path, line: lines[name], what, remedy: remedy)
    }

    /// Sets a key to a value written outside a file, where text needs no quotes; `nil` restores the default.
    ///
    /// - Throws: `Problem` for an unknown key or an invalid value.
    package mutating func set(_ name: String, written text: String?) throws(Problem) {
        guard let key = keys[name] else { throw unknown(name) }
        guard let text else {
            said[name] = nil
            return
        }
        guard let value = key.kind.accepted(written: text) else {
            throw problem(
                name, "\(name) must be \(key.kind.expectation), not \(text.prefix(80))",
                NearestName.suggestion(for: text, among: key.kind.choices) ?? "")
        }
        said[name] = value
    }

    private mutating func set(_ name: String, _ value: SettingValue?) throws(Problem) {
        guard let key = keys[name] else { throw unknown(name) }
        guard let accepted = value.flatMap(key.kind.accepted) else {
            throw problem(
                name, "\(name) must be \(key.kind.expectation)",
                value.flatMap { NearestName.suggestion(for: $0.plain, among: key.kind.choices) } ?? "")
        }
        said[name] = accepted
    }

    private mutating func read(_ table: TOMLTable, prefix: String) throws(Problem) {
        // The parser's table has no order: report the first problem in the file.
        let words = table.keys.sorted { (lines[prefix + $0] ?? 0, $0) < (lines[prefix + $1] ?? 0, $1) }
        for word in words {
            let name = prefix + word
            if let inner = table[word]?.table {
                try enter(name)
                try read(inner, prefix: name + ".")
            } else if isSection(name) {
                // A subsection with a path, such as data.tokenizer, can be written as the path alone.
                guard name.contains("."), keys["\(name).path"] != nil, table[word]?.string != nil else {
                    throw problem(name, "\(name) is a section", "Write [\(name)], with its keys on the lines below.")
                }
                try set("\(name).path", SettingValue(table[word]))
            } else {
                try set(name, SettingValue(table[word]))
            }
        }
    }

    private func isSection(_ name: String) -> Bool { keys.sections.contains { $0 == name || $0.hasPrefix(name + ".") } }

    private mutating func enter(_ name: String) throws(Problem) {
        if isSection(name) { return }
        let words = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard words.count > 1, isSection(words[0]), !keys.repeatable.isEmpty else {
            throw problem(
                name, "unknown section [\(name)]",
                NearestName.suggestion(for: name, among: keys.sections)
                    ?? "Available sections: \(keys.sections.sorted().joined(separator: ", ")).")
        }
        guard words.count == 2, keys.repeatable.contains(words[0]) else {
            let allowed = keys.repeatable.map { "[\($0)]" }.joined(separator: " and ")
            throw problem(name, "[\(words[0])] cannot have subsections", "Only \(allowed) can.")
        }
        let isPlain = words[1].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        guard isPlain, !words[1].isEmpty, keys[name] == nil else {
            throw problem(name, "invalid stage name [\(name)]", "Use letters, digits, -, and _.")
        }
        further.append(name)
    }

    private func unknown(_ name: String) -> Problem {
        // A key outside its section, such as `seed`.
        let homeless = keys.all.filter { $0.word == name }.map(\.name)
        if !homeless.isEmpty {
            return problem(name, "unknown key \"\(name)\"", NearestName.question(Array(homeless.prefix(3))))
        }
        var names = keys.all.map(\.name)
        let words = name.split(separator: ".").map(String.init)
        if words.count == 3, keys.repeatable.contains(words[0]) {
            names = keys.all.filter { $0.section == words[0] }.map { "\(words[0]).\(words[1]).\($0.word)" }
        }
        return problem(
            name, "unknown key \"\(name)\"",
            NearestName.suggestion(for: name, among: names) ?? "List all keys with \(keys.list).")
    }
}
