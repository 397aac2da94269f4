/// Turns tokens into text while they come, holding back characters that are not whole yet.
///
/// ```swift
/// var decoder = StreamDecoder(tokenizer)
/// for id in ids { print(decoder.append(id), terminator: "") }
/// print(decoder.finish())
/// ```
/// The parts joined are what `Tokenizer.decode` gives for all ids at once.
public struct StreamDecoder: Sendable {
    private let tokenizer: Tokenizer
    private let skipsSpecialTokens: Bool
    private var chain: DecodingChain
    private var pending: [UInt8] = []

    public init(_ tokenizer: Tokenizer, skippingSpecialTokens: Bool = true) {
        self.tokenizer = tokenizer
        skipsSpecialTokens = skippingSpecialTokens
        chain = DecodingChain(tokenizer.parts.decoding)
    }

    /// Returns the text that another token completes; empty if it ends inside a character. Unknown ids add nothing.
    public mutating func append(_ id: TokenID) -> String {
        push(id)
        let whole = pending.count - Self.incompleteBytes(at: pending)
        guard whole > 0 else { return "" }
        let text = String(decoding: pending[..<whole], as: UTF8.self)
        pending.removeFirst(whole)
        return text
    }

    /// What is left at the end: a character that was never completed reads as U+FFFD.
    public mutating func finish() -> String {
        chain.finish(into: &pending)
        let text = String(decoding: pending, as: UTF8.self)
        pending = []
        chain = DecodingChain(tokenizer.parts.decoding)
        return text
    }

    mutating func push(_ id: TokenID) {
        guard id >= 0, Int(id) < tokenizer.vocabularySize else { return }
        if skipsSpecialTokens, tokenizer.isSkipped(id) { return }
        let bytes = tokenizer.parts.pieces[Int(id)]
        if tokenizer.parts.decoding.isEmpty {
            pending.append(contentsOf: bytes)
        } else {
            chain.push(Array(bytes), into: &pending)
        }
    }

    /// How many bytes at the end begin a character that is not whole.
    private static func incompleteBytes(at bytes: [UInt8]) -> Int {
        for back in 1...3 where back <= bytes.count {
            let byte = bytes[bytes.count - back]
            if byte & 0xC0 == 0x80 { continue }
            let needed =
                switch byte {
                case 0xC2..<0xE0: 2
                case 0xE0..<0xF0: 3
                case 0xF0..<0xF5: 4
                default: 1
                }
            guard needed > back else { return 0 }
            return canBegin(bytes[(bytes.count - back)...]) ? back : 0
        }
        return 0
    }

    /// Whether a lead byte and what follows it can still become a character.
    private static func canBegin(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count > 1, let lead = bytes.first else { return true }
        let second = bytes[bytes.startIndex + 1]
        switch lead {
        case 0xE0: return second >= 0xA0
        case 0xED: return second < 0xA0
        case 0xF0: return second >= 0x90
        case 0xF4: return second < 0x90
        default: return true
        }
    }
}
