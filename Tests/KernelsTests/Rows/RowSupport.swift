import CKernels
import Glibc
import Kernels
import Testing

/// The rungs of the three row functions as plain values, so that one test can walk over all of them.
struct RowKernel: Sendable, CustomTestStringConvertible {
    /// x, its stride, y, its stride, gain, bias, rows, columns. Softmax has no gain, RMS norm no bias.
    typealias Call =
        @Sendable (
            UnsafePointer<Float>, Int, UnsafeMutablePointer<Float>, Int, UnsafePointer<Float>?, UnsafePointer<Float>?,
            Int,
            Int
        ) -> Void

    let name: String
    let needs: ProcessorFeatures
    let call: Call

    var testDescription: String { name }

    init(_ name: String, _ needs: ProcessorFeatures = [], _ call: @escaping Call) {
        self.name = name
        self.needs = needs
        self.call = call
    }

    #if arch(x86_64)
        static let softmax = [
            Self("libm") { orrery_softmax_libm($0, $1, $2, $3, $6, $7) },
            Self("portable") { orrery_softmax_portable($0, $1, $2, $3, $6, $7) },
            Self("avx2", .avx2) { orrery_softmax_avx2($0, $1, $2, $3, $6, $7) },
            Self("avx512", .avx512) { orrery_softmax_avx512($0, $1, $2, $3, $6, $7) },
            Self("online", .avx512) { orrery_softmax_online($0, $1, $2, $3, $6, $7) },
            Self("overlapped", .avx512) { orrery_softmax_overlapped($0, $1, $2, $3, $6, $7) },
        ].present
        static let layerNorm = [
            Self("textbook") { orrery_layer_norm_textbook($0, $1, $2, $3, $4, $5, 1e-5, $6, $7) },
            Self("portable") { orrery_layer_norm_portable($0, $1, $2, $3, $4, $5, 1e-5, $6, $7) },
            Self("avx2", .avx2) { orrery_layer_norm_avx2($0, $1, $2, $3, $4, $5, 1e-5, $6, $7) },
            Self("avx512", .avx512) { orrery_layer_norm_avx512($0, $1, $2, $3, $4, $5, 1e-5, $6, $7) },
        ].present
        static let rmsNorm = [
            Self("textbook") { orrery_rms_norm_textbook($0, $1, $2, $3, $4, 1e-6, $6, $7) },
            Self("portable") { orrery_rms_norm_portable($0, $1, $2, $3, $4, 1e-6, $6, $7) },
            Self("avx2", .avx2) { orrery_rms_norm_avx2($0, $1, $2, $3, $4, 1e-6, $6, $7) },
            Self("avx512", .avx512) { orrery_rms_norm_avx512($0, $1, $2, $3, $4, 1e-6, $6, $7) },
        ].present
    #else
        static let softmax = [
            Self("libm") { orrery_softmax_libm($0, $1, $2, $3, $6, $7) },
            Self("portable") { orrery_softmax_portable($0, $1, $2, $3, $6, $7) },
        ]
        static let layerNorm = [
            Self("textbook") { orrery_layer_norm_textbook($0, $1, $2, $3, $4, $5, 1e-5, $6, $7) },
            Self("portable") { orrery_layer_norm_portable($0, $1, $2, $3, $4, $5, 1e-5, $6, $7) },
        ]
        static let rmsNorm = [
            Self("textbook") { orrery_rms_norm_textbook($0, $1, $2, $3, $4, 1e-6, $6, $7) },
            Self("portable") { orrery_rms_norm_portable($0, $1, $2, $3, $4, 1e-6, $6, $7) },
        ]
    #endif

    /// What one contiguous matrix becomes.
    func callAsFunction(
        _ x: [Float], columns: Int, gain: [Float]? = nil, bias: [Float]? = nil
    ) -> [Float] {
        var y = [Float](repeating: .nan, count: x.count)
        y.withUnsafeMutableBufferPointer { y in
            x.withUnsafeBufferPointer { x in
                withPointer(gain) { gain in
                    withPointer(bias) { bias in
                        call(x.baseAddress!, columns, y.baseAddress!, columns, gain, bias, x.count / columns, columns)
                    }
                }
            }
        }
        return y
    }
}

extension [RowKernel] {
    /// Those that this processor can run.
    var present: [RowKernel] { filter { $0.needs.isSubset(of: .present) } }
}

func withPointer(_ numbers: [Float]?, _ body: (UnsafePointer<Float>?) -> Void) {
    guard let numbers else { return body(nil) }
    numbers.withUnsafeBufferPointer { body($0.baseAddress) }
}

/// Numbers whose last one is at the end of readable memory: one step further is a fault.
final class GuardedNumbers {
    let pointer: UnsafeMutablePointer<Float>
    private let memory: UnsafeMutableRawPointer
    private let bytes: Int

    init(_ numbers: [Float]) {
        let page = Int(getpagesize())
        let readable = (numbers.count * 4 + page - 1) / page * page
        bytes = readable + page
        memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        mprotect(memory + readable, page, PROT_NONE)
        pointer = (memory + readable - numbers.count * 4).bindMemory(to: Float.self, capacity: numbers.count)
        pointer.update(from: numbers, count: numbers.count)
    }

    deinit { munmap(memory, bytes) }
}

/// The largest error in units of the allowed one.
func worstError(_ found: some Sequence<Float>, _ expected: [RowTwin.Element]) -> Double {
    zip(found, expected).reduce(0) { worst, pair in
        let error = abs(Double(pair.0) - pair.1.expected)
        return max(worst, error == 0 ? 0 : error.isNaN ? .infinity : error / pair.1.allowed)
    }
}

/// `count` numbers in -spread ..< spread about a mean.
func randomNumbers(_ count: Int, spread: Float = 1, about mean: Float = 0, seed: UInt64) -> [Float] {
    var bits = SeededBits(seed: seed)
    return (0..<count).map { _ in mean + spread * bits.signedUnit() }
}

extension UnsafeMutablePointer<Float> {
    /// The first `columns` numbers of each row, one row after another.
    func packed(rows: Int, columns: Int, stride: Int) -> [Float] {
        (0..<rows).flatMap { row in UnsafeBufferPointer(start: self + row * stride, count: columns) }
    }
}
