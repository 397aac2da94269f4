internal import Kernels

/// How a vector becomes a short code: each number, less the mean of its column, in 4 or 8 bits of one common scale.
///
/// An 8-bit number is between −63 and 63; a 4-bit number v means 8 v − 60, v from 0 to 15, so that both are compared
/// with a query of 8 bits by the same kernels. Two 4-bit numbers share a byte: columns j and j + stride / 2.
struct VamanaCoding {
    let dimension: Int
    let bits: Int
    let center: [Float]
    let scale: Float

    /// Bytes of a code that is compared: the dimension, rounded up to a multiple of 64.
    var stride: Int { Self.stride(dimension) }
    /// Bytes of a code that is kept.
    var byteCount: Int { bits == 8 ? stride : stride / 2 }

    static func stride(_ dimension: Int) -> Int { (dimension + 63) / 64 * 64 }

    /// Codes of this many bytes in all may take 8 bits a number.
    static let smallBytes = 64 << 20

    init(dimension: Int, bits: Int, center: [Float], scale: Float) {
        (self.dimension, self.bits, self.center, self.scale) = (dimension, bits, center, scale)
    }

    /// Measures a sample of the rows: their mean, and how far from it numbers lie.
    init(measuring rows: VectorRows, bits: Int?) {
        dimension = rows.dimension
        let small = rows.count.multipliedReportingOverflow(by: Self.stride(rows.dimension))
        self.bits = bits ?? (!small.overflow && small.partialValue <= Self.smallBytes ? 8 : 4)
        let step = max(1, rows.count / 10_000)
        var mean = [Double](repeating: 0, count: dimension)
        var sampled = 0.0
        for slot in Swift.stride(from: 0, to: rows.count, by: step) where !rows.removed.contains(slot) {
            let row = rows.row(slot)
            for column in 0..<dimension { mean[column] += Double(row[column]) }
            sampled += 1
        }
        center = mean.map { Float($0 / max(1, sampled)) }
        var (square, largest) = (0.0, Float(0))
        for slot in Swift.stride(from: 0, to: rows.count, by: step) where !rows.removed.contains(slot) {
            let row = rows.row(slot)
            for column in 0..<dimension {
                let difference = row[column] - center[column]
                square += Double(difference) * Double(difference)
                largest = max(largest, abs(difference))
            }
        }
        let deviation = Float((square / max(1, sampled * Double(dimension))).squareRoot())
        // Few numbers lie further out than that; they are cut off there. Sixteen steps are worth most when they reach
        // 2.7 deviations to either side, as for a normal distribution (Max, 1960).
        let reach = min(largest, deviation * (self.bits == 8 ? 6 : 2.7))
        scale = reach > 0 ? (self.bits == 8 ? 63 : 64) / reach : 1
    }

    /// Writes the code of a row.
    func encode(_ row: UnsafePointer<Float>, into code: UnsafeMutablePointer<UInt8>) {
        if bits == 8 {
            code.withMemoryRebound(to: Int8.self, capacity: stride) {
                VectorCodes.encode(
                    row, center: center, scale: scale, dimension: dimension, stride: stride, into: $0)
            }
            return
        }
        func level(_ column: Int) -> UInt8 {
            guard column < dimension else { return 0 }
            let place = ((row[column] - center[column]) * scale + 60) / 8
            guard place.isFinite else { return 0 }
            return UInt8(min(max(place.rounded(), 0), 15))
        }
        let half = stride / 2
        for column in 0..<half { code[column] = level(column) | level(column + half) << 4 }
    }

    /// Spreads a kept 4-bit code into one that is compared.
    @inline(__always)
    static func widen(
        _ code: UnsafePointer<UInt8>, into wide: UnsafeMutablePointer<Int8>, stride: Int, dimension: Int
    ) {
        let half = stride &>> 1
        let from = UnsafeRawPointer(code)
        let to = UnsafeMutableRawPointer(wide)
        // Eight numbers a word: 8 v − 60 is the same as 8 v + 128 − 60 with the highest bit turned, and borrows
        // nothing. The stride is a multiple of 64, half of it one of 32.
        var place = 0
        while place < half {
            let pairs = from.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let low = (pairs & 0x0F0F_0F0F_0F0F_0F0F) &<< 3
            let high = (pairs &>> 1) & 0x7878_7878_7878_7878
            to.storeBytes(of: Self.lowered(low), toByteOffset: place, as: UInt64.self)
            to.storeBytes(of: Self.lowered(high), toByteOffset: half &+ place, as: UInt64.self)
            place &+= 8
        }
        var column = dimension
        while column < stride {
            wide[column] = 0
            column &+= 1
        }
    }

    @inline(__always)
    private static func lowered(_ numbers: UInt64) -> UInt64 {
        ((numbers | 0x8080_8080_8080_8080) &- 0x3C3C_3C3C_3C3C_3C3C) ^ 0x8080_8080_8080_8080
    }

    /// The code of a query. Products need no center and a scale of the query's own: only their order counts.
    func encodeQuery(_ query: UnsafePointer<Float>, forProducts: Bool, into wide: UnsafeMutablePointer<Int8>) {
        guard forProducts else {
            return VectorCodes.encode(
                query, center: center, scale: scale, dimension: dimension, stride: stride, into: wide)
        }
        var largest: Float = 0
        for column in 0..<dimension { largest = max(largest, abs(query[column])) }
        let zeros = [Float](repeating: 0, count: dimension)
        VectorCodes.encode(
            query, center: zeros, scale: largest > 0 ? 63 / largest : 1, dimension: dimension, stride: stride,
            into: wide)
    }

    /// What turns a distance between vectors into that between their codes: a factor, and what rounding adds.
    ///
    /// Rounding to steps of 1 (query) and of 1 or 8 (row) adds 1/12 of their squares to a squared difference.
    func unit(of query: [Float], _ metric: Metric) -> (scale: Float, offset: Float) {
        let step: Float = bits == 8 ? 1 : 8
        let rounding = Float(dimension) * (1 + step * step) / 12
        switch metric {
        case .l2: return (scale * scale, rounding)
        case .cosine: return (2 * scale * scale, rounding)
        case .innerProduct:
            var (largest, fixed): (Float, Float) = (0, 0)
            for column in 0..<dimension {
                largest = max(largest, abs(query[column]))
                fixed += query[column] * center[column]
            }
            let factor = (largest > 0 ? 63 / largest : 1) * scale
            return (factor, factor * fixed)
        }
    }
}
