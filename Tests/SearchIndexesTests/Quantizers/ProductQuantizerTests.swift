import SearchIndexes
import Testing

@Suite("Product quantizer")
struct ProductQuantizerTests {
    @Test("a part of few distinct values is coded without loss", arguments: [1, 2, 3, 7])
    func lossless(parts: Int) throws {
        // 7 dimensions of two values have 128 combinations: fewer than there are centers.
        let points = (0..<128).flatMap { number in (0..<7).map { Float(number >> $0 & 1) } }
        let quantizer = try ProductQuantizer(training: points, stride: 7, count: 128, dimension: 7, parts: parts)
        let codes = quantizer.codes(of: points, stride: 7, count: 128)
        #expect(codes.count == 128 * parts)
        for row in 0..<128 {
            for part in 0..<parts {
                let columns = quantizer.columns(of: part)
                let start = columns.lowerBound * 256 + Int(codes[row * parts + part]) * columns.count
                #expect(
                    Array(quantizer.centers[start..<start + columns.count])
                        == Array(
                            points[row * 7..<row * 7 + 7][
                                (row * 7 + columns.lowerBound)..<(row * 7 + columns.upperBound)]))
            }
        }
    }

    @Test("more parts lose less")
    func moreParts() throws {
        let data = SeededVectors(1_500, dimension: 16, metric: .l2)
        let recalls = try [2, 4, 16].map { parts in
            let index = try PQIndex(data.rows(), parts: parts)
            try index.add(slots: 0..<1_500, threads: 2) { _ in true }
            return try data.recall(index, VectorRequest(k: 10, reranked: 0))
        }
        #expect(recalls[0] < recalls[1] && recalls[1] < recalls[2])
        #expect(recalls[2] > 0.9)
    }

    @Test("an invalid number of parts is refused", arguments: [0, 9])
    func refused(parts: Int) throws {
        let rows = try VectorRows(dimension: 8, metric: .l2)
        #expect(throws: SegmentError.self) { try PQIndex(rows, parts: parts) }
        #expect(throws: SegmentError.self) { try IVFPQIndex(rows, parts: parts) }
    }
}
