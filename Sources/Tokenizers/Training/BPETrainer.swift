/// Trains a byte-level BPE vocabulary, the kind of GPT-2, Llama 3 and Qwen.
///
/// ```swift
/// let document = try BPETrainer(vocabularySize: 8_000, specialTokens: ["<|endoftext|>"]).train(on: texts)
/// let tokenizer = try Tokenizer(json: Array(document.json.utf8))
/// ```
/// Merges are those of Hugging Face's `BpeTrainer` with the alphabet of all bytes, in the same order.
public struct BPETrainer: Hashable, Sendable {
    /// A published pattern that cuts text into the pieces within which pairs are merged.
    public enum Pattern: Hashable, Sendable, CaseIterable {
        case gpt2, llama3, qwen2

        var known: KnownPattern {
            switch self {
            case .gpt2: .gpt2
            case .llama3: .llama3
            case .qwen2: .qwen2
            }
        }
    }

    /// Pieces, the 256 bytes and special tokens among them.
    public var vocabularySize: Int
    /// Pairs that occur less often are not merged.
    public var minimumFrequency: Int
    /// They get the first ids, in this order.
    public var specialTokens: [String]
    public var pattern: Pattern

    public init(
        vocabularySize: Int = 30_000, minimumFrequency: Int = 0, specialTokens: [String] = [], pattern: Pattern = .gpt2
    ) {
        self.vocabularySize = vocabularySize
        self.minimumFrequency = minimumFrequency
        self.specialTokens = specialTokens
        self.pattern = pattern
    }

    /// Learns from texts, each of which is cut on its own.
    ///
    /// - Complexity: O(n) to count words, then O(1) expected for every change of a pair and O(log pairs) for every
    ///   entry of the heap.
    public func train(
        on texts: some Sequence<String>, monitor: TrainingMonitor = TrainingMonitor()
    ) throws(TrainingError) -> TokenizerDocument {
        try specialTokens.check()
        let needed = specialTokens.count + 256
        if vocabularySize < needed { throw .vocabularyTooSmall(wanted: vocabularySize, needed: needed) }
        let words = try count(texts, monitor)
        if words.count == 0 { throw .noText }
        // The alphabet in the order of its code points, as `tokenizers` has it.
        let alphabet = ByteAlphabet.scalars.compactMap { Unicode.Scalar($0) }.sorted()
        var training = MergeTraining(pieces: specialTokens.map { Array($0.utf8) })
        for scalar in alphabet { _ = training.add(piece: Array(String(scalar).utf8)) }
        var ids: [Int32] = []
        for scalar in ByteAlphabet.scalars {
            let piece = Unicode.Scalar(scalar).map { Array(String($0).utf8) } ?? []
            ids.append(training.id(of: piece) ?? 0)
        }
        for index in 0..<words.count {
            training.add(word: words.word(index).lazy.map { ids[Int($0)] }, count: words.counts[index])
        }
        try training.run(vocabularySize: vocabularySize, minimumFrequency: minimumFrequency, monitor)
        return TokenizerDocument(
            pipeline: .bytes(pattern),
            model: .bpe(
                pieces: training.pieces.map { String(decoding: $0, as: UTF8.self) },
                merges: training.merges.map { .init(left: Int($0.left), right: Int($0.right)) }),
            specialTokens: specialTokens)
    }

    private func count(_ texts: some Sequence<String>, _ monitor: TrainingMonitor) throws(TrainingError) -> WordCounter
    {
        var words = WordCounter()
        let pattern = pattern.known
        var done = 0
        var reported = 0
        for text in texts {
            try text.eachBuffer { bytes throws(TrainingError) in
                for piece in pattern.pieces(of: bytes) { try words.add(UnsafeBufferPointer(rebasing: bytes[piece])) }
            }
            done += text.utf8.count
            if done - reported >= 1 << 20 {
                try monitor.check(.counting, done, 0)
                reported = done
            }
        }
        try monitor.check(.counting, done, done)
        return words
    }
}

extension [String] {
    /// Refuses special tokens that cannot be told apart.
    func check() throws(TrainingError) {
        var seen: Set<String> = []
        for token in self where token.isEmpty || !seen.insert(token).inserted { throw .badSpecialToken(token) }
    }
}

extension String {
    /// Calls `body` with the UTF-8 of this text.
    func eachBuffer(_ body: (UnsafeBufferPointer<UInt8>) throws(TrainingError) -> Void) throws(TrainingError) {
        var text = self
        let result = text.withUTF8 { bytes in
            Result { () throws(TrainingError) in try body(bytes) }
        }
        try result.get()
    }
}
