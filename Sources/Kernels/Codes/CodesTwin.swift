/// What the kernels of codes are to compute, in the plainest words.
package enum CodesTwin {
    /// As ``CodeKernels/scan(_:codes:bias:start:count:parts:into:path:)``, in float64.
    package static func scan(_ tables: [Float], codes: [UInt8], bias: [Float]?, start: Float, parts: Int) -> [Double] {
        (0..<codes.count / parts).map { row in
            (0..<parts).reduce(Double(start) + Double(bias?[row] ?? 0)) { sum, part in
                sum + Double(tables[256 * part + Int(codes[row * parts + part])])
            }
        }
    }

    /// −2 x·c + |c|² for centers without gaps, or −x·c, in float64.
    package static func distances(_ x: [Float], centers: [Float], isInnerProduct: Bool) -> [Double] {
        let width = x.count
        return (0..<centers.count / width).map { row in
            (0..<width).reduce(0.0) { sum, column in
                let (a, b) = (Double(x[column]), Double(centers[row * width + column]))
                return sum + (isInnerProduct ? -a * b : b * b - 2 * a * b)
            }
        }
    }

    /// Bits that differ.
    package static func differingBits(_ x: [UInt64], rows: [UInt64]) -> [UInt16] {
        let width = x.count
        return (0..<rows.count / width).map { row in
            UInt16(min(65_535, (0..<width).reduce(0) { $0 + (x[$1] ^ rows[row * width + $1]).nonzeroBitCount }))
        }
    }
}
