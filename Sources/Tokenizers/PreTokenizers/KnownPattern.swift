/// Published patterns that have a hand-written scanner, recognized by their text.
package enum KnownPattern: String, CaseIterable, Sendable {
    case gpt2 = #"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"#
    case llama3 =
        #"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"#
    case qwen2 =
        #"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"#
    case qwen35 =
        #"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"#
    case o200k =
        #"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"#
    case tekken =
        #"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"#

    /// Calls `body` with this pattern's scanner, of its own type, so that it is compiled into the loop around it.
    @inline(__always)
    func withScanner<R>(_ body: (any PieceScanner) -> R) -> R {
        switch self {
        case .gpt2: body(GPT2Scanner())
        case .llama3: body(Llama3Scanner(mostDigits: 3))
        case .qwen2: body(Llama3Scanner(mostDigits: 1))
        case .qwen35: body(Llama3Scanner(mostDigits: 1, marksAreLetters: true))
        case .o200k: body(O200kScanner(mostDigits: 3, takesContractions: true))
        case .tekken: body(O200kScanner(mostDigits: 1, takesContractions: false))
        }
    }

    /// The pieces, which leave nothing out.
    package func pieces(of text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        withScanner { scanner in
            guard let base = text.baseAddress else { return [] }
            var pieces: [Range<Int>] = []
            var index = 0
            while index < text.count {
                let end = scanner.pieceEnd(base, index, text.count)
                pieces.append(index..<end)
                index = end
            }
            return pieces
        }
    }
}
