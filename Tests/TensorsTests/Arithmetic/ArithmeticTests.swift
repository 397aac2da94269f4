import Tensors
import Testing

@Suite struct ArithmeticTests {
    @Test(
        "arithmetic is NumPy's, bit by bit",
        arguments: [
            GoldenCase("add stretches both ways") { try $0.float() + $0.float("b") },
            GoldenCase("subtract") { try $0.float() - $0.float("b") },
            GoldenCase("multiply a transposed view") { try $0.float().transposed() * $0.float("b") },
            GoldenCase("divide") { try $0.float() / $0.float("b") },
            GoldenCase("power", within: 2e-7) { try $0.float().power($0.float("b")) },
            GoldenCase("minimum keeps NaN") { try Tensor.minimum($0.float(), $0.float("b")) },
            GoldenCase("maximum keeps NaN") { try Tensor.maximum($0.float(), $0.float("b")) },
            GoldenCase("less") { try $0.float() .< $0.float("b") },
            GoldenCase("greater or equal") { try $0.float() .>= $0.float("b") },
            GoldenCase("equal") { try $0.float() .== $0.float("b") },
            GoldenCase("int8 addition wraps") { try $0.tensor(as: Int8.self) + $0.tensor("b") },
            GoldenCase("int8 multiplication wraps") { try $0.tensor(as: Int8.self) * $0.tensor("b") },
            GoldenCase("float16 multiplication") { try $0.tensor(as: Float16.self) * $0.tensor("b") },
            GoldenCase("where") { try select($0.tensor("condition"), $0.float(), $0.float("b")) },
        ])
    func golden(_ golden: GoldenCase) throws { try golden.check() }

    @Test(
        "functions of one number agree with NumPy",
        arguments: [
            GoldenCase("function exp", within: 2e-7) { try exp($0.float()) },
            GoldenCase("function expm1", within: 2e-7) { try expm1($0.float()) },
            GoldenCase("function log", within: 2e-7) { try log($0.float()) },
            GoldenCase("function log1p", within: 2e-7) { try log1p($0.float()) },
            GoldenCase("function sqrt") { try sqrt($0.float()) },
            GoldenCase("function sin", within: 2e-7) { try sin($0.float()) },
            GoldenCase("function cos", within: 2e-7) { try cos($0.float()) },
            GoldenCase("function tanh", within: 2e-7) { try tanh($0.float()) },
            GoldenCase("function erf", within: 2e-7) { try erf($0.float()) },
            GoldenCase("function sigmoid", within: 2e-7) { try sigmoid($0.float()) },
            GoldenCase("function silu", within: 3e-7) { try silu($0.float()) },
            GoldenCase("function relu") { try relu($0.float()) },
            GoldenCase("function gelu", within: 3e-7) { try gelu($0.float()) },
            GoldenCase("function gelu tanh", within: 5e-7) { try gelu($0.float(), .tanh) },
            GoldenCase("function softplus", within: 2e-7) { try softplus($0.float()) },
            GoldenCase("function floor") { try floor($0.float()) },
            GoldenCase("function ceil") { try ceil($0.float()) },
            GoldenCase("function round") { try round($0.float()) },
            GoldenCase("function abs") { try abs($0.float()) },
            GoldenCase("function sign") { try sign($0.float()) },
        ])
    func functions(_ golden: GoldenCase) throws { try golden.check() }

    @Test("the exponential of float32 is within 2 units in the last place, its ends exact") func exponential() {
        var worst = 0.0
        for step in -870_000...880_000 where step % 7 == 0 {
            let x = Float(step) * 1e-4
            let exact = Elementary.exp(Double(x))
            worst = max(worst, abs(Double(Elementary.exp(x)) - exact) / Double(Float(exact).ulp))
        }
        #expect(worst < 2)
        #expect(Elementary.exp(-Float.infinity) == 0 && Elementary.exp(Float.infinity) == .infinity)
        #expect(Elementary.exp(Float(0)) == 1 && Elementary.exp(Float.nan).isNaN)
        #expect(Elementary.exp(Float(-95)) > 0, "the numbers below the normal ones are reached")
    }

