internal import Glibc

/// Trains a Unigram vocabulary, the kind of T5 and XLM-R.
///
/// Many substrings are weighted by expectation maximization; the fourth of them whose loss costs the least goes, and
/// again, until the vocabulary has its size.
///
/// - Source: Kudo, ACL 2018; constants as in SentencePiece and Hugging Face's `UnigramTrainer`.
public struct UnigramTrainer: Hashable, Sendable {
    /// Pieces, characters and special tokens among them.
    public var vocabularySize: Int
    /// They get the first ids, in this order. One of them that is `unknownToken` stands for unknown characters.
    public var specialTokens: [String]
    public var unknownToken: String
    /// Maximum length of a piece in code points.
    public var maximumPieceLength: Int
    /// Substrings to begin with.
    public var seedSize: Int
    /// Steps of expectation and maximization between two prunings.
    public var subIterations: Int
    /// What a pruning leaves.
    public var shrinkingFactor: Double

    public init(
        vocabularySize: Int = 8_000, specialTokens: [String] = ["<unk>"], unknownToken: String = "<unk>",
        maximumPieceLength: Int = 16, seedSize: Int = 1_000_000, subIterations: Int = 2, shrinkingFactor: Double = 0.75
    ) {
        self.vocabularySize = vocabularySize
        self.specialTokens = specialTokens
        self.unknownToken = unknownToken
        self.maximumPieceLength = maximumPieceLength
        self.seedSize = seedSize
        self.subIterations = subIterations
        self.shrinkingFactor = shrinkingFactor
    }

    /// Learns from texts.
    public func train(
        on texts: some Sequence<String>, monitor: TrainingMonitor = TrainingMonitor()
    ) throws(TrainingError) -> TokenizerDocument {
        try specialTokens.check()
        guard let unknown = specialTokens.firstIndex(of: unknownToken) else { throw .badSpecialToken(unknownToken) }
        let words = try count(texts, monitor)
        if words.count == 0 { throw .noText }
        try monitor.check(.seeding, 0, 0)
        let characters = characters(of: words)
        let needed = characters.count + specialTokens.count
        if vocabularySize < needed { throw .vocabularyTooSmall(wanted: vocabularySize, needed: needed) }
        var pieces = try seeds(words, characters)
        try monitor.check(.pruning, pieces.count, vocabularySize)
        // More than is wanted in the end, so that the characters that have to be there find their place.
        let wanted = vocabularySize * 11 / 10
        while true {
            for _ in 0..<max(1, subIterations) {
                let expected = try expectations(pieces, words, monitor)
                pieces = maximized(pieces, expected)
            }
            try monitor.check(.pruning, pieces.count, vocabularySize)
            if pieces.count <= wanted { break }
            let before = pieces.count
            pieces = try pruned(pieces, words, to: max(wanted, Int(Double(before) * shrinkingFactor)), monitor)
            if pieces.count >= before { break }
        }
        let final = finished(pieces, characters.map(\.bytes))
        return TokenizerDocument(
            pipeline: .metaspace,
            model: .unigram(
                pieces: specialTokens + final.map { String(decoding: $0.bytes, as: UTF8.self) },
                scores: specialTokens.map { _ in 0 } + final.map(\.score), unknown: unknown),
            specialTokens: specialTokens)
    }

