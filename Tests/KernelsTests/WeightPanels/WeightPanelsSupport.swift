import Kernels
import Testing

/// Seeded weights in exactly as many bytes as they take, with activations and a poisoned output of any strides.
struct PanelCase {
    let w: WeightMatrix
    let m: Int
    let xStride: Int
    let yStride: Int
    var x: [Float]
    private let bytes: [UInt8]
    private let owner: AlignedBuffer<UInt8>
    private let scales: AlignedBuffer<Float>

    init(_ format: WeightFormat, m: Int, rows: Int, columns: Int, seed: UInt64, gap: Int = 0) throws {
        var bits = SeededBits(seed: seed)
        self.m = m
        (xStride, yStride) = (columns + gap, rows + gap)
        var bytes = (0..<(try #require(format.byteCount(rows * columns)))).map { _ in
            UInt8(truncatingIfNeeded: bits.next() >> 13)
        }
        Self.keepFinite(&bytes, format)
        self.bytes = bytes
        owner = try AlignedBuffer(count: bytes.count)
        owner.pointer.update(from: bytes, count: bytes.count)
        let scaleCount = format == .nf4 ? (rows * columns + 63) / 64 : format == .int8 ? rows : 0
        scales = try AlignedBuffer(count: scaleCount)
        for i in 0..<scaleCount { scales[i] = 1.25 + bits.signedUnit() }
        w = try WeightMatrix(
            format, rows: rows, columns: columns, bytes: UnsafeRawBufferPointer(owner.elements),
            scales: UnsafePointer(scales.pointer), owner: owner)
        x = (0..<(m - 1) * xStride + columns).map { _ in bits.signedUnit() }
    }

    /// Exponents that keep every weight finite and none subnormal.
    private static func keepFinite(_ bytes: inout [UInt8], _ format: WeightFormat) {
        let places: [Int], exponent: UInt8
        switch format {
        case .f32: (places, exponent) = ([3], 0x3f)
        case .bf16: (places, exponent) = ([1], 0x3f)
        case .f16: (places, exponent) = ([1], 0x30)
        case .q8_0, .q4_0: (places, exponent) = ([1], 0x18)
        case .q4_k, .q5_k: (places, exponent) = ([1, 3], 0x18)
        case .q6_k: (places, exponent) = ([209], 0x18)
        case .nf4, .int8: return
        }
        for block in stride(from: 0, to: bytes.count, by: format.bytesPerBlock) {
            for place in places { bytes[block + place] = bytes[block + place] & 0x83 | exponent }
        }
    }

    /// What the kernel writes, in memory that was NaN before; `nil` if this processor has no path.
    /// The product. A test is canceled where the machine lacks the kernel.
    func product(_ pool: ThreadPool, row: Int? = nil) throws -> [Float] {
        var y = [Float](repeating: .nan, count: ((row == nil ? m : 1) - 1) * yStride + w.rows)
        let isDone = try x.withUnsafeBufferPointer { x in
            let first = try #require(x.baseAddress) + (row ?? 0) * xStride
            return try WeightPanels.multiply(
                w, first, xStride: xStride, m: row == nil ? m : 1, into: &y, yStride: yStride, pool: pool)
        }
        try skip(unless: isDone, "the kernel of \(w.format)")
        return y
    }

    /// Weights in float64 and the magnitude of the terms they are made of.
    func weights(_ row: Int) -> (weights: [Double], terms: [Double]) {
        if let format = Quantization(rawValue: w.format.rawValue) {
            let bytes = UnsafeRawBufferPointer(rebasing: w.bytes[(row * w.bytesPerRow)...])
            return QuantizedTwin.decode(format, bytes, count: w.columns)
        }
        var decoded = [Float](repeating: 0, count: w.columns)
        w.decode(row: row, into: &decoded)
        let weights = decoded.map(Double.init)
        return (weights, weights.map(abs))
    }

    /// A row of x as the kernel rounds it: for formats of blocks and int8 by runs of 32 to 8 bits with scale amax / 127.
    func rounded(_ row: Int) -> [Double] {
        let exact = x[row * xStride..<row * xStride + w.columns]
        switch w.format {
        case .f32, .f16, .nf4: return exact.map(Double.init)
        case .bf16:
            guard ProcessorFeatures.present.contains(.bf16) else { return exact.map(Double.init) }
            return exact.map { Double(BFloat16Conversion.widen(BFloat16Conversion.narrow($0))) }
        case .q8_0, .q4_0, .q4_k, .q5_k, .q6_k, .int8:
            var values: [Double] = []
            for first in stride(from: exact.startIndex, to: exact.endIndex, by: 32) {
                let run = exact[first..<min(exact.endIndex, first + 32)]
                let amax = run.map(abs).max() ?? 0
                let steps = 127 / amax
                values += run.map {
                    steps.isFinite ? Double(amax / 127) * Double(($0 * steps).rounded(.toNearestOrEven)) : 0
                }
            }
            return values
        }
    }

    /// Compares every element with float64 sums of the weights and the rounded activations.
    func check(_ y: [Float]) {
        // Runs of 32 are exact integers, with three roundings each; floats round once or twice a column.
        let isInteger = w.format != .f32 && w.format != .f16 && w.format != .bf16 && w.format != .nf4
        let roundings = Double(isInteger ? 4 * ((w.columns + 15) / 16) + 8 : w.columns + 8) * 0x1p-24
        let rows = (0..<w.rows).map(weights)
        for i in 0..<m {
            let x = rounded(i)
            for (row, w) in rows.enumerated() {
                var (sum, magnitude) = (0.0, 0.0)
                for p in x.indices {
                    sum += w.weights[p] * x[p]
                    magnitude += w.terms[p] * abs(x[p])
                }
                let found = Double(y[i * yStride + row])
                guard abs(found - sum) <= roundings * magnitude else {
                    Issue.record("y[\(i), \(row)] is \(found), expected \(sum) within \(roundings * magnitude)")
                    return
                }
            }
            guard i + 1 < m else { continue }
            for gap in w.rows..<yStride { #expect(y[i * yStride + gap].isNaN, "written beyond row \(i)") }
        }
    }
}
