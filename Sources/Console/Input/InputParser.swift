/// A parser that turns the bytes from a terminal into events.
///
/// ```swift
/// var parser = InputParser()
/// var events: [InputEvent] = []
/// parser.feed(Array("j\u{1B}[A".utf8), at: 0, into: &events)     // the keys j and up
/// ```
///
/// A sequence split between two reads is completed by the next read; `flush` reports that no more bytes will come.
/// Input is untrusted: bytes that do not form a known sequence are dropped, and no buffer grows beyond `pasteLimit`.
package struct InputParser {
    /// Maximum size of a paste: 16 MiB.
    package static let pasteLimit = 16 << 20
    /// Maximum length of an escape sequence; every known reply is shorter.
    static let sequenceLimit = 512

    /// Terminal replies to queries.
    package enum Report: Hashable, Sendable {
        /// Primary device attributes, the reply that marks the end of a series of queries.
        case deviceAttributes
        /// DECRPM: whether a private mode is supported and can be set.
        case mode(Int, settable: Bool)
        /// Background color, 0 to 255 per channel.
        case background(Quantizer.RGB)
    }

    /// Replies received, oldest first; the caller removes them.
    package var reports: [Report] = []

    /// Sequences that the terminal type defines differently from the common grammar.
    private let special: [[UInt8]: Key]
    private let erase: UInt8
    private var bytes: [UInt8] = []
    private var pasted: [UInt8]?
    private var clicks = ClickCounter()

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - special: Keys for sequences of this terminal type, which take precedence over the common grammar.
    ///   - erase: Byte that erases a character, in addition to DEL.
    package init(special: [[UInt8]: Key] = [:], erase: UInt8 = 0x7F) {
        self.special = special
        self.erase = erase
    }

    /// Whether buffered bytes may be the start of an incomplete sequence.
    package var isWaiting: Bool { !bytes.isEmpty && pasted == nil }
    /// Whether a paste has started but not ended.
    package var isPasting: Bool { pasted != nil }

    /// Parses bytes that arrived at `time`, in milliseconds since an arbitrary starting point.
    package mutating func feed(_ input: some Sequence<UInt8>, at time: Int64, into events: inout [InputEvent]) {
        bytes.append(contentsOf: input)
        consume(at: time, final: false, into: &events)
    }

    /// Interprets an incomplete sequence as is, as Escape, as Alt and a character, or as nothing, and ends a paste.
    package mutating func flush(at time: Int64, into events: inout [InputEvent]) {
        if pasted != nil { endPaste(into: &events) }
        consume(at: time, final: true, into: &events)
    }

    private mutating func consume(at time: Int64, final: Bool, into events: inout [InputEvent]) {
        var index = 0
        while index < bytes.count {
            if pasted != nil {
                guard takePaste(&index, into: &events) else { break }
                continue
            }
            switch next(at: index, final: final) {
            case .incomplete:
                bytes.removeFirst(index)
                return
            case .nothing(let length): index += length
            case .key(let key, let length):
                index += length
                events.append(.key(key))
            case .text(let length):
                for character in String(decoding: bytes[index..<index + length], as: UTF8.self) {
                    events.append(.key(.character(character)))
                }
                index += length
            case .mouse(let mouse, let length):
                index += length
                events.append(.mouse(clicks.count(mouse, at: time)))
            case .report(let report, let length):
                index += length
                reports.append(report)
            case .paste(let length):
                index += length
                pasted = []
            }
        }
        bytes.removeFirst(min(index, bytes.count))
    }

    /// A piece of input, with its length in bytes.
    enum Piece {
        case incomplete
        case nothing(Int)
        case key(Key, Int)
        case text(Int)
        case mouse(Mouse, Int)
        case report(Report, Int)
        case paste(Int)
    }

    private func next(at start: Int, final: Bool) -> Piece {
        let byte = bytes[start]
        if byte == 0x1B { return escape(at: start, final: final) }
        if byte < 0x20 || byte == 0x7F { return .key(control(byte), 1) }
        var end = start
        while end < bytes.count, bytes[end] >= 0x20, bytes[end] != 0x7F { end += 1 }
        if end == bytes.count, !final {
            let partial = Self.partialTail(bytes[start..<end])
            if partial == end - start { return .incomplete }
            end -= partial
        }
        return .text(end - start)
    }

    /// Returns the number of bytes at the end that belong to an incomplete UTF-8 character.
    private static func partialTail(_ bytes: ArraySlice<UInt8>) -> Int {
        for (back, byte) in bytes.suffix(3).reversed().enumerated() {
            if byte & 0xC0 == 0x80 { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return length > back + 1 ? back + 1 : 0
        }
        return 0
    }

    func control(_ byte: UInt8) -> Key {
        if byte == erase { return Key(.backspace) }
        switch byte {
        case 0x00: return .control(" ")
        case 0x09: return Key(.tab)
        case 0x0A, 0x0D: return Key(.enter)
        case 0x1B: return Key(.escape)
        case 0x7F: return Key(.backspace)
        case 0x1C...0x1F: return .control(Character(Unicode.Scalar(byte + 0x40)))
        default: return .control(Character(Unicode.Scalar(byte + 0x60)))
        }
    }

    private func escape(at start: Int, final: Bool) -> Piece {
        if !special.isEmpty {
            for (sequence, key) in special where sequence.count <= bytes.count - start {
                if bytes[start..<start + sequence.count].elementsEqual(sequence) { return .key(key, sequence.count) }
            }
        }
        let piece = EscapeSequence(bytes: bytes, start: start, isFinal: final, parser: self).piece
        if case .incomplete = piece, bytes.count - start > Self.sequenceLimit { return .nothing(bytes.count - start) }
        return piece
    }

    // MARK: Paste

    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    /// Moves bytes into the paste; returns false if the paste continues after them.
    private mutating func takePaste(_ index: inout Int, into events: inout [InputEvent]) -> Bool {
        let end = Self.pasteEnd
        var cursor = index
        var found = false
        while cursor < bytes.count {
            guard let escape = bytes[cursor...].firstIndex(of: 0x1B) else {
                cursor = bytes.count
                break
            }
            cursor = escape
            let tail = bytes[escape...].prefix(end.count)
            if tail.elementsEqual(end.prefix(tail.count)) {
                found = tail.count == end.count
                break
            }
            cursor += 1
        }
        let room = Self.pasteLimit - (pasted?.count ?? 0)
        pasted?.append(contentsOf: bytes[index..<cursor].prefix(max(0, room)))
        index = cursor
        guard found else { return false }
        index += end.count
        endPaste(into: &events)
        return true
    }

    private mutating func endPaste(into events: inout [InputEvent]) {
        guard let content = pasted else { return }
        pasted = nil
        let whole = content.count == Self.pasteLimit ? content.dropLast(Self.partialTail(content[...])) : content[...]
        events.append(.paste(String(decoding: whole, as: UTF8.self)))
    }
}
