/// How keys are written: in help and footer, in `[keys]` of `config.toml`, and in `--keys`.
///
/// A key is a character ("a", "A", "]") or a name ("enter", "f5", "pgdn"), after "ctrl-", "alt-" or "shift-" where they
/// are held. Keys that follow each other are written apart or, two characters, together: "g g" is "gg".
public enum KeyNotation {
    /// The name of every key that is no character.
    package static let names: [(name: String, code: Key.Code)] =
        [
            ("enter", .enter), ("esc", .escape), ("tab", .tab), ("backspace", .backspace), ("del", .delete),
            ("ins", .insert), ("up", .up), ("down", .down), ("left", .left), ("right", .right), ("home", .home),
            ("end", .end), ("pgup", .pageUp), ("pgdn", .pageDown), ("space", .character(" ")),
        ] + (1...20).map { ("f\($0)", .function($0)) }

    /// Other names that are understood.
    private static let aliases: [String: Key.Code] = [
        "return": .enter, "escape": .escape, "delete": .delete, "insert": .insert, "bs": .backspace,
        "pageup": .pageUp, "pagedown": .pageDown, "lt": .character("<"), "gt": .character(">"),
        "minus": .character("-"), "comma": .character(","), "colon": .character(":"),
    ]

    private static let codes = Dictionary(uniqueKeysWithValues: names.map { ($0.name, $0.code) })
    private static let nameOfCode = Dictionary(uniqueKeysWithValues: names.map { ($0.code, $0.name) })

    /// One key as it is written.
    public static func text(of key: Key) -> String {
        var text = ""
        if key.modifiers.contains(.control) { text += "ctrl-" }
        if key.modifiers.contains(.alt) { text += "alt-" }
        if key.modifiers.contains(.shift) { text += "shift-" }
        if let name = nameOfCode[key.code] { return text + name }
        if case .character(let character) = key.code { return text + String(character) }
        return text
    }

    /// Keys that follow each other as they are written.
    public static func text(of keys: [Key]) -> String {
        let words = keys.map(text)
        let joined = words.joined()
        let together = words.allSatisfy { $0.count == 1 } && words.count <= 2 && codes[joined] == nil
        return together ? joined : words.joined(separator: " ")
    }

    /// One key from its notation.
    public static func key(_ text: String) throws(KeyNotationError) -> Key {
        try key(text[...], in: text)
    }

    /// Keys that follow each other, as `[keys]` has them: "]e", "] e", "g g", "ctrl-x s".
    public static func keys(_ text: String) throws(KeyNotationError) -> [Key] {
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
        guard !keys.isEmpty else { throw KeyNotationError(text: text, position: 1, problem: .empty) }
        return keys
    }

    /// Keys as `--keys` takes them: characters stand for themselves, names stand in angle brackets.
    ///
    /// ```swift
    /// try KeyNotation.typed("/timeout<enter>jj]e<ctrl-p>")
    /// ```
    public static func typed(_ text: String) throws(KeyNotationError) -> [Key] {
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
                throw KeyNotationError(text: text, position: position(of: index, in: text), problem: .unclosed)
            }
            // "<>>" and "<ctrl->>" name the bracket itself.
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

    private static func key(_ word: Substring, in text: String) throws(KeyNotationError) -> Key {
        var rest = word
        var modifiers: Key.Modifiers = []
        var isHeld = true
        while isHeld, rest.count > 1 {
            isHeld = false
            for (prefix, modifier) in prefixes where rest.count > prefix.count && starts(rest, with: prefix) {
                modifiers.insert(modifier)
                rest = rest.dropFirst(prefix.count)
                isHeld = true
                break
            }
        }
        let name = rest.lowercased()
        if rest.count == 1, let character = rest.first, isPlain(character) || character == " " {
            return Key(.character(character), modifiers).canonical
        }
        if let code = codes[name] ?? aliases[name] { return Key(code, modifiers).canonical }
        let problem: KeyNotationError.Problem = rest.isEmpty ? .empty : .unknown(String(rest))
        throw KeyNotationError(text: text, position: position(of: rest.startIndex, in: text), problem: problem)
    }

    private static let prefixes: [(String, Key.Modifiers)] = [
        ("ctrl-", .control), ("alt-", .alt), ("shift-", .shift),
    ]

    private static func starts(_ text: Substring, with prefix: String) -> Bool {
        text.prefix(prefix.count).lowercased() == prefix
    }

    /// "f0" is a function key that there is not, and hardly two keys.
    private static func isFunction(_ word: Substring) -> Bool {
        word.first == "f" && word.dropFirst().allSatisfy(\.isNumber)
    }

    private static func isPlain(_ character: Character) -> Bool {
        !character.isWhitespace && !character.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    private static func position(of index: String.Index, in text: String) -> Int {
        text.distance(from: text.startIndex, to: index) + 1
    }
}

/// A key's notation that means none.
public struct KeyNotationError: Error, Hashable, Sendable {
    public enum Problem: Hashable, Sendable {
        case empty
        case unknown(String)
        case unclosed
    }

    /// All that was given.
    public let text: String
    /// The character that is wrong, counted from 1.
    public let position: Int
    public let problem: Problem

    package init(text: String, position: Int, problem: Problem) {
        self.text = text
        self.position = position
        self.problem = problem
    }

    /// What is wrong, where, and what would be right.
    public var sentence: String {
        let place = "\"\(Quotation.of(text))\", character \(position): "
        return switch problem {
        case .empty: place + "a key is missing; write for example \"a\", \"enter\" or \"ctrl-p\"."
        case .unknown(let name):
            place + "\"\(Quotation.of(name))\" is no key; names are \(Self.someNames), after ctrl-, alt- or shift-."
        case .unclosed: place + "\"<\" has no \">\"; write <lt> for the character itself."
        }
    }

    private static var someNames: String {
        let names = KeyNotation.names.map(\.name)
        return names.prefix(while: { $0 != "f1" }).joined(separator: ", ") + " and f1 to f20"
    }
}

extension KeyNotationError: CustomStringConvertible {
    public var description: String { sentence }
}