    private func count(_ texts: some Sequence<String>, _ monitor: TrainingMonitor) throws(TrainingError) -> WordCounter
    {
        let metaspace = PreTokenizer.metaspace(Metaspace())
        var words = WordCounter()
        var done = 0
        var reported = 0
        for text in texts {
            try text.eachBuffer { bytes throws(TrainingError) in
                guard !bytes.isEmpty else { return }
                var pieces = PieceList(AlignedText(bytes, offset: 0, tracking: false))
                metaspace.apply(to: &pieces)
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

    /// The characters of the text, the most frequent first, which all get into the vocabulary.
    private func characters(of words: WordCounter) -> [(bytes: [UInt8], count: Int)] {
        var counts: [Unicode.Scalar: Int] = [:]
        for index in 0..<words.count {
            for scalar in String(decoding: words.word(index), as: UTF8.self).unicodeScalars where scalar.value != 0 {
                counts[scalar, default: 0] += words.counts[index]
            }
        }
        return counts.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.map { (Array(String($0.key).utf8), $0.value) }
    }

    /// Characters and substrings by how much of the text they cover; the first piece is the unknown one.
    private func seeds(
        _ words: WordCounter, _ characters: [(bytes: [UInt8], count: Int)]
    ) throws(TrainingError) -> [UnigramPiece] {
        var pieces = characters.map { UnigramPiece(bytes: $0.bytes, score: Double($0.count)) }
        let substrings = try SubstringSeeds(words, longest: maximumPieceLength)
        for seed in substrings.seeds().prefix(max(0, seedSize - pieces.count)) {
            let bytes = Array(substrings.string(seed).utf8)
            pieces.append(UnigramPiece(bytes: bytes, score: Double(seed.occurrences * seed.length)))
        }
        let total = log(pieces.reduce(0) { $0 + $1.score })
        for index in pieces.indices { pieces[index].score = log(pieces[index].score) - total }
        return [UnigramPiece(bytes: [], score: 0)] + pieces
    }

    /// How often each piece is expected in the text.
    private func expectations(
        _ pieces: [UnigramPiece], _ words: WordCounter, _ monitor: TrainingMonitor
    ) throws(TrainingError) -> [Double] {
        var lattice = try UnigramLattice(pieces)
        var expected = [Double](repeating: 0, count: pieces.count)
        try eachWord(words, monitor) { word, count in
            lattice.fill(word)
            _ = lattice.addExpectations(length: word.count, count: count, to: &expected)
        }
        return expected
    }

    private func eachWord(
        _ words: WordCounter, _ monitor: TrainingMonitor, _ body: (UnsafeBufferPointer<UInt8>, Double) -> Void
    ) throws(TrainingError) {
        for first in stride(from: 0, to: words.count, by: 1 << 14) {
            if monitor.isCancelled() { throw .cancelled }
            words.bytes.withUnsafeBufferPointer { bytes in
                for index in first..<min(first + 1 << 14, words.count) {
                    let word = UnsafeBufferPointer(rebasing: bytes[words.starts[index]..<words.starts[index + 1]])
                    body(word, Double(words.counts[index]))
                }
            }
        }
    }

    /// New weights from expectations, with a prior that lets rare pieces fade: exp(digamma(n)) is about n - 1/2.
    private func maximized(_ pieces: [UnigramPiece], _ expected: [Double]) -> [UnigramPiece] {
        var kept = [pieces[0]]
        var total = 0.0
        for (piece, count) in zip(pieces, expected).dropFirst() where count >= 0.5 {
            kept.append(UnigramPiece(bytes: piece.bytes, score: count))
            total += count
        }
        let logarithm = digamma(total)
        for index in kept.indices.dropFirst() { kept[index].score = digamma(kept[index].score) - logarithm }
        return kept
    }

    /// The pieces whose loss would cost the most, and those that nothing can stand for.
    private func pruned(
        _ pieces: [UnigramPiece], _ words: WordCounter, to size: Int, _ monitor: TrainingMonitor
    ) throws(TrainingError) -> [UnigramPiece] {
        var lattice = try UnigramLattice(pieces)
        var counts = [Double](repeating: 0, count: pieces.count)
        var texts = 0.0
        try eachWord(words, monitor) { word, count in
            lattice.fill(word)
            _ = lattice.bestPath(length: word.count) { counts[Int($0)] += count }
            texts += count
        }
        let sum = counts.reduce(0, +)
        var kept = [pieces[0]]
        var candidates: [(id: Int, loss: Double)] = []
        for id in pieces.indices.dropFirst() {
            var others: [Int32] = []
            let piece = pieces[id]
            let score = piece.bytes.withUnsafeBufferPointer { bytes in
                lattice.fill(bytes)
                return lattice.bestPath(length: bytes.count, leavingOut: Int32(id)) { others.append($0) }
            }
            // A piece that others replace at a better score is never used; one that nothing replaces stays.
            if score > piece.score {
                if counts[id] > 0 { kept.append(piece) }
            } else if others.isEmpty {
                kept.append(piece)
            } else if counts[id] > 0 {
                // What stands in for the piece takes over its occurrences. The sum of all counts then grows by those of
                // the parts; SentencePiece and its heirs multiply by the number of all pieces instead, which protects
                // frequent short pieces, and explains unseen text better than the plain count of parts does.
                let own = log(counts[id]) - log(sum)
                let newSum = log(sum + counts[id] * Double(pieces.count - 1))
                let parts = others.reduce(0.0) { $0 + log(counts[Int($1)] + counts[id]) - newSum }
                candidates.append((id, counts[id] / texts * (own - parts)))
            }
        }
        candidates.sort { $0.loss != $1.loss ? $0.loss > $1.loss : $0.id < $1.id }
        for candidate in candidates.prefix(max(0, size - kept.count)) { kept.append(pieces[candidate.id]) }
        return kept
    }

    /// The vocabulary without its special tokens: all characters, the best pieces, most probable first.
    private func finished(_ pieces: [UnigramPiece], _ characters: [[UInt8]]) -> [UnigramPiece] {
        var scores: [[UInt8]: Double] = [:]
        for piece in pieces.dropFirst() { scores[piece.bytes] = piece.score }
        let lowest = scores.values.min() ?? 0
        var result: [UnigramPiece] = []
        var missing = 0
        for character in characters {
            result.append(UnigramPiece(bytes: character, score: scores[character] ?? lowest + 0.0001 * Double(missing)))
            if scores[character] == nil { missing += 1 }
        }
        let taken = Set(characters + specialTokens.map { Array($0.utf8) })
        let room = vocabularySize - specialTokens.count - result.count
        result += pieces.dropFirst().filter { !taken.contains($0.bytes) }.prefix(max(0, room))
        return result.sorted { $0.score > $1.score }
    }
}
