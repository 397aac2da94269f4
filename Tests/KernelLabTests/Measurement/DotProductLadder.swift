import Kernels

/// A small operation for tests of the measurement: Σ xᵢ yᵢ, with rungs that are right, wrong and missing.
enum DotProductLadder {
    static let operation = KernelOperation(
        "dot-f32", title: "dot product, float32", dimensions: [.init("n", "elements", in: 1...1 << 22)],
        presets: [KernelShape(["n": 2048])], square: { KernelShape(["n": $0]) }, arithmetic: .float32,
        costFormula: "2n FLOP, 8n B", cost: { KernelCost(flops: 2 * Double($0["n"]), bytes: 8 * Double($0["n"])) },
        problem: { shape, seed throws(KernelError) in try DotProblem(count: shape["n"], seed: seed) },
        variants: [
            rung("plain", idea: "one sum") { $0.plain() },
            rung("openblas", idea: "eight sums, under the name of a library") { $0.eightSums() },
            rung("twice", idea: "goes through its input twice", traffic: { 16 * Double($0["n"]) }) {
                $0.eightSums()
                $0.eightSums()
            },
            rung("forgetful", idea: "leaves the result unwritten") { _ in },
            rung("absent", idea: "a library that is not there", missing: { "libabsent.so is not installed" }) {
                $0.plain()
            },
        ])

    private static func rung(
        _ name: String, idea: String, missing: @escaping @Sendable () -> String? = { nil },
        traffic: (@Sendable (KernelShape) -> Double)? = nil, _ body: @escaping @Sendable (DotProblem) -> Void
    ) -> KernelVariant {
        KernelVariant(name, idea: idea, sources: [], missing: missing, traffic: traffic) {
            (problem: DotProblem, _) in { body(problem) }
        }
    }
}

final class DotProblem: KernelProblem {
    let x: AlignedBuffer<Float>
    let y: AlignedBuffer<Float>
    var result = Float.nan

    init(count: Int, seed: UInt64) throws(KernelError) {
        x = try AlignedBuffer(count: count)
        y = try AlignedBuffer(count: count)
        var state = seed
        for index in 0..<count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            x[index] = Float(state >> 40) * 0x1p-24 - 0.5
            y[index] = Float(state >> 20 & 0xff_ffff) * 0x1p-24 - 0.5
        }
    }

    var workingSet: Int { x.byteCount + y.byteCount + 4 }

    func poisonOutput() { result = .nan }

    func plain() {
        var sum: Float = 0
        for index in 0..<x.count { sum += x.pointer[index] * y.pointer[index] }
        result = sum
    }

    func eightSums() {
        var sums = SIMD8<Float>.zero
        let whole = x.count / 8 * 8
        for index in stride(from: 0, to: whole, by: 8) {
            let left = UnsafeRawPointer(x.pointer + index).loadUnaligned(as: SIMD8<Float>.self)
            let right = UnsafeRawPointer(y.pointer + index).loadUnaligned(as: SIMD8<Float>.self)
            sums += left * right
        }
        var sum = sums.sum()
        for index in whole..<x.count { sum += x.pointer[index] * y.pointer[index] }
        result = sum
    }

    func agreement() -> KernelAgreement {
        var exact = 0.0
        var size = 0.0
        for index in 0..<x.count {
            let product = Double(x.pointer[index]) * Double(y.pointer[index])
            exact += product
            size += abs(product)
        }
        let allowed = Double(x.count) * 0x1p-24 * size + 1e-30
        let error = abs(Double(result) - exact)
        return KernelAgreement(
            worst: result.isNaN ? .infinity : error / allowed, bound: "n u Σ|xy|",
            place: "expected \(exact), found \(result)", compared: 1)
    }
}
