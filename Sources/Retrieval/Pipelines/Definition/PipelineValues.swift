internal import Configuration
internal import System
internal import TOMLKit

/// The values of a pipeline file by key, checked against the known keys.
struct PipelineValues {
    let path: String
    private(set) var said: [String: PipelineValue] = [:]
    private var stageNames: [String] = []
    private let lines: TOMLLines

    init(_ text: String, path: String) throws(Problem) {
        self.path = path
        let document = try Self.document(text, path)
        lines = document.lines
        try take(document.root, prefix: "")
    }

    init(said: [String: PipelineValue], path: String) {
        self.path = path
        self.said = said
        lines = TOMLLines("")
    }

    /// Returns the names of the stages of a section: its own first, the further ones by name.
    func stages(of section: String) -> [String] {
        let further = said.keys.compactMap { key -> String? in
            let words = key.split(separator: ".")
            return words.count == 3 && words[0] == section ? "\(section).\(words[1])" : nil
        }
        return [section] + Set(further + stageNames.filter { $0.hasPrefix(section + ".") }).sorted()
    }

    /// The effective value: from the file, from the section that a further stage follows, or the default.
    subscript(name: String) -> PipelineValue? {
        if let value = said[name] { return value }
        guard let key = PipelineKey.named(name) else { return nil }
        // A stage is enabled by its presence, even if the stage that it takes its defaults from is disabled.
        if key.name != name, key.word != "enabled", let value = said[key.name] { return value }
        return key.standard
    }

    func flag(_ name: String) -> Bool { if case .flag(let value) = self[name] { value } else { false } }
    func integer(_ name: String) -> Int { optionalInteger(name) ?? 0 }
    func number(_ name: String) -> Double { optionalNumber(name) ?? 0 }
    func text(_ name: String) -> String { if case .text(let value) = self[name] { value } else { "" } }
    func texts(_ name: String) -> [String] { if case .texts(let value) = self[name] { value } else { [] } }
    func optionalInteger(_ name: String) -> Int? { if case .integer(let value) = self[name] { value } else { nil } }
    func optionalNumber(_ name: String) -> Double? { if case .number(let value) = self[name] { value } else { nil } }

    /// Returns a choice as the type with its words as raw values.
    func choice<Choice: RawRepresentable<String>>(_ name: String) -> Choice {
        // The key's own table holds the same words, so that there is always a case: a test reads every word.
        Choice(rawValue: text(name))!
    }

    func problem(_ name: String, _ problem: String, _ remedy: String = "") -> Problem {
        Problem(.invalid, path + (lines[name].map { ", line \($0)" } ?? ""), problem, remedy: remedy)
    }

    private static func document(_ text: String, _ path: String) throws(Problem) -> TOMLDocument {
        do {
            return try TOMLDocument(text)
        } catch {
            throw Problem(.failed, path + (error.line.map { ", line \($0)" } ?? ""), error.sentence)
        }
    }

    private mutating func take(_ table: TOMLTable, prefix: String) throws(Problem) {
        // The parser's table has no order: report the first problem in the file.
        let keys = table.keys.sorted { (lines[prefix + $0] ?? 0, $0) < (lines[prefix + $1] ?? 0, $1) }
        for word in keys {
            let name = prefix + word
            if let inner = table[word]?.table {
                try checkSection(name)
                if name.contains(".") { stageNames.append(name) }
                try take(inner, prefix: name + ".")
            } else if PipelineKey.all.contains(where: { $0.section == name }) {
                throw problem(name, "\(name) is a section", "Write [\(name)], with its keys on the lines below.")
            } else {
                try set(name, PipelineValue(table[word]))
            }
        }
    }

    private func checkSection(_ name: String) throws(Problem) {
        let words = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let sections = Set(PipelineKey.all.map(\.section)).sorted()
        guard sections.contains(words[0]) else {
            let near = NearestName.suggestion(for: words[0], among: sections)
            throw problem(
                name, "unknown section [\(words[0])]",
                near ?? "Available sections: \(sections.joined(separator: ", ")).")
        }
        guard words.count > 1 else { return }
        guard words.count == 2, PipelineKey.repeatable.contains(words[0]) else {
            throw problem(name, "[\(words[0])] cannot have subsections", "Only [lexical] and [dense] can.")
        }
        let allowed = words[1].utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
                || byte == 0x2D || byte == 0x5F
        }
        guard allowed, !words[1].isEmpty, !PipelineKey.all.contains(where: { $0.name == name }) else {
            throw problem(name, "invalid stage name [\(name)]", "Use letters, digits, -, and _.")
        }
    }

    /// Takes a value in after its key was checked.
    mutating func set(_ name: String, _ value: PipelineValue?) throws(Problem) {
        guard let key = PipelineKey.named(name) else { throw problem(name, "unknown key \"\(name)\"", hint(name)) }
        guard let value, let accepted = key.accepted(value) else {
            throw problem(name, "\(name) must be \(key.wants)")
        }
        said[name] = accepted
    }

    /// Takes in what a person or a remedy wrote: TOML where it is such, any other text as a text. Nothing takes the key
    /// out.
    mutating func set(_ name: String, written text: String?) throws(Problem) {
        guard let key = PipelineKey.named(name) else { throw problem(name, "unknown key \"\(name)\"", hint(name)) }
        guard let text else {
            said[name] = nil
            return
        }
        let parsed = (try? TOMLDocument("value = \(text)")).flatMap { PipelineValue($0.root["value"]) }
        guard let accepted = parsed.flatMap(key.accepted) ?? key.accepted(.text(text)) else {
            throw problem(name, "\(name) must be \(key.wants), not \(text.prefix(80))")
        }
        said[name] = accepted
    }

    private func hint(_ name: String) -> String {
        let homeless = PipelineKey.all.filter { $0.word == name }.map(\.name)
        if !homeless.isEmpty { return NearestName.question(Array(homeless.prefix(3))) }
        // Within a further stage the keys of its section are the near ones.
        let words = name.split(separator: ".").map(String.init)
        var names = PipelineKey.all.map(\.name)
        if words.count == 3 {
            names = PipelineKey.all.filter { $0.section == words[0] }.map { "\(words[0]).\(words[1]).\($0.word)" }
        }
        return NearestName.suggestion(for: name, among: names)
            ?? "List all keys with orrery corpus pipeline --defaults."
    }
}
