internal import Configuration
internal import System
internal import TOMLKit

/// The values of a configuration by key, checked against the known keys.
struct ConfigurationValues {
    private var values: [String: ConfigurationValue] = [:]
    /// Known keys.
    let keys: [ConfigurationKey]
    private let path: String
    private let lines: TOMLLines

    /// - Parameters:
    ///   - text: TOML.
    ///   - path: Path for error messages.
    ///   - overrides: Settings `key=value` that take precedence over the text.
    ///   - keys: Known keys.
    /// - Throws: `Problem` for an unknown key or an invalid value.
    init(_ text: String, path: String, overrides: [String], keys: [ConfigurationKey]) throws(Problem) {
        self.keys = keys
        self.path = path
        let document = try Self.document(text, path)
        lines = document.lines
        try take(document.root, prefix: "")
        for override in overrides { try take(override: override) }
    }

    /// Whether the file or an override says it.
    func says(_ name: String) -> Bool { values[name] != nil }

    subscript(name: String) -> ConfigurationValue {
        if let value = values[name] { return value }
        guard let key = keys.first(where: { $0.name == name }) else { return .text("") }
        return key.defaultValue
    }

    func flag(_ name: String) -> Bool { if case .flag(let value) = self[name] { value } else { false } }
    func integer(_ name: String) -> Int { if case .integer(let value) = self[name] { value } else { 0 } }
    func number(_ name: String) -> Double { if case .number(let value) = self[name] { value } else { 0 } }
    func text(_ name: String) -> String { if case .text(let value) = self[name] { value } else { "" } }
    func texts(_ name: String) -> [String] { if case .texts(let value) = self[name] { value } else { [] } }
    func integers(_ name: String) -> [Int] { if case .integers(let value) = self[name] { value } else { [] } }

    /// A sentence about a key.
    func problem(_ name: String, _ text: String) -> Problem {
        let place = lines[name].map { ", line \($0)" } ?? ""
        return Problem(.invalid, path + place, text)
    }

    private static func document(_ text: String, _ path: String) throws(Problem) -> TOMLDocument {
        do {
            return try TOMLDocument(text)
        } catch {
            throw Problem(.failed, "", "\(path)\(error.line.map { ", line \($0)" } ?? ""): \(error.sentence)")
        }
    }

    private mutating func take(_ table: TOMLTable, prefix: String) throws(Problem) {
        // A parser's table has no order: of several problems the first of the file is reported.
        let keys = table.keys.sorted { (lines[prefix + $0] ?? 0, $0) < (lines[prefix + $1] ?? 0, $1) }
        for word in keys {
            let name = prefix + word
            if name == "data.tokenizer", let path = table[word]?.string {
                values["data.tokenizer.path"] = .text(path)
            } else if let inner = table[word]?.table {
                guard isSection(name) else { throw problem(name, unknown(name, isSection: true)) }
                try take(inner, prefix: name + ".")
            } else if isSection(name) {
                throw problem(name, "\(name) is a section. Write [\(name)] with its keys below it.")
            } else {
                try take(name, ConfigurationValue(table[word]))
            }
        }
    }

    private mutating func take(_ name: String, _ value: ConfigurationValue?) throws(Problem) {
        guard let key = keys.first(where: { $0.name == name }) else {
            throw problem(name, unknown(name, isSection: false))
        }
        guard let accepted = value.flatMap(key.accepted) else {
            throw problem(name, key.problem(with: value))
        }
        values[name] = accepted
    }

    private mutating func take(override: String) throws(Problem) {
        guard let equals = override.firstIndex(of: "=") else {
            throw Problem(
                .invalid, "", "--set needs KEY=VALUE, not \(override)", remedy: "Example: training.steps=100.")
        }
        let name = String(override[..<equals])
        let text = String(override[override.index(after: equals)...])
        guard let key = keys.first(where: { $0.name == name }) else {
            throw Problem(.failed, "--set", "\(unknown(name, isSection: false))")
        }
        // What reads as TOML is; anything else is a text, so that no quotes are needed.
        var parsed = (try? TOMLDocument("value = \(text)")).flatMap { ConfigurationValue($0.root["value"]) }
        // A shell takes the quotes out of ["q", "v"].
        if parsed == nil, case .texts = key.kind, text.hasPrefix("["), text.hasSuffix("]") {
            parsed = .texts(
                text.dropFirst().dropLast().split(separator: ",").map { part in
                    String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
                })
        }
        guard let accepted = parsed.flatMap(key.accepted) ?? key.accepted(.text(text)) else {
            throw Problem(.invalid, "--set", "\(key.problem(with: .text(text)))")
        }
        values[name] = accepted
    }

    private func isSection(_ name: String) -> Bool {
        keys.contains { $0.name.hasPrefix(name + ".") }
    }

    private func unknown(_ name: String, isSection: Bool) -> String {
        let sections = Set(keys.map(\.section)).sorted()
        if isSection {
            guard let near = NearestName.suggestion(for: name, among: sections) else {
                return "unknown section [\(name)]. Available: \(sections.joined(separator: ", "))."
            }
            return "unknown section [\(name)]. \(near)"
        }
        // A key outside its section, such as `seed`.
        let homeless = keys.filter { $0.word == name }.map(\.name)
        if !homeless.isEmpty {
            return "unknown key \(name). \(NearestName.question(Array(homeless.prefix(3))))"
        }
        guard let near = NearestName.suggestion(for: name, among: keys.map(\.name)) else {
            return "unknown key \(name). Use orrery train --defaults to list all keys."
        }
        return "unknown key \(name). \(near)"
    }
}
