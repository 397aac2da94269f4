/// An escape sequence at a position in the input: a key, a mouse report, a paste, or a terminal reply.
///
/// Keys are recognized as sent by xterm, VT220, rxvt, and the Linux console.
///
/// Source: xterm's "Control Sequences" (Moy, Gildea, Dickey); `console_codes(4)`.
struct EscapeSequence {
    let bytes: [UInt8]
    let start: Int
    /// Whether no more input will arrive; an incomplete sequence is then interpreted as is.
    let isFinal: Bool
    let parser: InputParser

    var piece: InputParser.Piece {
        guard start + 1 < bytes.count else { return isFinal ? .key(Key(.escape), 1) : .incomplete }
        switch bytes[start + 1] {
        case UInt8(ascii: "["): return controlSequence(at: start + 2, alt: false)
        case UInt8(ascii: "O"): return singleShift(at: start + 2, alt: false)
        case UInt8(ascii: "]"): return systemCommand
        case 0x1B: return doubled
        default: return alt
        }
    }

    /// Result of two Escapes: Alt and a special key, as some terminals send it, or Escape typed twice.
    private var doubled: InputParser.Piece {
        guard start + 2 < bytes.count else {
            return isFinal ? .key(Key(.escape), 1) : .incomplete
        }
        switch bytes[start + 2] {
        case UInt8(ascii: "["): return shifted(controlSequence(at: start + 3, alt: true))
        case UInt8(ascii: "O"): return shifted(singleShift(at: start + 3, alt: true))
        default: return .key(Key(.escape), 1)
        }
    }

    private func shifted(_ piece: InputParser.Piece) -> InputParser.Piece {
        if case .incomplete = piece { return isFinal ? .key(Key(.escape), 1) : .incomplete }
        return piece
    }

    /// Result of Escape and a character: Alt and that character.
    private var alt: InputParser.Piece {
        let first = bytes[start + 1]
        if first < 0x20 || first == 0x7F {
            let key = parser.control(first)
            return .key(Key(key.code, key.modifiers.union(.alt)), 2)
        }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        if start + 1 + length > bytes.count, !isFinal { return .incomplete }
        let end = min(bytes.count, start + 1 + length)
        guard let character = String(decoding: bytes[start + 1..<end], as: UTF8.self).first else { return .nothing(2) }
        return .key(Key(.character(character), .alt), end - start)
    }

    /// Result of `ESC ] number ; text`, terminated by BEL or `ESC \`.
    private var systemCommand: InputParser.Piece {
        guard start + 2 < bytes.count else { return isFinal ? alt : .incomplete }
        guard (0x30...0x39).contains(bytes[start + 2]) else { return alt }
        var index = start + 2
        while index < bytes.count {
            if bytes[index] == 0x07 { return reply(bytes[start + 2..<index], length: index + 1 - start) }
            if bytes[index] == 0x1B {
                if index + 1 == bytes.count { break }
                if bytes[index + 1] == UInt8(ascii: "\\") {
                    return reply(bytes[start + 2..<index], length: index + 2 - start)
                }
                return .nothing(index - start)
            }
            index += 1
        }
        return isFinal ? .nothing(bytes.count - start) : .incomplete
    }

    private func reply(_ text: ArraySlice<UInt8>, length: Int) -> InputParser.Piece {
        guard let color = BackgroundReply.color(in: text) else { return .nothing(length) }
        return .report(.background(color), length)
    }

    /// Parses `ESC O letter`: arrows, Home, End, F1 to F4, and the keypad.
    private func singleShift(at index: Int, alt: Bool) -> InputParser.Piece {
        guard index < bytes.count else {
            return isFinal ? .key(Key(.character("O"), .alt), index - start) : .incomplete
        }
        let length = index + 1 - start
        guard let key = KeySequences.singleShift(bytes[index]) else { return .nothing(length) }
        return .key(alt ? Key(key.code, key.modifiers.union(.alt)) : key, length)
    }

