/// A step on the way from tokens back to text. All of them work on a stream: what a step cannot decide yet it holds.
package enum DecodingStep: Sendable {
    /// Bytes in GPT-2's alphabet; a token that has other characters stays as it is.
    case byteLevel
    case replace(Replacement)
    /// `<0x0A>` is a byte.
    case byteFallback
    /// From here on the tokens are one text.
    case fuse
    /// Removes a number of equal characters from both ends, of each token or of the fused text.
    case strip(content: [UInt8], start: Int, stop: Int)
    /// The replacement is a space, and in the first token nothing if a prefix was written.
    case metaspace([UInt8], dropsFirst: Bool)
    /// Words have spaces between them, and pieces that continue a word have a prefix.
    case wordPiece(prefix: [UInt8], cleansUp: Bool)
    /// Words begin with a mark, and pieces that continue one have none (GGUF's way to write WordPiece).
    case markedWords([UInt8], cleansUp: Bool)
    /// A suffix ends words: a space, but for the last token.
    case endSuffix([UInt8])
    /// Repetitions and padding go (connectionist temporal classification).
    case repetitions(padding: [UInt8], delimiter: [UInt8], cleansUp: Bool)
    /// Something stands between tokens.
    case joined([UInt8])
}

/// The state of one step.
struct DecodingState: Sendable {
    var count = 0
    /// What is held until it is decided.
    var held: [UInt8]?
    var isFused = false
    var stripped = 0
}

/// Turns tokens' texts into bytes, one token at a time.
struct DecodingChain: Sendable {
    private let steps: [DecodingStep]
    private var states: [DecodingState]

    init(_ steps: [DecodingStep]) {
        self.steps = steps
        states = steps.map { _ in DecodingState() }
        var isFused = false
        for index in steps.indices {
            states[index].isFused = isFused
            if case .fuse = steps[index] { isFused = true }
        }
    }

    mutating func push(_ token: [UInt8], into output: inout [UInt8]) { push(token, at: 0, &output) }

    mutating func finish(into output: inout [UInt8]) {
        for index in steps.indices {
            guard let held = states[index].held else { continue }
            states[index].held = nil
            if case .endSuffix(let suffix) = steps[index] {
                push(Replacement(.text(suffix), with: []).applied(to: held), at: index + 1, &output)
            }
        }
    }

    private mutating func push(_ token: [UInt8], at index: Int, _ output: inout [UInt8]) {
        guard index < steps.count else { return output.append(contentsOf: token) }
        let isFirst = states[index].count == 0
        states[index].count += 1
        switch steps[index] {
        case .byteLevel:
            var bytes: [UInt8] = []
            let isWritten = token.withUnsafeBufferPointer { ByteAlphabet.decode($0, into: &bytes) }
            push(isWritten ? bytes : token, at: index + 1, &output)
        case .replace(let replacement): push(replacement.applied(to: token), at: index + 1, &output)
        case .byteFallback: push(ByteToken.byte(of: token).map { [$0] } ?? token, at: index + 1, &output)
        case .fuse: push(token, at: index + 1, &output)
        case .strip(let content, let start, let stop): strip(token, content, start, stop, index, &output)
        case .metaspace(let mark, let dropsFirst):
            let content: [UInt8] = isFirst && dropsFirst ? [] : [0x20]
            push(Replacement(.text(mark), with: content).applied(to: token), at: index + 1, &output)
        case .wordPiece(let prefix, let cleansUp):
            let isContinued = !prefix.isEmpty && token.starts(with: prefix)
            let text = isFirst ? token : isContinued ? Array(token.dropFirst(prefix.count)) : [0x20] + token
            push(cleansUp ? WordCleanup.apply(to: text) : text, at: index + 1, &output)
        case .markedWords(let mark, let cleansUp):
            let isMarked = token.starts(with: mark)
            var text = isMarked ? [0x20] + token.dropFirst(mark.count) : token
            if isFirst, isMarked { text.removeFirst() }
            push(cleansUp ? WordCleanup.apply(to: text) : text, at: index + 1, &output)
        case .endSuffix(let suffix):
            if let held = states[index].held {
                push(Replacement(.text(suffix), with: [0x20]).applied(to: held), at: index + 1, &output)
            }
            states[index].held = token
        case .repetitions(let padding, let delimiter, let cleansUp):
            if states[index].held == token { return }
            states[index].held = token
            if token == padding { return }
            var text = token
            if cleansUp {
                text = Replacement(.text(delimiter), with: [0x20]).applied(to: WordCleanup.apply(to: text))
            }
            push(text, at: index + 1, &output)
        case .joined(let separator): push(isFirst ? token : separator + token, at: index + 1, &output)
        }
    }

    private mutating func strip(
        _ token: [UInt8], _ content: [UInt8], _ start: Int, _ stop: Int, _ index: Int, _ output: inout [UInt8]
    ) {
        var text = token[...]
        if !states[index].isFused { states[index].stripped = 0 }
        while states[index].stripped < start, !content.isEmpty, text.starts(with: content) {
            text = text.dropFirst(content.count)
            states[index].stripped += 1
        }
        // In a fused text only its very beginning is stripped.
        if states[index].isFused, !text.isEmpty { states[index].stripped = start }
        if !states[index].isFused {
            var left = content.isEmpty ? 0 : stop
            while left > 0, text.suffix(content.count).elementsEqual(content) {
                text = text.dropLast(content.count)
                left -= 1
            }
        }
        push(Array(text), at: index + 1, &output)
    }
}

extension Replacement {
    func applied(to bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBufferPointer { buffer in
            mayChange(buffer) ? apply(to: AlignedText(buffer, offset: 0, tracking: false)).bytes : bytes
        }
    }
}

/// Spaces that tokenization put before punctuation and contractions go.
enum WordCleanup {
    private static let changes: [Replacement] = [
        (" .", "."), (" ?", "?"), (" !", "!"), (" ,", ","), (" ' ", "'"), (" n't", "n't"), (" 'm", "'m"),
        (" do not", " don't"), (" 's", "'s"), (" 've", "'ve"), (" 're", "'re"),
    ].map { Replacement(.text(Array($0.0.utf8)), with: Array($0.1.utf8)) }

    static func apply(to text: [UInt8]) -> [UInt8] {
        guard text.contains(0x20) else { return text }
        return changes.reduce(text) { $1.applied(to: $0) }
    }
}

/// Tokens that stand for a byte.
enum ByteToken {
    /// The byte of `<0x0A>`.
    static func byte(of token: some Collection<UInt8>) -> UInt8? {
        guard token.count == 6 else { return nil }
        let text = Array(token)
        guard text.starts(with: "<0x".utf8), text[5] == UInt8(ascii: ">") else { return nil }
        guard let high = digit(text[3]), let low = digit(text[4]) else { return nil }
        return high << 4 | low
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// The piece of a byte: `<0x0A>`.
    static func piece(of byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return Array("<0x".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)], UInt8(ascii: ">")]
    }
}
