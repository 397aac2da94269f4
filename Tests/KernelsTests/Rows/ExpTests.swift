import CKernels
import Glibc
import Kernels
import Testing

@Suite("The exponential of many numbers")
struct ExpTests {
    typealias Kernel = @Sendable (UnsafePointer<Float>, UnsafeMutablePointer<Float>, Int) -> Void

    static let kernels: [(name: String, needs: ProcessorFeatures, kernel: Kernel)] = {
        var all: [(name: String, needs: ProcessorFeatures, kernel: Kernel)] = [
            ("portable", [], { orrery_exp_portable($0, $1, $2) })
        ]
        #if arch(x86_64)
            all.append(("avx2", .avx2, { orrery_exp_avx2($0, $1, $2) }))
            all.append(("avx512", .avx512, { orrery_exp_avx512($0, $1, $2) }))
        #endif
        return all.filter { $0.needs.isSubset(of: .present) }
    }()

    private func exponentials(_ kernel: Kernel, _ x: [Float]) -> [Float] {
        var y = [Float](repeating: .nan, count: x.count)
        kernel(x, &y, x.count)
        return y
    }

    @Test("is within 2e-7 of float64 over the whole range", arguments: kernels.indices)
    func wholeRange(index: Int) {
        // Every 5003rd float between -104 and 89: half a million of each sign, in every octave.
        let bits = stride(from: UInt32(0), through: Float(104).bitPattern, by: 5003)
        let x = bits.flatMap { [Float(bitPattern: $0), -Float(bitPattern: $0)] }.filter { $0 < 88.72 }
        let y = exponentials(Self.kernels[index].kernel, x)
        var worst = (error: 0.0, x: Float(0))
        for (number, found) in zip(x, y) {
            let expected = Glibc.exp(Double(number))
            let error =
                expected < 0x1p-126
                ? abs(Double(found) - expected) / 0x1p-148 * 2e-7 : abs(Double(found) / expected - 1)
            if !(error <= worst.error) { worst = (error, number) }
        }
        #expect(worst.error <= 2e-7, "\(Self.kernels[index].name) at \(worst.x)")
    }

    @Test("has its limits where they belong", arguments: kernels.indices)
    func limits(index: Int) {
        let x: [Float] = [
            0, -0.0, -.infinity, .infinity, 1e30, -1e30, 88.73, -104, 3.4e38, -3.4e38, .leastNonzeroMagnitude,
            -.leastNonzeroMagnitude, 88.72,
        ]
        let y = exponentials(Self.kernels[index].kernel, x)
        #expect(y.prefix(12) == [1, 1, 0, .infinity, .infinity, 0, .infinity, 0, .infinity, 0, 1, 1])
        #expect(y[12] > 3.3e38 && y[12] < .infinity)
        for nan in [Float.nan, -.nan] { #expect(exponentials(Self.kernels[index].kernel, [nan])[0].isNaN) }
    }

    @Test("gives a number the same bits at any place among any others", arguments: kernels.indices)
    func places(index: Int) {
        let kernel = Self.kernels[index].kernel
        let x = randomNumbers(100, spread: 80, seed: 41)
        let all = exponentials(kernel, x)
        for count in 0...40 { #expect(exponentials(kernel, Array(x.prefix(count))) == Array(all.prefix(count))) }
        #expect(x.map { exponentials(kernel, [$0])[0] } == all)
    }
}
