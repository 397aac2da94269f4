/// Trains a WordPiece vocabulary, the kind of BERT, as Hugging Face's `WordPieceTrainer` does: pairs are merged by
/// frequency, with `##` before the pieces that continue a word.
///
/// The original chose pairs by likelihood (Schuster, Nakajima 2012); what is in use today is trained like this.
public struct WordPieceTrainer: Hashable, Sendable {
    /// Pieces, characters and special tokens among them.
    public var vocabularySize: Int
    /// Pairs that occur less often are not merged.
    public var minimumFrequency: Int
    /// They get the first ids, in this order. The first of them that is `[UNK]` stands for unknown words.
    public var specialTokens: [String]
    /// Maximum number of characters in the alphabet; rarer ones are dropped from words. `nil` keeps all.
    public var alphabetLimit: Int?
    /// Whether text is lower-cased and loses its accents.
    public var lowercases: Bool

    public init(
        vocabularySize: Int = 30_000, minimumFrequency: Int = 0,
        specialTokens: [String] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], alphabetLimit: Int? = nil,
        lowercases: Bool = true
    ) {
        self.vocabularySize = vocabularySize
        self.minimumFrequency = minimumFrequency
        self.specialTokens = specialTokens
        self.alphabetLimit = alphabetLimit
        self.lowercases = lowercases
    }

    /// Learns from texts.
    ///
    /// Characters are numbered in the order of their code points, first those that stand alone, then those with `##`.
    /// (Hugging Face numbers the latter in an order that differs from run to run, and with them ties.)
    public func train(
        on texts: some Sequence<String>, monitor: TrainingMonitor = TrainingMonitor()
    ) throws(TrainingError) -> TokenizerDocument {
        try specialTokens.check()
        guard specialTokens.contains("[UNK]") else { throw .badSpecialToken("[UNK]") }
        let words = try count(texts, monitor)
        if words.count == 0 { throw .noText }
        let alphabet = alphabet(of: words)
        let prefix = Array("##".utf8)
        var training = MergeTraining(pieces: specialTokens.map { Array($0.utf8) }, continuationPrefix: prefix)
        for scalar in alphabet.all { _ = training.add(piece: Array(String(scalar).utf8)) }
        for scalar in alphabet.continuing { _ = training.add(piece: prefix + String(scalar).utf8) }
        if vocabularySize < training.pieces.count {
            throw .vocabularyTooSmall(wanted: vocabularySize, needed: training.pieces.count)
        }
        for index in 0..<words.count {
            var symbols: [Int32] = []
            for scalar in String(decoding: words.word(index), as: UTF8.self).unicodeScalars {
                let piece = (symbols.isEmpty ? [] : prefix) + String(scalar).utf8
                if alphabet.kept.contains(scalar), let id = training.id(of: piece) { symbols.append(id) }
            }
            training.add(word: symbols, count: words.counts[index])
        }
        try training.run(vocabularySize: vocabularySize, minimumFrequency: minimumFrequency, monitor)
        return TokenizerDocument(
            pipeline: .bert(lowercases: lowercases),
            model: .wordPiece(pieces: training.pieces.map { String(decoding: $0, as: UTF8.self) }, unknown: "[UNK]"),
            specialTokens: specialTokens)
    }

    /// The characters that are kept, sorted, and those of them that continue words.
    private func alphabet(
        of words: WordCounter
    ) -> (all: [Unicode.Scalar], continuing: [Unicode.Scalar], kept: Set<Unicode.Scalar>) {
        var counts: [Unicode.Scalar: Int] = [:]
        var decoded: [String.UnicodeScalarView] = []
        for index in 0..<words.count {
            decoded.append(String(decoding: words.word(index), as: UTF8.self).unicodeScalars)
            for scalar in decoded[index] { counts[scalar, default: 0] += words.counts[index] }
        }
        var all = counts.keys.sorted()
        if let alphabetLimit, all.count > alphabetLimit {
            let byCount = all.sorted { (counts[$0]!, $1) > (counts[$1]!, $0) }
            all = byCount.prefix(max(0, alphabetLimit)).sorted()
        }
        let kept = Set(all)
        var continuing: Set<Unicode.Scalar> = []
        for scalars in decoded { continuing.formUnion(scalars.filter { kept.contains($0) }.dropFirst()) }
        return (all, continuing.sorted(), kept)
    }

    private func count(_ texts: some Sequence<String>, _ monitor: TrainingMonitor) throws(TrainingError) -> WordCounter
    {
        var normalizer = BertNormalizer()
        normalizer.lowercases = lowercases
        normalizer.stripsAccents = lowercases
        var words = WordCounter()
        var done = 0
        var reported = 0
        for text in texts {
            try text.eachBuffer { bytes throws(TrainingError) in
                guard !bytes.isEmpty else { return }
                var pieces = PieceList(normalizer.apply(to: AlignedText(bytes, offset: 0, tracking: false)))
                PreTokenizer.bert.apply(to: &pieces)
                try words.add(pieces)
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

extension WordCounter {
    /// Counts all pieces of a text.
    mutating func add(_ list: PieceList) throws(TrainingError) {
        var words = self
        self = WordCounter()
        let result = list.text.bytes.withUnsafeBufferPointer { bytes in
            Result { () throws(TrainingError) in
                for piece in list.pieces { try words.add(UnsafeBufferPointer(rebasing: bytes[piece])) }
            }
        }
        self = words
        try result.get()
    }
}
