/// A[m, k] · B[k, n] with seeded inputs of one type and an output of another.
package final class GemmProblem<Element: BitwiseCopyable, Sum: BitwiseCopyable>: KernelProblem {
    package let m: Int
    package let n: Int
    package let k: Int
    package let a: AlignedBuffer<Element>
    package let b: AlignedBuffer<Element>
    package let c: AlignedBuffer<Sum>
    private let poison: Sum
    private let compare: (GemmProblem, [Int]) -> KernelAgreement
    private let seed: UInt64

    /// - Parameters:
    ///   - element: the next random input.
    ///   - poison: what no result can be.
    ///   - compare: the twin on some rows of C.
    init(
        _ shape: KernelShape, seed: UInt64, element: (inout SeededBits) -> Element, poison: Sum,
        compare: @escaping (GemmProblem, [Int]) -> KernelAgreement
    ) throws(KernelError) {
        (m, n, k) = (shape["m"], shape["n"], shape["k"])
        (a, b, c) = (
            try AlignedBuffer(count: m * k), try AlignedBuffer(count: k * n), try AlignedBuffer(count: m * n)
        )
        self.poison = poison
        self.compare = compare
        self.seed = seed
        var bits = SeededBits(seed: seed)
        for i in 0..<a.count { a.pointer[i] = element(&bits) }
        for i in 0..<b.count { b.pointer[i] = element(&bits) }
    }

    package var workingSet: Int { a.byteCount + b.byteCount + c.byteCount }

    package func poisonOutput() { c.pointer.update(repeating: poison, count: c.count) }

    package func agreement() -> KernelAgreement {
        var bits = SeededBits(seed: seed ^ 0x5eed)
        return compare(self, bits.sample(of: m, atMost: 12))
    }

    static var dimensions: [KernelOperation.Dimension] {
        [
            KernelOperation.Dimension("m", "rows of A", in: 1...(1 << 17) - 1),
            KernelOperation.Dimension("n", "columns of B", in: 1...(1 << 17) - 1),
            KernelOperation.Dimension("k", "columns of A", in: 1...(1 << 17) - 1),
        ]
    }
}
