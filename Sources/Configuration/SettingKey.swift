/// A key of a TOML file whose values are checked, with its default.
package struct SettingKey: Sendable {
    /// Full name, such as `data.context`.
    package let name: String
    /// Type and allowed values.
    package let kind: SettingKind
    /// Default value; `nil` if the program decides.
    package let standard: SettingValue?
    /// Effect of the key, without a period.
    package let summary: String

    package init(_ name: String, _ kind: SettingKind, _ standard: SettingValue?, _ summary: String) {
        self.name = name
        self.kind = kind
        self.standard = standard
        self.summary = summary
    }

    /// Section, such as `data`.
    package var section: String { String(name[..<(name.lastIndex(of: ".") ?? name.startIndex)]) }
    /// Name within the section, such as `context`.
    package var word: String { String(name[(name.lastIndex(of: ".").map(name.index(after:)) ?? name.startIndex)...]) }
}

/// All keys of a kind of TOML file, in the order in which they are written.
package struct SettingKeys: Sendable {
    /// Keys in order; those of a section are consecutive.
    package let all: [SettingKey]
    /// Sections of which a file may have further ones: `[dense.wide]` has the keys of `[dense]`, which are its defaults.
    let repeatable: [String]
    /// Command that lists the keys.
    let list: String
    /// Names of the sections in order.
    package let sections: [String]
    private let byName: [String: SettingKey]

    package init(_ all: [SettingKey], repeatable: [String] = [], list: String) {
        self.all = all
        self.repeatable = repeatable
        self.list = list
        sections = all.map(\.section).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
        byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The key of a name: `dense.k`, or `dense.wide.k` of a further section.
    package subscript(name: String) -> SettingKey? {
        if let key = byName[name] { return key }
        let words = name.split(separator: ".", omittingEmptySubsequences: false)
        guard words.count == 3, repeatable.contains(String(words[0])), !words[1].isEmpty else { return nil }
        return byName["\(words[0]).\(words[2])"]
    }

    /// Returns a file with every key, its default, and a comment that explains it.
    ///
    /// - Parameters:
    ///   - introduction: Lines at the start.
    ///   - column: Minimum column of the comments.
    ///   - open: Remark on a key without a default.
    package func explained(_ introduction: [String], column: Int, open: String = "") -> String {
        var lines = introduction
        for section in sections {
            lines += ["", "[\(section)]"]
            for key in all where key.section == section {
                if !key.kind.choices.isEmpty {
                    lines.append("# \(key.word): \(key.kind.choices.joined(separator: ", "))")
                }
                var line = key.standard.map { "\(key.word) = \($0.toml)" } ?? "# \(key.word) ="
                line += String(repeating: " ", count: max(1, column - line.count)) + "# \(key.summary)"
                lines.append(line + (key.standard == nil ? open : ""))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