    @Test("the hyperbolic tangent of float32 is within 3 units in the last place") func hyperbolicTangent() {
        var worst = 0.0
        for step in -100_000...100_000 {
            let x = Float(step) * 1e-4 + 3e-6
            let exact = Elementary.tanh(Double(x))
            worst = max(worst, abs(Double(Elementary.tanh(x)) - exact) / Double(Float(exact).ulp))
        }
        #expect(worst < 3)
        #expect(Elementary.tanh(Float(40)) == 1 && Elementary.tanh(-Float.infinity) == -1)
        #expect(Elementary.tanh(Float.nan).isNaN)
    }

    @Test("the error function of float32 is within 2 units in the last place") func errorFunction() {
        var worst = 0.0
        for step in -50_000...50_000 {
            let x = Float(step) * 1e-4 + 3e-6
            let exact = Elementary.erf(Double(x))
            worst = max(worst, abs(Double(Elementary.erf(x)) - exact) / Double(Float(exact).ulp))
        }
        #expect(worst < 2)
        #expect(Elementary.erf(Float(9)) == 1 && Elementary.erf(-Float.infinity) == -1)
        #expect(Elementary.erf(Float.nan).isNaN)
    }

    @Test("operations on a view are those on its copy", arguments: 0..<8) func twins(seed: Int) throws {
        var random = SeededNumbers(seed: UInt64(seed))
        let shape = (0..<3).map { _ in Int(random.next() % 9) + 1 }
        let a = try random.tensor(shape).permuted([2, 0, 1])
        let b = try random.tensor([shape[1]]).sliced([.range(from: nil, to: nil, step: -1)])
        #expect(try (a - b).elements == twin(a, b) { $0 - $1 })
        #expect(try (a * b).elements == twin(a, b) { $0 * $1 })
        #expect(try (b / a).elements == twin(a, b) { $1 / $0 })
        #expect(try (1 - a).elements == a.elements.map { 1 - $0 })
        #expect(try (-a).elements == a.elements.map { -$0 })
    }

    /// The same without views: element by element through indices.
    private func twin(
        _ a: Tensor<Float>, _ b: Tensor<Float>, _ operation: (Float, Float) -> Float
    ) throws -> [Float] {
        var result: [Float] = []
        for i in 0..<a.shape[0] {
            for j in 0..<a.shape[1] {
                for k in 0..<a.shape[2] { try result.append(operation(a.element(at: [i, j, k]), b.element(at: [k]))) }
            }
        }
        return result
    }

    @Test("large tensors are shared by threads without a change") func threads() throws {
        let count = 300_001
        let a = try Tensor<Float>.arange(to: Double(count))
        let odd = try a[.every(3)] + a[.every(3)]
        #expect(odd.elements == stride(from: 0, to: count, by: 3).map { Float($0) + Float($0) })
        let table = try a.broadcast(to: [3, count]) + Tensor(rows: [[0], [1], [2]])
        #expect(try table[2] == a + 2)
    }

    @Test("empty tensors and single numbers are ordinary") func oddShapes() throws {
        let empty = try Tensor<Float>([], shape: [0, 3])
        #expect(try (empty + Tensor([1, 2, 3])).shape == [0, 3])
        #expect(try (empty * Tensor<Float>(repeating: 1, shape: [2, 1, 1])).shape == [2, 0, 3])
        #expect(try exp(empty).elements.isEmpty)
        #expect(try (Tensor<Float>(2) + Tensor(3)).scalar == 5)
        #expect(try (Tensor<Float>(2) .< Tensor([1, 3])).elements == [false, true])
    }

    @Test("logic is that of Bool") func logic() throws {
        let a = try Tensor([false, false, true, true])
        let b = try Tensor([false, true, false, true])
        #expect(try (a .& b).elements == [false, false, false, true])
        #expect(try (a .| b).elements == [false, true, true, true])
        #expect(try (a .^ b).elements == [false, true, true, false])
        #expect(try (.!a).elements == [true, true, false, false])
    }
}
