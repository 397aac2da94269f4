extension Key {
    /// Key as terminals send it.
    ///
    /// Shift and a letter become the uppercase letter. Control ignores case, and Control with i, m, j, or [ becomes
    /// Tab, Enter, or Escape.
    package var canonical: Key {
        guard case .character(let character) = code else { return self }
        var key = self
        if key.modifiers.contains(.control) {
            let lower = character.lowercased()
            if lower.count == 1, let only = lower.first { key.code = .character(only) }
            switch key.code {
            case .character("i"): key.code = .tab
            case .character("m"), .character("j"): key.code = .enter
            case .character("["): key.code = .escape
            case .character("?"): key.code = .backspace
            default:
                if character.isLetter { key.modifiers.remove(.shift) }
                return key
            }
            key.modifiers.remove(.control)
            return key
        }
        if key.modifiers.contains(.shift) {
            let upper = character.uppercased()
            if upper.count == 1, let only = upper.first { key.code = .character(only) }
            key.modifiers.remove(.shift)
        }
        return key
    }

    /// Bytes that a modern terminal sends for the key; empty if the key has no sequence.
    package var bytes: [UInt8] {
        let prefix: [UInt8] = modifiers.contains(.alt) ? [0x1B] : []
        switch code {
        case .character(let character):
            guard modifiers.contains(.control) else { return prefix + Array(String(character).utf8) }
            guard let ascii = character.asciiValue else { return [] }
            if ascii == 0x20 || ascii == 0x40 { return prefix + [0] }
            return (0x5B...0x7A).contains(ascii) ? prefix + [ascii & 0x1F] : []
        case .enter: return prefix + [0x0D]
        case .escape: return prefix + [0x1B]
        case .tab: return modifiers.contains(.shift) ? Array("\u{1B}[Z".utf8) : prefix + [0x09]
        case .backspace: return prefix + [0x7F]
        case .up: return cursor("A")
        case .down: return cursor("B")
        case .right: return cursor("C")
        case .left: return cursor("D")
        case .home: return cursor("H")
        case .end: return cursor("F")
        case .insert: return numbered(2)
        case .delete: return numbered(3)
        case .pageUp: return numbered(5)
        case .pageDown: return numbered(6)
        case .function: return []
        }
    }

    /// Modifier parameter: 1 plus the bits for Shift, Alt, and Control.
    private var parameter: Int {
        1 + (modifiers.contains(.shift) ? 1 : 0) + (modifiers.contains(.alt) ? 2 : 0)
            + (modifiers.contains(.control) ? 4 : 0)
    }

    private func cursor(_ letter: String) -> [UInt8] {
        Array((modifiers.isEmpty ? "\u{1B}[\(letter)" : "\u{1B}[1;\(parameter)\(letter)").utf8)
    }

    private func numbered(_ number: Int) -> [UInt8] {
        Array((modifiers.isEmpty ? "\u{1B}[\(number)~" : "\u{1B}[\(number);\(parameter)~").utf8)
    }
}
