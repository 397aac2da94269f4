internal import Glibc
internal import Tensors
internal import Tokenizers

/// Continues a prompt token by token; every token is a pass over the whole text so far.
struct Sampler {
    let model: TrainableTransformer<Float>
    let tokenizer: Tokenizer
    let tokens: Int
    /// 0: always the likeliest.
    let temperature: Double
    /// Texts that end a sample.
    let stop: [String]
    let end: Int32
    /// Tokens that are looked back at.
    let context: Int

    func text(after prompt: String, seed: UInt64, index: Int) throws -> String {
        var ids = tokenizer.encode(prompt, addingSpecialTokens: false)
        if ids.isEmpty { ids = [end] }
        let start = ids.count
        var random = PhiloxGenerator(seed: seed, stream: UInt32(truncatingIfNeeded: index))
        while ids.count - start < tokens {
            let window = Array(ids.suffix(context))
            let logits = try model.logits(try Tensor(window, shape: [1, window.count]), .evaluation)
            let row = logits.value.elements.suffix(logits.shape.last ?? 0)
            let next = Int32(choice(Array(row.prefix(tokenizer.vocabularySize)), &random))
            if next == end { break }
            ids.append(next)
            let text = tokenizer.decode(ids[start...])
            if let cut = stop.compactMap({ Self.place(of: $0, in: text) }).min() {
                return String(decoding: Array(text.utf8)[..<cut], as: UTF8.self)
            }
        }
        return tokenizer.decode(ids[start...])
    }

    private func choice(_ logits: [Float], _ random: inout PhiloxGenerator) -> Int {
        let best = logits.indices.max { logits[$0] < logits[$1] } ?? 0
        guard temperature > 0, !logits.isEmpty else { return best }
        let weights = logits.map { exp((Double($0) - Double(logits[best])) / temperature) }
        var rest = random.uniform() * weights.reduce(0, +)
        for (index, weight) in weights.enumerated() {
            rest -= weight
            if rest < 0 { return index }
        }
        return best
    }

    /// Where a text begins in another, in bytes.
    private static func place(of word: String, in text: String) -> Int? {
        let (word, text) = (Array(word.utf8), Array(text.utf8))
        guard !word.isEmpty, word.count <= text.count else { return nil }
        return (0...text.count - word.count).first { text[$0..<$0 + word.count].elementsEqual(word) }
    }
}
