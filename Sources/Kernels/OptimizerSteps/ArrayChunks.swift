/// Many arrays, put one after the other and cut into chunks of one size.
struct ArrayChunks {
    private struct Piece {
        let array, start, count: Int
    }

    /// In the order of the arrays.
    private var pieces: [Piece] = []
    /// The first piece of each chunk, and the number of pieces.
    private var firsts: [Int] = [0]

    /// - Parameter areAligned: pieces begin at multiples of the chunk's size within their array, so that how an array is
    ///   cut does not depend on its neighbors: then chunks are up to twice as large.
    init(_ counts: [Int], numbersAChunk: Int, areAligned: Bool = false) {
        var room = numbersAChunk
        for (array, count) in counts.enumerated() {
            var start = 0
            while start < count {
                if room == 0 {
                    firsts.append(pieces.count)
                    room = numbersAChunk
                }
                // Whole vectors, so that only the end of an array needs a mask.
                let most = areAligned ? numbersAChunk : max(16, room / 16 * 16)
                let piece = Piece(array: array, start: start, count: min(count - start, most))
                pieces.append(piece)
                start += piece.count
                room = max(0, room - piece.count)
            }
        }
        firsts.append(pieces.count)
    }

    var count: Int { firsts.count - 1 }

    /// Calls `body(array, start, count)` for every piece.
    func run(on pool: ThreadPool, _ body: (_ array: Int, _ start: Int, _ count: Int) -> Void) {
        pool.run(chunks: count) { chunk, _ in
            for piece in pieces[firsts[chunk]..<firsts[chunk + 1]] { body(piece.array, piece.start, piece.count) }
        }
    }
}
