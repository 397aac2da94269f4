internal import System

/// Chunks that end where the topic changes: where the vectors of neighboring sentences are least alike.
///
/// A sentence is embedded with its two neighbors, since one alone says too little. Between i and i + 1 the distance is
/// 1 - cosine; a chunk ends where it reaches the given percentile of all, or where the cosine falls below a threshold.
/// Chunks that are too long then are cut at their sentences.
/// - Source: Kamradt, "5 levels of text splitting", level 4, 2023.
struct SemanticChunker: Chunker {
    let options: ChunkerOptions
    let tokens: TokenCounter?
    let embed: SentenceEmbedder

    /// Sentences embedded at a time.
    private static let batch = 64

    func chunks(of text: String, sections: [SourceSection], kind: SourceKind) throws -> [ChunkSpan] {
        var text = text
        var paths = HeadingPaths(sections)
        var spans: [ChunkSpan] = []
        try text.withUTF8 { bytes in
            let measure = ChunkMeasure(bytes, tokens: tokens)
            let sentences = SentenceSplitter.sentences(bytes, 0..<bytes.count).filter {
                measure.borders.isBorder($0.lowerBound)
            }
            let breaks = try breaks(bytes, sentences)
            var cutter = WindowCutter(
                measure: measure, style: options.style, size: options.size, overlap: options.overlap)
            var start = 0
            for end in breaks + [bytes.count] {
                cutter.cut(start..<end) { range in
                    spans.append(ChunkSpan(range: range, headings: paths.path(at: range.lowerBound)))
                }
                start = end
            }
        }
        return spans
    }

    /// Where sentences begin that have another topic.
    private func breaks(_ bytes: UnsafeBufferPointer<UInt8>, _ sentences: [Range<Int>]) throws -> [Int] {
        guard sentences.count > 1 else { return [] }
        var distances: [Double] = []
        distances.reserveCapacity(sentences.count - 1)
        var last: [Float]?
        for first in stride(from: 0, to: sentences.count, by: Self.batch) {
            let indices = first..<min(first + Self.batch, sentences.count)
            let texts = indices.map { index in
                let range =
                    sentences[max(0, index - 1)].lowerBound..<sentences[min(sentences.count - 1, index + 1)].upperBound
                // A sentence without an end says what it is about at its beginning.
                let end = min(range.upperBound, range.lowerBound + 8192)
                return String(decoding: UnsafeBufferPointer(rebasing: bytes[range.lowerBound..<end]), as: UTF8.self)
            }
            let vectors = try embed(texts)
            guard vectors.count == texts.count else {
                throw Problem(
                    .failed, "semantic chunker",
                    "the embedder returned \(vectors.count) vectors for \(texts.count) texts",
                    remedy: "Use another embedder.")
            }
            for vector in vectors {
                if let last { distances.append(1 - Self.cosine(last, vector)) }
                last = vector
            }
        }
        let limit: Double
        if let threshold = options.threshold {
            limit = 1 - threshold
        } else {
            limit = Self.percentile(options.percentile, of: distances)
        }
        // Where all are equally alike, nothing changes.
        return distances.indices.filter { index in
            let distance = distances[index]
            return options.threshold == nil ? distance >= limit && distance > 1e-6 : distance > limit
        }.map { sentences[$0 + 1].lowerBound }
    }

    static func cosine(_ a: [Float], _ b: [Float]) -> Double {
        var (dot, aa, bb) = (0.0, 0.0, 0.0)
        for (x, y) in zip(a, b) {
            dot += Double(x) * Double(y)
            aa += Double(x) * Double(x)
            bb += Double(y) * Double(y)
        }
        let norm = (aa * bb).squareRoot()
        return norm > 0 && norm.isFinite ? dot / norm : 0
    }

    /// Linear between the two nearest, as NumPy does it.
    static func percentile(_ percentile: Double, of values: [Double]) -> Double {
        let sorted = values.sorted()
        let place = percentile / 100 * Double(sorted.count - 1)
        let low = Int(place)
        let high = min(low + 1, sorted.count - 1)
        return sorted[low] + (sorted[high] - sorted[low]) * (place - Double(low))
    }
}
