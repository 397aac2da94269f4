public import System

/// The notation for keys in help, the footer, `[keys]` of `config.toml`, and `--keys`.
///
/// A key is a character ("a", "A", "]") or a name ("enter", "f5", "pgdn"), with the prefixes "ctrl-", "alt-", or
/// "shift-" for modifiers. Keys of a sequence are separated by spaces; in a sequence of two characters, the space is
/// optional: "gg" means "g g".
public enum KeyNotation {
    /// Names of all keys that are not characters.
    package static let names: [(name: String, code: Key.Code)] =
        [
            ("enter", .enter), ("esc", .escape), ("tab", .tab), ("backspace", .backspace), ("del", .delete),
            ("ins", .insert), ("up", .up), ("down", .down), ("left", .left), ("right", .right), ("home", .home),
            ("end", .end), ("pgup", .pageUp), ("pgdn", .pageDown), ("space", .character(" ")),
        ] + (1...20).map { ("f\($0)", .function($0)) }

    /// Alternative names.
    private static let aliases: [String: Key.Code] = [
        "return": .enter, "escape": .escape, "delete": .delete, "insert": .insert, "bs": .backspace,
        "pageup": .pageUp, "pagedown": .pageDown, "lt": .character("<"), "gt": .character(">"),
        "minus": .character("-"), "comma": .character(","), "colon": .character(":"),
    ]

    private static let codes = Dictionary(uniqueKeysWithValues: names.map { ($0.name, $0.code) })
    private static let nameOfCode = Dictionary(uniqueKeysWithValues: names.map { ($0.code, $0.name) })

    /// Returns the notation of a key.
    public static func text(of key: Key) -> String {
        var text = ""
        if key.modifiers.contains(.control) { text += "ctrl-" }
        if key.modifiers.contains(.alt) { text += "alt-" }
        if key.modifiers.contains(.shift) { text += "shift-" }
        if let name = nameOfCode[key.code] { return text + name }
        if case .character(let character) = key.code { return text + String(character) }
        return text
    }

    /// Returns the notation of a key sequence.
    public static func text(of keys: [Key]) -> String {
        let words = keys.map(text)
        let joined = words.joined()
        let together = words.allSatisfy { $0.count == 1 } && words.count <= 2 && codes[joined] == nil
        return together ? joined : words.joined(separator: " ")
    }

    /// Parses the notation of one key.
    public static func key(_ text: String) throws(Problem) -> Key {
        try key(text[...], in: text)
    }

    /// Parses a key sequence, as in `[keys]`: "]e", "] e", "g g", "ctrl-x s".
    public static func keys(_ text: String) throws(Problem) -> [Key] {
        var keys: [Key] = []
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
            if let key = try? key(word, in: text) {
                keys.append(key)
            } else if word.contains(where: { $0 == "-" }) || word.count > 2 || isFunction(word)
                || !word.allSatisfy(isPlain)
            {
                keys.append(try key(word, in: text))
            } else {
                keys += word.map { Key(.character($0)) }
            }
        }
        guard !keys.isEmpty else { throw missingKey(in: text, at: 1) }
        return keys
    }

    /// Parses typed keys, as in `--keys`: characters stand for themselves, and names are in angle brackets.
    ///
    /// ```swift
    /// try KeyNotation.typed("/timeout<enter>jj]e<ctrl-p>")
    /// ```
    public static func typed(_ text: String) throws(Problem) -> [Key] {
        var keys: [Key] = []
        var index = text.startIndex
        while index < text.endIndex {
            let character = text[index]
            let next = text.index(after: index)
            guard character == "<" else {
                keys.append(plain(character))
                index = next
                continue
            }
            guard let end = text[next...].firstIndex(of: ">") else {
                throw Problem(
                    .invalid, place(position(of: index, in: text), in: text), "unclosed \"<\"",
                    remedy: "Use <lt> for the character itself.")
            }
            // "<>>" and "<ctrl->>" refer to the bracket itself.
            let after = text.index(after: end)
            let isBracket = after < text.endIndex && text[after] == ">" && (end == next || text[next..<end].last == "-")
            let close = isBracket ? after : end
            keys.append(try key(text[next..<close], in: text))
            index = text.index(after: close)
        }
        return keys
    }

    private static func plain(_ character: Character) -> Key {
        switch character {
        case "\n", "\r", "\r\n": Key(.enter)
        case "\t": Key(.tab)
        case "\u{1B}": Key(.escape)
        default: .character(character)
        }
    }

    private static func key(_ word: Substring, in text: String) throws(Problem) -> Key {
        var rest = word
        var modifiers: Key.Modifiers = []
        var hasPrefix = true
        while hasPrefix, rest.count > 1 {
            hasPrefix = false
            for (prefix, modifier) in prefixes where rest.count > prefix.count && starts(rest, with: prefix) {
                modifiers.insert(modifier)
                rest = rest.dropFirst(prefix.count)
                hasPrefix = true
                break
            }
        }
        let name = rest.lowercased()
        if rest.count == 1, let character = rest.first, isPlain(character) || character == " " {
            return Key(.character(character), modifiers).canonical
        }
        if let code = codes[name] ?? aliases[name] { return Key(code, modifiers).canonical }
        let position = position(of: rest.startIndex, in: text)
        if rest.isEmpty { throw missingKey(in: text, at: position) }
        throw Problem(
            .unknown, place(position, in: text), "unknown key \"\(Quotation.of(String(rest)))\"",
            remedy: "Use \(nameList), optionally after ctrl-, alt-, or shift-.")
    }

    private static let prefixes: [(String, Key.Modifiers)] = [
        ("ctrl-", .control), ("alt-", .alt), ("shift-", .shift),
    ]

    private static func starts(_ text: Substring, with prefix: String) -> Bool {
        text.prefix(prefix.count).lowercased() == prefix
    }

    /// Returns whether a word looks like a function key. "f0" is more likely a typo than two keys.
    private static func isFunction(_ word: Substring) -> Bool {
        word.first == "f" && word.dropFirst().allSatisfy(\.isNumber)
    }

    private static func isPlain(_ character: Character) -> Bool {
        !character.isWhitespace && !character.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    private static func position(of index: String.Index, in text: String) -> Int {
        text.distance(from: text.startIndex, to: index) + 1
    }

    private static func place(_ position: Int, in text: String) -> String {
        "\"\(Quotation.of(text))\", character \(position)"
    }

    private static func missingKey(in text: String, at position: Int) -> Problem {
        Problem(
            .missing, place(position, in: text), "missing key",
            remedy: "Examples: \"a\", \"enter\", \"ctrl-p\".")
    }

    private static var nameList: String {
        let names = names.map(\.name)
        return names.prefix(while: { $0 != "f1" }).joined(separator: ", ") + ", or f1 to f20"
    }
}
