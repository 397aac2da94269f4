/// The keys of escape sequences.
package enum KeySequences {
    /// Returns the key of `ESC [ parameters final`.
    static func control(_ final: UInt8, _ parameters: EscapeSequence.Parameters) -> Key? {
        let modifiers = modifiers(parameters[1])
        switch final {
        case UInt8(ascii: "A"): return Key(.up, modifiers)
        case UInt8(ascii: "B"): return Key(.down, modifiers)
        case UInt8(ascii: "C"): return Key(.right, modifiers)
        case UInt8(ascii: "D"): return Key(.left, modifiers)
        case UInt8(ascii: "H"): return Key(.home, modifiers)
        case UInt8(ascii: "F"): return Key(.end, modifiers)
        case UInt8(ascii: "P")...UInt8(ascii: "S"): return Key(.function(Int(final) - 0x4F), modifiers)
        case UInt8(ascii: "Z"): return Key(.tab, .shift)
        case UInt8(ascii: "a")...UInt8(ascii: "d"): return Key(arrows[Int(final) - 0x61], .shift)
        case UInt8(ascii: "~"):
            if parameters[0] == 27 { return unicode(parameters[2], modifiers) }
            return numbered[parameters[0]].map { Key($0, modifiers) }
        case UInt8(ascii: "u"): return unicode(parameters[0], modifiers)
        default: return nil
        }
    }

    /// Returns the key of `ESC O letter`.
    static func singleShift(_ letter: UInt8) -> Key? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "D"): return Key(arrows[Int(letter) - 0x41])
        case UInt8(ascii: "H"): return Key(.home)
        case UInt8(ascii: "F"): return Key(.end)
        case UInt8(ascii: "P")...UInt8(ascii: "S"): return Key(.function(Int(letter) - 0x4F))
        case UInt8(ascii: "M"): return Key(.enter)
        case UInt8(ascii: "I"): return Key(.tab)
        case UInt8(ascii: "X"): return .character("=")
        case UInt8(ascii: " "): return .character(" ")
        case UInt8(ascii: "a")...UInt8(ascii: "d"): return Key(arrows[Int(letter) - 0x61], .control)
        case UInt8(ascii: "j")...UInt8(ascii: "y"): return .character(Character(Unicode.Scalar(letter - 0x40)))
        default: return nil
        }
    }

    /// Returns the modifiers of a parameter, which is 1 plus the bits for Shift, Alt, Control, and Meta.
    static func modifiers(_ parameter: Int) -> Key.Modifiers {
        guard parameter > 1 else { return [] }
        let bits = parameter - 1
        var modifiers: Key.Modifiers = []
        if bits & 1 != 0 { modifiers.insert(.shift) }
        if bits & 0b1010 != 0 { modifiers.insert(.alt) }
        if bits & 4 != 0 { modifiers.insert(.control) }
        return modifiers
    }

    /// Returns the key that a terminal reports by its code point.
    private static func unicode(_ code: Int, _ modifiers: Key.Modifiers) -> Key? {
        switch code {
        case 9: return Key(.tab, modifiers)
        case 10, 13: return Key(.enter, modifiers)
        case 27: return Key(.escape, modifiers)
        case 8, 127: return Key(.backspace, modifiers)
        default:
            guard code >= 32, let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) else { return nil }
            return Key(.character(Character(scalar)), modifiers).canonical
        }
    }

    private static let arrows: [Key.Code] = [.up, .down, .right, .left]

    /// Keys by the number before `~`.
    private static let numbered: [Int: Key.Code] = [
        1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
        11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
        17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
        23: .function(11), 24: .function(12), 25: .function(13), 26: .function(14), 28: .function(15),
        29: .function(16), 31: .function(17), 32: .function(18), 33: .function(19), 34: .function(20),
    ]

    /// Terminfo capabilities for keys.
    static let capabilities: [(name: String, key: Key)] =
        [
            ("kcuu1", Key(.up)), ("kcud1", Key(.down)), ("kcub1", Key(.left)), ("kcuf1", Key(.right)),
            ("khome", Key(.home)), ("kend", Key(.end)), ("kpp", Key(.pageUp)), ("knp", Key(.pageDown)),
            ("kich1", Key(.insert)), ("kdch1", Key(.delete)), ("kcbt", Key(.tab, .shift)),
            ("kLFT", Key(.left, .shift)), ("kRIT", Key(.right, .shift)), ("kUP", Key(.up, .shift)),
            ("kDN", Key(.down, .shift)),
        ] + (1...12).map { ("kf\($0)", Key(.function($0))) }

    /// Returns the sequences of a terminal type that the common grammar would interpret differently.
    package static func special(capability: (String) -> String?) -> [[UInt8]: Key] {
        var special: [[UInt8]: Key] = [:]
        for (name, key) in capabilities {
            guard let text = capability(name) else { continue }
            let sequence = Array(text.utf8)
            // Skip control characters and Alt with a character, which the parser already handles.
            guard sequence.first == 0x1B, sequence.count > 2 else { continue }
            var parser = InputParser()
            var events: [InputEvent] = []
            parser.feed(sequence, at: 0, into: &events)
            parser.flush(at: 0, into: &events)
            if events != [.key(key)] { special[sequence] = key }
        }
        return special
    }
}
