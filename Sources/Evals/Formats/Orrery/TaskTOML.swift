internal import Configuration
internal import JSON
internal import System
internal import TOMLKit

/// The contents of a task file, checked against the known keys.
struct TaskTOML {
    let path: String
    let text: String
    private let values: JSONValue
    private let lines: TOMLLines

    init(_ text: String, path: String) throws(Problem) {
        self.path = path
        self.text = text
        do {
            let document = try TOMLDocument(text)
            (values, lines) = (Self.value(document.root), document.lines)
        } catch {
            throw Problem(.failed, path, line: error.line, error.sentence)
        }
        try check()
    }

    subscript(name: String) -> JSONValue? {
        let words = name.split(separator: ".").map(String.init)
        return words.count == 2 ? values[words[0]]?[words[1]] : values[name]
    }

    /// Returns the tables of a repeated section.
    func tables(_ section: String) -> [JSONValue] { values[section]?.elements ?? [] }

    func line(_ name: String, in table: Int? = nil) -> Int? {
        guard let table, let dot = name.firstIndex(of: ".") else { return lines[name] }
        return lines["\(name[..<dot])[\(table)]\(name[dot...])"] ?? lines["\(name[..<dot])[\(table)]"]
    }

    /// Returns the line on which a table of a section begins.
    func line(ofTable table: Int, _ section: String) -> Int? { lines["\(section)[\(table)]"] ?? lines[section] }

    func error(_ name: String, _ problem: String, _ remedy: String = "") -> Problem {
        Problem(.failed, path, line: line(name), problem, remedy: remedy)
    }

    func text(_ name: String) -> String? { (self[name] ?? standard(name))?.string }
    func integer(_ name: String) -> Int? { (self[name] ?? standard(name))?.int }
    func number(_ name: String) -> Double? { (self[name] ?? standard(name))?.double }
    func flag(_ name: String) -> Bool { (self[name] ?? standard(name))?.bool ?? false }
    func texts(_ name: String) -> [String] {
        guard let value = self[name] ?? standard(name) else { return [] }
        return value.string.map { [$0] } ?? value.elements?.compactMap(\.string) ?? []
    }

    private func standard(_ name: String) -> JSONValue? { TaskKey.all.first { $0.name == name }?.standard }

    private func check() throws(Problem) {
        let sections = Set(TaskKey.all.map(\.section)).subtracting([""])
        // A parser's table has no order; sort by line to report the first problem of the file.
        let members = (values.members ?? []).sorted { (line($0.key) ?? 0, $0.key) < (line($1.key) ?? 0, $1.key) }
        for member in members {
            guard sections.contains(member.key) else {
                try check(member, section: "", table: nil)
                continue
            }
            if TaskKey.lists.contains(member.key) {
                guard let tables = member.value.elements, tables.allSatisfy({ $0.members != nil }) else {
                    throw error(
                        member.key, "\(member.key) must be a list of tables",
                        "Write [[\(member.key)]] with its keys below.")
                }
                for (index, table) in tables.enumerated() {
                    for key in table.members ?? [] { try check(key, section: member.key, table: index) }
                }
            } else {
                guard let keys = member.value.members else {
                    throw error(
                        member.key, "\(member.key) must be a section", "Write [\(member.key)] with its keys below.")
                }
                for key in keys { try check(key, section: member.key, table: nil) }
            }
        }
    }

    private func check(_ member: JSONValue.Member, section: String, table: Int?) throws(Problem) {
        let name = section.isEmpty ? member.key : "\(section).\(member.key)"
        let place = line(name, in: table)
        guard let key = TaskKey.all.first(where: { $0.name == name }) else {
            if TaskKey.open.contains(section) { return }
            throw Problem(.unknown, path, line: place, "unknown key \(name)", remedy: Self.hint(name, section))
        }
        guard key.accepts(member.value) else {
            let said = member.value.string.map { ", not \"\($0.prefix(60))\"" } ?? ""
            let near =
                key.words.isEmpty
                ? nil : member.value.string.flatMap { NearestName.suggestion(for: $0, among: key.words) }
            throw Problem(.invalid, path, line: place, "\(name) must be \(key.wants)\(said)", remedy: near ?? "")
        }
    }

    private static func hint(_ name: String, _ section: String) -> String {
        let word = name.split(separator: ".").last.map(String.init) ?? name
        let elsewhere = TaskKey.all.filter { $0.word == word }.map(\.name)
        if let there = elsewhere.first { return NearestName.question([there]) }
        let own = TaskKey.all.filter { $0.section == section }
        if let near = NearestName.to(word, among: own.map(\.word)) {
            return NearestName.question([section.isEmpty ? near : "\(section).\(near)"])
        }
        if section.isEmpty,
            let near = NearestName.suggestion(for: word, among: Set(TaskKey.all.map(\.section)).sorted())
        {
            return near
        }
        return "Supported keys: \(own.map(\.word).joined(separator: ", "))."
    }

    private static func value(_ table: TOMLTable) -> JSONValue {
        .object(table.keys.sorted().map { JSONValue.Member(key: $0, value: value(table[$0])) })
    }

    private static func value(_ value: (any TOMLValueConvertible)?) -> JSONValue {
        guard let value else { return .null }
        if let flag = value.bool { return .bool(flag) }
        if let integer = value.int { return .integer(integer) }
        if let number = value.double { return .number(number) }
        if let text = value.string { return .string(text) }
        if let table = value.table { return self.value(table) }
        if let array = value.array { return .array(array.map { self.value($0) }) }
        return .string(value.debugDescription)
    }
}
