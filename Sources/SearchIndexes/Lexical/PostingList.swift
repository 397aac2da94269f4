/// The postings of one term in one field of one segment, with the weights that they have in a snapshot.
///
/// Short lists are decoded whole and stay so; of long ones a search decodes the blocks that it needs.
final class PostingList {
    /// Postings, those of removed documents too.
    let count: Int
    /// The greatest weight.
    let maximum: Double
    /// Of each block the last document and the greatest weight.
    let lasts: UnsafeMutablePointer<UInt32>
    let maxima: UnsafeMutablePointer<Double>
    let blockCount: Int
    /// The whole list, where it is decoded.
    let documents: UnsafeMutablePointer<UInt32>?
    let weights: UnsafeMutablePointer<Double>?
    private let blocks: PostingBlocks?
    private let table: Norms
    private let scale: Double

    /// Lists up to this many postings are decoded whole.
    private static let decodedLimit = 1 << 16

    /// Where the norms of a segment's field are found.
    struct Norms {
        let codes: [UInt32]
        let norms: [Double]
    }

    var byteCount: Int { 16 * blockCount + (documents == nil ? 48 * blockCount : 12 * count) + 160 }

    /// - Parameter scale: Idf times boosts.
    init(_ blocks: PostingBlocks, _ table: Norms, scale: Double, place: String) throws(SegmentError) {
        count = blocks.count
        blockCount = blocks.blocks.count
        self.table = table
        self.scale = scale
        self.blocks = blocks
        for pair in blocks.promising where Int(pair.code) >= table.norms.count {
            throw SegmentError(place, problem: "the length of a document is not in the length list")
        }
        lasts = .allocate(capacity: blockCount)
        maxima = .allocate(capacity: blockCount)
        var highest = 0.0
        for (index, block) in blocks.blocks.enumerated() {
            var most = 0.0
            for pair in blocks.promising[block.pairs] {
                most = max(most, BM25.weight(scale, Double(pair.frequency), table.norms[Int(pair.code)]))
            }
            // Rounding may favor a pair that is beaten by as much as a step.
            lasts[index] = block.last
            maxima[index] = most + BM25.step
            highest = max(highest, most + BM25.step)
        }
        maximum = highest
        let isDecoded = count <= Self.decodedLimit
        // A whole block is read at a time, the last may be shorter.
        documents = isDecoded ? .allocate(capacity: count + SegmentWriter.blockSize) : nil
        weights = isDecoded ? .allocate(capacity: count + SegmentWriter.blockSize) : nil
        guard let documents, let weights else { return }
        for index in 0..<blockCount {
            let first = index * SegmentWriter.blockSize
            try read(index, documents + first, weights + first)
        }
    }

    /// A list that is made of others: a phrase, or all words with a beginning.
    init(_ postings: [(document: UInt32, frequency: UInt32)], _ table: Norms, scale: Double) {
        count = postings.count
        self.table = table
        self.scale = scale
        blocks = nil
        let size = SegmentWriter.blockSize
        blockCount = (count + size - 1) / size
        lasts = .allocate(capacity: blockCount)
        maxima = .allocate(capacity: blockCount)
        let documents = UnsafeMutablePointer<UInt32>.allocate(capacity: count + 1)
        let weights = UnsafeMutablePointer<Double>.allocate(capacity: count + 1)
        var highest = 0.0
        for (index, posting) in postings.enumerated() {
            let norm = table.norms[Int(table.codes[Int(posting.document)])]
            let weight = BM25.weight(scale, Double(posting.frequency), norm)
            documents[index] = posting.document
            weights[index] = weight
            if index % size == 0 { maxima[index / size] = 0 }
            maxima[index / size] = max(maxima[index / size], weight)
            lasts[index / size] = posting.document
            highest = max(highest, weight)
        }
        maximum = highest
        self.documents = documents
        self.weights = weights
    }

    deinit {
        lasts.deallocate()
        maxima.deallocate()
        documents?.deallocate()
        weights?.deallocate()
    }

    func countOfBlock(_ index: Int) -> Int {
        min(SegmentWriter.blockSize, count - index * SegmentWriter.blockSize)
    }

    /// Decodes a block into arrays with room for at least ``SegmentWriter/blockSize`` numbers.
    func read(
        _ index: Int, _ documents: UnsafeMutablePointer<UInt32>, _ weights: UnsafeMutablePointer<Double>
    ) throws(SegmentError) {
        guard let blocks else { return }
        var failure: SegmentError?
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: SegmentWriter.blockSize) { frequencies in
            do throws(SegmentError) {
                try blocks.read(index, documents: documents, frequencies: frequencies.baseAddress!)
            } catch {
                failure = error
                return
            }
            let count = countOfBlock(index)
            table.codes.withUnsafeBufferPointer { codes in
                table.norms.withUnsafeBufferPointer { norms in
                    // Documents were found to be in range, and codes when the segment was opened.
                    for place in 0..<count { weights[place] = norms[Int(codes[Int(documents[place])])] }
                }
            }
            for place in 0..<count { weights[place] = BM25.weight(scale, Double(frequencies[place]), weights[place]) }
        }
        if let failure { throw failure }
    }
}
