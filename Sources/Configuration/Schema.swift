package import System

/// The keys of a TOML table, each declared once: reading, writing, and help follow from the declaration.
///
/// ```swift
/// var schema = Schema<Recipe>()
/// schema.key("tokens", \.tokens, in: 1_000...2_000_000_000, help: "Tokens to write.")
/// try schema.read(TOMLSection(parsing: text, file: path), into: &recipe)
/// ```
package struct Schema<Value> {
    private struct Key {
        let name: String
        let help: String
        var read: (TOMLSection, inout Value) throws(Problem) -> Void = { _, _ in }
        /// Returns the key as TOML within the table of a name, which is empty at the top.
        var write: (Value, String) -> String? = { _, _ in nil }
        var isTable = false
    }

    private var keys: [Key] = []

    package init() {}

    /// Names of the keys in the order of declaration.
    package var names: [String] { keys.map(\.name) }

    /// One line per key: its name and what it means.
    package var help: String { keys.map { "\($0.name)  \($0.help)" }.joined(separator: "\n") }

    /// Declares an integer within a range.
    package mutating func key<N: FixedWidthInteger>(
        _ name: String, _ path: WritableKeyPath<Value, N>, in range: ClosedRange<N>, help: String
    ) {
        add(name, path, help, { section throws(Problem) in try section.integer(name, range) }) { "\($0)" }
    }

    /// Declares a number within a range.
    package mutating func key(
        _ name: String, _ path: WritableKeyPath<Value, Double>, in range: ClosedRange<Double>, help: String
    ) {
        add(name, path, help, { section throws(Problem) in try section.number(name, range) }) { "\($0)" }
    }

    /// Declares a text; `choices` are all that it can be, unless empty.
    package mutating func key(
        _ name: String, _ path: WritableKeyPath<Value, String>, among choices: [String] = [], help: String
    ) {
        add(
            name, path, help,
            { section throws(Problem) in
                guard let text = try section.text(name) else { return nil }
                guard choices.isEmpty || choices.contains(text) else {
                    let last = choices[choices.count - 1]
                    let list = choices.dropLast().joined(separator: ", ")
                    let all = choices.count < 3 ? choices.joined(separator: " or ") : "\(list), or \(last)"
                    throw section.error("\(name) must be \(all)")
                }
                return text
            },
            TOMLText.quoted)
    }

    /// Declares a table with keys of its own.
    package mutating func table<Inner>(
        _ name: String, _ path: WritableKeyPath<Value, Inner>, help: String, _ declare: (inout Schema<Inner>) -> Void
    ) {
        var inner = Schema<Inner>()
        declare(&inner)
        let schema = inner
        keys.append(
            Key(
                name: name, help: help,
                read: { section, value throws(Problem) in
                    guard let found = try section.section(name) else { return }
                    try schema.read(found, into: &value[keyPath: path])
                },
                write: { value, table in
                    let full = table.isEmpty ? name : "\(table).\(name)"
                    return "\n[\(full)]\n" + schema.write(value[keyPath: path], in: full)
                }, isTable: true))
    }

    /// Declares a key that the caller reads and writes.
    package mutating func other(_ name: String, help: String) { keys.append(Key(name: name, help: help)) }

    /// Rejects keys of the section that the schema does not declare.
    package func check(_ section: TOMLSection) throws(Problem) { try section.check(names) }

    /// Reads the declared keys; missing keys leave the value unchanged.
    ///
    /// - Throws: `Problem` for an unknown key, a wrong type, or a value out of range.
    package func read(_ section: TOMLSection, into value: inout Value) throws(Problem) {
        try check(section)
        for key in keys { try key.read(section, &value) }
    }

    /// Returns a value as TOML that `read` accepts: first its keys, then its tables.
    ///
    /// - Parameter table: Name of the table that holds the keys; empty at the top.
    package func write(_ value: Value, in table: String = "") -> String {
        (keys.filter { !$0.isTable } + keys.filter(\.isTable)).compactMap { $0.write(value, table) }.joined()
    }

    private mutating func add<Content>(
        _ name: String, _ path: WritableKeyPath<Value, Content>, _ help: String,
        _ read: @escaping (TOMLSection) throws(Problem) -> Content?, _ write: @escaping (Content) -> String
    ) {
        keys.append(
            Key(
                name: name, help: help,
                read: { section, value throws(Problem) in
                    if let found = try read(section) { value[keyPath: path] = found }
                },
                write: { value, _ in "\(name) = \(write(value[keyPath: path]))\n" }))
    }
}