    /// Parses `ESC [ parameters intermediates final`.
    private func controlSequence(at first: Int, alt: Bool) -> InputParser.Piece {
        guard first < bytes.count else {
            return isFinal ? .key(Key(.character("["), .alt), first - start) : .incomplete
        }
        if bytes[first] == UInt8(ascii: "[") { return linuxFunction(at: first + 1) }
        if bytes[first] == UInt8(ascii: "M") { return oldMouse(at: first + 1) }
        var index = first
        while index < bytes.count, (0x20...0x3F).contains(bytes[index]) { index += 1 }
        guard index < bytes.count else { return isFinal ? .nothing(index - start) : .incomplete }
        let length = index + 1 - start
        // A byte that is invalid in a sequence ends the sequence and may start the next one.
        guard (0x40...0x7E).contains(bytes[index]) else { return .nothing(index - start) }
        let parameters = Parameters(bytes[first..<index])
        let final = bytes[index]
        switch (parameters.marker, final) {
        case (UInt8(ascii: "<"), UInt8(ascii: "M")), (UInt8(ascii: "<"), UInt8(ascii: "m")):
            guard let mouse = MouseReport.sgr(parameters.numbers, released: final == UInt8(ascii: "m")) else {
                return .nothing(length)
            }
            return .mouse(mouse, length)
        case (UInt8(ascii: "?"), UInt8(ascii: "c")): return .report(.deviceAttributes, length)
        case (UInt8(ascii: "?"), UInt8(ascii: "y")):
            let value = parameters[1]
            return .report(.mode(parameters[0], settable: value == 1 || value == 2), length)
        case (0, UInt8(ascii: "~")) where parameters[0] == 200: return .paste(length)
        case (0, _):
            guard let key = KeySequences.control(final, parameters) else { return .nothing(length) }
            return .key(alt ? Key(key.code, key.modifiers.union(.alt)) : key, length)
        default: return .nothing(length)
        }
    }

    /// Parses `ESC [ [ A` to `E`: F1 to F5 on the Linux console.
    private func linuxFunction(at index: Int) -> InputParser.Piece {
        guard index < bytes.count else { return isFinal ? .nothing(index - start) : .incomplete }
        guard (0x41...0x45).contains(bytes[index]) else { return .nothing(index + 1 - start) }
        return .key(Key(.function(Int(bytes[index]) - 0x40)), index + 1 - start)
    }

    /// Parses `ESC [ M button column row`, with one byte for each value.
    private func oldMouse(at index: Int) -> InputParser.Piece {
        guard index + 3 <= bytes.count else { return isFinal ? .nothing(bytes.count - start) : .incomplete }
        let values = bytes[index..<index + 3].map { Int($0) - 32 }
        guard let mouse = MouseReport.old(values) else { return .nothing(index + 3 - start) }
        return .mouse(mouse, index + 3 - start)
    }

    /// The numbers between `ESC [` and the final byte; an omitted number is 0.
    struct Parameters {
        /// `<`, `=`, `>`, or `?` before the numbers; 0 if there is none.
        var marker: UInt8 = 0
        var numbers: [Int] = []

        init(_ bytes: ArraySlice<UInt8>) {
            var rest = bytes
            if let first = rest.first, (0x3C...0x3F).contains(first) {
                marker = first
                rest = rest.dropFirst()
            }
            var number = 0
            var digits = false
            for byte in rest {
                switch byte {
                case 0x30...0x39:
                    number = min(number * 10 + Int(byte - 0x30), 1 << 24)
                    digits = true
                case UInt8(ascii: ";"), UInt8(ascii: ":"):
                    if numbers.count < 16 { numbers.append(number) }
                    number = 0
                    digits = true
                default: break
                }
            }
            if digits { numbers.append(number) }
        }

        subscript(_ index: Int) -> Int { index < numbers.count ? numbers[index] : 0 }
    }
}
