internal import Tensors
internal import Tokenizers

/// The tokenizer file of llama2.c: an int32, the longest token's length; then for each token a float32 score, an int32
/// length and its bytes.
///
/// It says nothing of kinds: 0 is the unknown token, 1 and 2 begin and end a text, 3 to 258 are the bytes, as in every
/// Llama vocabulary of SentencePiece.
enum Llama2CVocabulary {
    static func read(_ path: String, count: Int) throws(ModelError) -> VocabularyDescription {
        let file = try MappedFile.opened(path)
        defer { withExtendedLifetime(file) {} }
        var description = VocabularyDescription(model: "llama")
        var position = 4
        func failure(_ problem: String) -> ModelError {
            ModelError(
                path, offset: min(position, file.count), problem: problem,
                remedy: "Use the tokenizer that was exported with the model.")
        }
        for number in 0..<count {
            guard position + 8 <= file.count else { throw failure("the file ends before token \(number) of \(count)") }
            let score = Float(
                bitPattern: UInt32(littleEndian: file.bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
            let length = Int(
                Int32(littleEndian: file.bytes.loadUnaligned(fromByteOffset: position + 4, as: Int32.self)))
            guard length >= 0, length <= file.count - position - 8 else {
                throw failure("token \(number) has \(length) bytes, more than the rest of the file")
            }
            let text = Array(file.bytes[position + 8..<position + 8 + length])
            description.tokens.append(piece(number, text))
            description.scores.append(score)
            description.types.append(kind(number))
            position += 8 + length
        }
        guard position == file.count else { throw failure("unexpected data after the model's \(count) tokens") }
        description.special = SpecialTokens(bos: 1, eos: 2, unknown: 0)
        description.addsBOS = true
        description.addsSpacePrefix = true
        return description
    }

    /// The file decorates the first tokens and writes spaces plainly; SentencePiece has ▁ for them.
    private static func piece(_ number: Int, _ text: [UInt8]) -> [UInt8] {
        switch number {
        case 0: Array("<unk>".utf8)
        case 1: Array("<s>".utf8)
        case 2: Array("</s>".utf8)
        case 3..<259: text
        default: text.flatMap { $0 == UInt8(ascii: " ") ? Array("▁".utf8) : [$0] }
        }
    }

    private static func kind(_ number: Int) -> Int32 {
        let kind: TokenKind =
            switch number {
            case 0: .unknown
            case 1, 2: .control
            case 3..<259: .byte
            default: .normal
            }
        return Int32(kind.rawValue)
    }
}
